import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** Messages by field. */
export type Faults = Readonly<Record<string, string>>

/** `id` and `version` of a change, and the fields; 404 and 400 if they are missing. */
export function changeOf(body: JsonObject): { id: string; version: number; given: JsonObject } {
  const { id, version, ...given } = body
  if (typeof id !== 'string') refuse(404, 'NOT_FOUND', text('call.not-found'))
  if (typeof version !== 'number') refuse(400, 'VALIDATION', text('record.version'), { detail: 'version' })
  return { id, version, given }
}

/** The id of a call on one record; 404 if it is missing. */
export function idOf(body: JsonObject): string {
  return typeof body.id === 'string' ? body.id : refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** A short reason given with a call; null if none is given. 400 if it is not a text of at most `most` characters. */
export function reasonOf(body: JsonObject, name = 'reason', most = 200): string | null {
  const given = body[name] ?? ''
  if (typeof given !== 'string' || given.length > most || given.includes('\0'))
    refuse(400, 'VALIDATION', text('record.length', { label: text('record.reason'), min: 0, max: most }), {
      detail: name,
    })
  return given.trim() === '' ? null : given.trim()
}

/** True if the caller deliberately repeats a write after its warning (DOMAIN 8.1 `confirm`). */
export function isConfirmed(confirm: Json | undefined, type: string): boolean {
  return Array.isArray(confirm) && confirm.includes(type)
}
