import type { JsonObject } from '../json.ts'

const MORE = ['only', 'options', 'as']

/**
 * True for an item that stands for parts of a list or detail page. `filters` and `sorts` alone are the conditions and orders of a request; with
 * `only` or `options` they are what asks for them.
 */
export function listReference(item: JsonObject): boolean {
  const { filters, sorts, card, facts, ...more } = item
  const keys = Object.keys(more)
  const named = [filters, sorts, card, facts].filter((one) => one !== undefined)
  if (named.length !== 1 || typeof named[0] !== 'string' || !keys.every((key) => MORE.includes(key)))
    return false
  return (filters === undefined && sorts === undefined) || keys.length > 0
}
