import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../../runtime/core/json.ts'

/** A value as JSON with the keys of every object sorted: the same text for the same content. Undefined values are left out. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, it]) => it !== undefined)
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, it]) => `${JSON.stringify(key)}:${canonical(it)}`)
    .join()}}`
}

/** SHA-256 of a file's content, independent of the order of its keys, in hexadecimal digits. */
export const checksumOf = (content: JsonObject): string =>
  createHash('sha256').update(canonical(content)).digest('hex')
