import { createBudget, spending } from '../../runtime/core/budget.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import type { Field } from './description.ts'
import { type FillingIn, INVALID, type KindFault } from './kind.ts'
import { kindOf } from './kinds/index.ts'

/** What is said of a field that must be filled in, by what fills it in. */
const REQUIRED = {
  write: 'record.required',
  choose: 'record.required-choice',
  upload: 'record.required-files',
  add: 'record.required-rows',
} as const satisfies Readonly<Record<FillingIn, string>>
type RequiredCode = (typeof REQUIRED)[FillingIn]

export const requiredCode = (kind: Field['kind']): RequiredCode => REQUIRED[kindOf(kind).filledBy ?? 'write']

/** Why a field of a write cannot stay. */
export type FieldFault = KindFault | { readonly code: 'record.unknown-field' | RequiredCode }

export interface ReadRecord {
  /** Checked values by field; a moment is wall-clock text, an emptied field null, an emptied list `[]`. */
  readonly values: Readonly<Record<string, Json>>
  readonly faults: ReadonlyMap<string, FieldFault>
}

/**
 * Checks the fields of a write by their descriptions. Absent fields stay absent; what is derived or unknown is a fault.
 *
 * @param complete  required fields that are absent are faults as well (a new record)
 */
export function readRecord(body: JsonObject, fields: readonly Field[], complete: boolean): ReadRecord {
  // Patterns are a tenant's own: all of a write share what one turn of a page may take.
  return spending(createBudget(), () => judge(body, fields, complete))
}

const byName = new WeakMap<readonly Field[], ReadonlyMap<string, Field>>()

/** Fields by their names; a list that is asked again has them already. */
function namesOf(fields: readonly Field[]): ReadonlyMap<string, Field> {
  const index = byName.get(fields) ?? new Map(fields.map((field) => [field.name, field]))
  byName.set(fields, index)
  return index
}

function judge(body: JsonObject, fields: readonly Field[], complete: boolean): ReadRecord {
  const fieldsByName = namesOf(fields)
  const values: Record<string, Json> = {}
  const faults = new Map<string, FieldFault>()
  for (const [name, raw] of Object.entries(body)) {
    const field = fieldsByName.get(name)
    if (field === undefined || kindOf(field.kind).derived || field.worked !== undefined) {
      faults.set(name, { code: 'record.unknown-field' })
      continue
    }
    const value = readField(raw ?? null, field)
    if (value === INVALID) faults.set(name, kindOf(field.kind).fault(field, raw ?? null))
    else values[name] = value
  }
  for (const { name, required, kind, worked } of fields) {
    const isExpected = complete ? !faults.has(name) : Object.hasOwn(values, name)
    if (
      required === true &&
      isExpected &&
      kindOf(kind).derived !== true &&
      worked === undefined &&
      isEmpty(values[name])
    )
      faults.set(name, { code: requiredCode(kind) })
  }
  return { values, faults }
}

/** One wire value as its field stores it. */
export function readField(raw: Json, field: Field): Json | typeof INVALID {
  const kind = kindOf(field.kind)
  if (raw === null || raw === '') return kind.several ? [] : null
  return kind.read(raw, field)
}

/** Null, an empty text or an empty list. */
export function isEmpty(value: Json | undefined): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}
