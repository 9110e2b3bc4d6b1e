import type { JsonObject } from '../../../../runtime/core/json.ts'

/** Whether a document has that text somewhere; looked through once, however many tenants it is made for. */
export function createMention(pattern: RegExp): (document: JsonObject) => boolean {
  const known = new WeakMap<JsonObject, boolean>()
  return (document) => {
    const found = known.get(document) ?? pattern.test(JSON.stringify(document))
    known.set(document, found)
    return found
  }
}
