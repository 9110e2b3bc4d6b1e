import type { JsonObject } from '../../../../runtime/core/json.ts'

/** Whether a document contains a text; the result is cached, however many tenants use the document. */
export function createMention(pattern: RegExp): (document: JsonObject) => boolean {
  const known = new WeakMap<JsonObject, boolean>()
  return (document) => {
    const found = known.get(document) ?? pattern.test(JSON.stringify(document))
    known.set(document, found)
    return found
  }
}
