import type { JsonObject } from '../json.ts'

const KEYS: readonly string[] = ['type', 'options', 'params']

/** An item of a widget list that refers to fields, `{ "field": "customer.name" }` or `{ "fields": "customer/basic" }`; null for any other. */
export function fieldReference(item: JsonObject): JsonObject | null {
  const { field, fields, ...more } = item
  const isNamed = typeof field === 'string' ? fields === undefined : typeof fields === 'string'
  return isNamed && Object.keys(more).every((key) => KEYS.includes(key)) ? item : null
}
