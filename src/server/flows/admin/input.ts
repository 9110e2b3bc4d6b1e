import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Refuses with 400 a body that the client should not have sent. */
export function invalid(detail: string): never {
  refuse(400, 'VALIDATION', text('admin.invalid'), { detail })
}

/** The id given in a call; '' for a new item. */
export function givenId(body: JsonObject): string {
  const { id } = body
  if (id === undefined || id === null) return ''
  return typeof id === 'string' && id.length <= 64 ? id : invalid('id')
}

/** A list of ids, at most `most`. */
export function idList(value: Json | undefined, name: string, most = 500): readonly string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > most) return invalid(name)
  const ids = value.filter((it): it is string => typeof it === 'string' && /^[\w-]{1,64}$/.test(it))
  return ids.length === value.length ? [...new Set(ids)] : invalid(name)
}

/** A short text, trimmed. */
export function shortText(value: Json | undefined, name: string, max: number, min = 0): string {
  const given =
    typeof value === 'string' ? value.trim() : value === undefined || value === null ? '' : invalid(name)
  if (given.includes('\0') || Array.from(given).length > max || Array.from(given).length < min) {
    const message = text('admin.length', { min, max })
    return refuse(400, 'VALIDATION', message, { fields: { [name]: message } })
  }
  return given
}

/** A whole number within bounds; `fallback` if absent. */
export function readInteger(value: Json | undefined, name: string, most: number, fallback = 0): number {
  if (value === undefined || value === null) return fallback
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= most
    ? value
    : invalid(name)
}

/** An object whose values are lists of ids. */
export function idTable(value: Json | undefined, name: string): Readonly<Record<string, readonly string[]>> {
  if (value === undefined || value === null) return {}
  if (!isObject(value) || Object.keys(value).length > 50) return invalid(name)
  return Object.fromEntries(Object.entries(value).map(([key, ids]) => [key, idList(ids, name)]))
}

/** Refuses with 409 if the item was changed meanwhile; a missing version is 400. */
export function checkVersion(given: Json | undefined, stored: number): void {
  if (typeof given !== 'number') invalid('version')
  if (given !== stored) refuse(409, 'VERSION_CONFLICT', text('record.conflict'))
}

/** A list of distinct whole numbers. */
export function idNumbers(value: Json | undefined, name: string, most = 100): readonly number[] {
  if (!Array.isArray(value) || value.length > most) return invalid(name)
  const ids = value.filter((it): it is number => typeof it === 'number' && Number.isInteger(it))
  return ids.length === value.length ? [...new Set(ids)] : invalid(name)
}
