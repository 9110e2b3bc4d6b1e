import { type Json, type JsonObject, sameJson } from '../../../../runtime/core/json.ts'
import type { Asking } from '../asking/asking.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { dictFaults } from './dict-check.ts'
import { checkInput, type InputFields, type InputValues } from './input.ts'

/** Decimals a number field may have at most, by field. */
export type Digits = Readonly<Record<string, number>>
export type Faults = Readonly<Record<string, string>>

/** Checked values of a write and everything against them, for the caller to add his own to. */
export interface CheckedRecord {
  readonly values: InputValues
  readonly faults: Faults
}

/**
 * Checks the fields of a write: kinds, required ones, decimals and dictionaries.
 * @param kept  dictionary values the record already has; a disabled one among them may stay
 */
export async function checkRecord(
  given: JsonObject,
  fields: InputFields,
  digits: Digits,
  asking: Asking,
  kept: readonly string[] | 'new' = 'new',
): Promise<CheckedRecord> {
  const isNew = kept === 'new'
  const checked = checkInput(given, fields, asking.zone, isNew)
  const dict = await dictFaults(
    asking.trx,
    asking.caller.tenantId,
    checked.values,
    fields,
    isNew ? [] : [...kept],
  )
  return {
    values: checked.values,
    faults: { ...dict, ...decimalFaults(checked.values, fields, digits), ...checked.faults },
  }
}

/** True when a number has no more decimals than allowed; what floats cannot hold counts as typed. */
export function hasDigits(value: number, digits: number): boolean {
  const written = String(value)
  if (written.includes('e')) return false
  return (written.split('.')[1] ?? '').length <= digits
}

function decimalFaults(values: InputValues, fields: InputFields, digits: Digits): Faults {
  const wrong = Object.entries(digits).filter(([name, most]) => {
    const value = values[name]
    return typeof value === 'number' && !hasDigits(value, most)
  })
  return Object.fromEntries(
    wrong.map(([name]) => {
      const label = fields[name]?.label
      return [name, text('record.format', { label: label === undefined ? name : text(label) })]
    }),
  )
}

/** Only what differs from the stored record. */
export function changedOf(values: InputValues, stored: Readonly<Record<string, unknown>>): InputValues {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(stored[name], value)))
}

function isSame(stored: unknown, value: unknown): boolean {
  if (stored instanceof Date && value instanceof Date) return stored.getTime() === value.getTime()
  return sameJson((stored ?? null) as Json, (value ?? null) as Json)
}

/** `id` and `version` of a change, and the fields; 404 and 400 without them. */
export function changeOf(body: JsonObject): { id: string; version: number; given: JsonObject } {
  const { id, version, ...given } = body
  if (typeof id !== 'string') refuse(404, 'NOT_FOUND', text('call.not-found'))
  if (typeof version !== 'number') refuse(400, 'VALIDATION', text('record.version'), { detail: 'version' })
  return { id, version, given }
}

/** The id of a call on one record; 404 without it. */
export function idOf(body: JsonObject): string {
  return typeof body.id === 'string' ? body.id : refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** A short reason of a call; null when none is given. 400 when it is no text of at most `most` characters. */
export function reasonOf(body: JsonObject, name = 'reason', most = 200): string | null {
  const given = body[name] ?? ''
  if (typeof given !== 'string' || given.length > most || given.includes('\0'))
    refuse(400, 'VALIDATION', text('record.length', { label: text('record.reason'), min: 0, max: most }), {
      detail: name,
    })
  return given.trim() === '' ? null : given.trim()
}

/** True when the caller repeats a warned write knowingly (DOMAIN 8.1 `confirm`). */
export function isConfirmed(confirm: Json | undefined, type: string): boolean {
  return Array.isArray(confirm) && confirm.includes(type)
}
