import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { INVALID, isCode, readCodes } from '../../../model/kind.ts'
import { readFiles } from '../../../model/kinds/files.ts'
import { readText, readTexts } from '../../../model/kinds/text.ts'
import { isRegion } from '../regions/regions.ts'
import { refuse } from '../text/envelope.ts'
import { type TextCode, text } from '../text/text.ts'
import { parseDateTime, parseWallTime } from '../time/zone.ts'

/** What a field of a write may hold. Bounds are included; texts are trimmed and `''` clears like `null`. */
export type InputField = { readonly label: TextCode; readonly required?: true } & (
  | { readonly kind: 'text'; readonly min?: number; readonly max: number; readonly pattern?: RegExp }
  | { readonly kind: 'dict'; readonly dict: string }
  | { readonly kind: 'dicts'; readonly dict: string; readonly most: number }
  | { readonly kind: 'codes'; readonly most: number }
  | { readonly kind: 'region' }
  | { readonly kind: 'ref' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'moment' }
  | { readonly kind: 'day' }
  | { readonly kind: 'files'; readonly most: number }
  | { readonly kind: 'json' }
  | { readonly kind: 'texts'; readonly most: number; readonly max: number }
  | { readonly kind: 'rows'; readonly most: number }
)
export type InputFields = Readonly<Record<string, InputField>>

/** What a checked field became. */
export type InputValue =
  | string
  | number
  | boolean
  | Date
  | readonly string[]
  | JsonObject
  | readonly JsonObject[]
  | null
export type InputValues = Record<string, InputValue>

/** Checked values, and the message for each field that cannot stay as it is. */
export interface CheckedInput {
  readonly values: InputValues
  readonly faults: Readonly<Record<string, string>>
}

/**
 * Checks the fields of a write. Keys that are not fields are faults; fields that are absent stay absent.
 * @param complete also demand required fields that are absent (create)
 */
export function checkInput(
  body: JsonObject,
  fields: InputFields,
  zone: string,
  complete: boolean,
): CheckedInput {
  const values: InputValues = {}
  const faults: Record<string, string> = {}
  for (const [name, raw] of Object.entries(body)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field === undefined) faults[name] = text('record.unknown-field')
    else {
      const value = readValue(raw, field, zone)
      if (value === INVALID) faults[name] = faultText(field)
      else values[name] = value
    }
  }
  for (const [name, field] of Object.entries(fields)) {
    const isAsked = complete ? !Object.hasOwn(faults, name) : Object.hasOwn(values, name)
    if (field.required && isAsked && (values[name] ?? null) === null)
      faults[name] = text('record.required', { label: text(field.label) })
  }
  return { values, faults }
}

/** Refuses with 400 and a message per field when there is any fault; the first one is the message. */
export function refuseFaults(faults: Readonly<Record<string, string>>): void {
  const [first] = Object.values(faults)
  if (first !== undefined) refuse(400, 'VALIDATION', first, { fields: faults })
}

/** The body of a call as an object; 400 when it is none. `clientToken` belongs to the envelope of the write, not to the record. */
export function bodyOf(body: unknown): JsonObject {
  if (!isObject(body)) refuse(400, 'VALIDATION', text('call.invalid'))
  const { clientToken: _, ...fields } = body
  return fields
}

function readValue(raw: Json | undefined, field: InputField, zone: string): InputValue | typeof INVALID {
  if (raw === null || raw === undefined || raw === '') return isList(field) ? [] : null
  if (field.kind === 'flag') return typeof raw === 'boolean' ? raw : INVALID
  if (field.kind === 'number') {
    return typeof raw === 'number' && raw >= field.min && raw <= field.max ? raw : INVALID
  }
  if (field.kind === 'files') return readFiles(raw, field.most)
  if (field.kind === 'json') return isObject(raw) && JSON.stringify(raw).length <= 4000 ? raw : INVALID
  if (field.kind === 'dicts' || field.kind === 'codes') return readCodes(raw, field.most)
  if (field.kind === 'region') return readRegion(raw)
  if (field.kind === 'texts') return readTexts(raw, field.most, field.max)
  if (field.kind === 'rows') return readRows(raw, field.most)
  if (typeof raw !== 'string') return INVALID
  if (field.kind === 'moment') return parseDateTime(raw, zone) ?? INVALID
  if (field.kind === 'day') return raw.length === 10 && parseWallTime(raw) !== null ? raw : INVALID
  if (field.kind === 'text') return readLine(raw, field)
  return isCode(raw) ? raw : INVALID
}

function isList(field: InputField): boolean {
  return LISTS.has(field.kind)
}

const LISTS: ReadonlySet<InputField['kind']> = new Set(['files', 'dicts', 'codes', 'region', 'texts', 'rows'])

function readLine(raw: string, { min = 0, max, pattern }: InputField & { kind: 'text' }) {
  const value = readText(raw, min, max)
  return typeof value !== 'string' || (pattern?.test(value) ?? true) ? value : INVALID
}

/** Codes from the province down. */
function readRegion(raw: Json): readonly string[] | typeof INVALID {
  const codes = readCodes(raw, 3)
  return codes === INVALID || isRegion(codes) ? codes : INVALID
}

/** Rows of a sub-form: objects whose fields their owner checks. */
function readRows(raw: Json, most: number): readonly JsonObject[] | typeof INVALID {
  const isRows = Array.isArray(raw) && raw.length <= most && raw.every(isObject)
  return isRows ? (raw as readonly JsonObject[]) : INVALID
}

function faultText(field: InputField): string {
  const label = text(field.label)
  if (field.kind === 'text' && field.pattern === undefined)
    return text('record.length', { label, min: field.min ?? 0, max: field.max })
  if (field.kind === 'dict') return text('record.not-offered', { label })
  if (field.kind === 'region') return text('record.region', { label })
  if ('most' in field) return text('record.most', { label, most: field.most })
  return text('record.format', { label })
}
