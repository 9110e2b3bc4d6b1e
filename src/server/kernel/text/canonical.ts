import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../../runtime/core/json.ts'

/** A value as JSON with the keys of every object in order: the same for the same content. What is undefined is left out. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, it]) => it !== undefined)
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, it]) => `${JSON.stringify(key)}:${canonical(it)}`)
    .join()}}`
}

/** SHA-256 of a file's content whatever the order of its keys, in hexadecimal digits. */
export const checksumOf = (content: JsonObject): string =>
  createHash('sha256').update(canonical(content)).digest('hex')
