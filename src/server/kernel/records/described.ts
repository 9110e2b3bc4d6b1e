import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { INVALID } from '../../../model/kind.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { readRows } from '../../../model/kinds/lines.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { readRecord } from '../../../model/read-record.ts'
import { sameValue } from '../../../model/same-value.ts'
import type { CallContext } from '../context/call-context.ts'
import { json } from '../db/json.ts'
import type { Faults } from '../fields/check-record.ts'
import { withDefaults } from '../fields/default-values.ts'
import { dictionaryFaults, faultTexts, regionFault, ruleFaults } from '../fields/field-faults.ts'
import type { InputValues } from '../fields/input.ts'
import { AS_WRITTEN, type RecordInRules } from '../fields/record-in-rules.ts'
import { text } from '../text/text.ts'
import { parseDateTime, parseWallTime } from '../time/zone.ts'
import { wireValues } from './wire.ts'
import type { Columns } from './write-row.ts'

/** Whether a new record, an existing one, or many at once are written. */
type Writing = 'new' | 'change' | 'patch'

const written = new WeakMap<MergedModule, Readonly<Record<Writing, readonly Field[]>>>()

/** The product's fields that people fill in, according to a module's description and the tenant's changes; the same list for the same description. */
export function writtenFields(
  module: string,
  { model }: Pick<CallContext, 'model'>,
  writing: Writing = 'new',
): readonly Field[] {
  const merged = model.modules.get(module)
  if (merged === undefined) return []
  const known = written.get(merged)
  if (known !== undefined) return known[writing]
  const all = merged.fields.filter(
    ({ origin, readonly, kind }) =>
      origin === 'vendor' && readonly !== 'always' && kindOf(kind).derived !== true,
  )
  const change = all.filter(({ readonly }) => readonly !== 'created')
  const lists = { new: all, change, patch: change.filter(({ patch }) => patch === true) }
  written.set(merged, lists)
  return lists[writing]
}

/** What a check needs to know about a list of fields, computed once. */
interface Shape {
  /** Those in use, without retired fields. */
  readonly checkedFields: readonly Field[]
  /** Sub-forms, whose rows are checked by their owner. */
  readonly rows: readonly Field[]
  readonly coded: readonly Field[]
  readonly json: ReadonlySet<string>
  readonly hasRules: boolean
  /** Those for which the tenant defined a default; the product sets its own defaults elsewhere. */
  readonly usual: readonly Field[]
}
const shapes = new WeakMap<readonly Field[], Shape>()

function shapeOf(fields: readonly Field[]): Shape {
  const known = shapes.get(fields)
  if (known !== undefined) return known
  const checkedFields = fields
    .filter(({ kind }) => kind !== 'lines')
    .map((field) => (field.retired === true ? { ...field, required: false } : field))
  const shape: Shape = {
    checkedFields,
    rows: fields.filter(({ kind }) => kind === 'lines'),
    coded: checkedFields.filter(({ dict }) => dict !== undefined),
    json: new Set(fields.filter(({ kind }) => kindOf(kind).stored === 'json').map(({ name }) => name)),
    hasRules: checkedFields.some(({ required }) => isObject(required)),
    usual: checkedFields.filter((field) => 'changed' in field && field.default !== undefined),
  }
  shapes.set(fields, shape)
  return shape
}

/** A record as stored in its table. */
export type StoredRow = Readonly<Record<string, unknown>>

/** A checked write. */
export interface CheckedFields {
  /** All given values. */
  readonly values: InputValues
  /** Those that differ from the record; for a new one, all. */
  readonly changed: InputValues
  readonly faults: Faults
}

/**
 * Checks the fields of a write by their descriptions: kinds, required ones (also by rule), regions and dictionaries.
 *
 * @param stored  the current values of the record; null without one. An unchanged value is not checked again: one that its dictionary no longer
 * offers may stay
 *
 * @param record  as rules see it, if a tenant has fields of its own besides these
 */
export async function checkDescribed(
  given: JsonObject,
  fields: readonly Field[],
  ctx: CallContext,
  stored: StoredRow | null = null,
  record: RecordInRules = AS_WRITTEN,
): Promise<CheckedFields> {
  const { checkedFields, rows, coded, hasRules, usual } = shapeOf(fields)
  const filled = stored === null && usual.length > 0 ? withDefaults(given, usual, ctx, record) : given
  const sub = givenRows(filled, rows)
  const read = readRecord(sub.rest, checkedFields, stored === null)
  const { values, faults } = stampedValues({ ...read.values, ...sub.values }, fields, ctx.zone)
  const changed = stored === null ? values : differing(values, stored)
  const shown = () => ({ ...(stored === null ? {} : wireValues(stored, ctx.zone)), ...filled })
  const touched = stored === null ? null : Object.keys(given)
  return {
    values,
    changed,
    faults: {
      ...(hasRules ? ruleFaults(checkedFields, shown(), ctx, record, touched) : {}),
      ...(await dictionaryFaults(coded, changed, ctx, storedCodes(changed, coded, stored))),
      ...faults,
      ...sub.faults,
      ...faultTexts(read.faults, checkedFields),
    },
  }
}

/** Rows of sub-forms as given, if they are rows. */
function givenRows(given: JsonObject, subForms: readonly Field[]) {
  const values: Record<string, Json> = {}
  const faults: Record<string, string> = {}
  for (const field of subForms) {
    const { name, label } = field
    if (!Object.hasOwn(given, name)) continue
    const raw = given[name] ?? null
    const rows = raw === null || raw === '' ? [] : readRows(raw, field)
    if (rows !== INVALID) values[name] = rows
    else
      faults[name] = text('record.most', { label: labelText(label), ...kindOf('lines').fault(field).places })
  }
  const isRow = new Set(subForms.map(({ name }) => name))
  const rest = subForms.length === 0 ? given : pickFields(given, (name) => !isRow.has(name))
  return { rest, values, faults }
}

const pickFields = (given: JsonObject, isPicked: (name: string) => boolean): JsonObject =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, Json][] =>
      isPicked(name) ? [[name, value ?? null]] : [],
    ),
  )

/** Dictionary values that the record already has: they may stay. */
function storedCodes(
  changed: InputValues,
  coded: readonly Field[],
  stored: StoredRow | null,
): readonly string[] {
  if (stored === null) return []
  return coded
    .flatMap(({ name }) => (Object.hasOwn(changed, name) ? stored[name] : []))
    .filter((code) => typeof code === 'string')
}

/** Times as instants; days and times that no column can store are errors, and so are unknown regions. */
function stampedValues(
  read: Readonly<Record<string, Json>>,
  fields: readonly Field[],
  zone: string,
): { readonly values: InputValues; readonly faults: Faults } {
  const values: InputValues = {}
  const faults: Record<string, string> = {}
  for (const field of fields) {
    const { name, kind, label } = field
    if (!Object.hasOwn(read, name)) continue
    const value = read[name] ?? null
    const { stored } = kindOf(kind)
    const stamped =
      typeof value !== 'string' || (stored !== 'moment' && stored !== 'day')
        ? value
        : stored === 'moment'
          ? parseDateTime(value, zone)
          : parseWallTime(value) === null
            ? null
            : value
    const region = regionFault(field, value)
    if (stamped === null && value !== null) faults[name] = text('record.format', { label: labelText(label) })
    else if (region !== null) faults[name] = region
    else values[name] = stamped as InputValues[string]
  }
  return { values, faults }
}

/** Only what differs from the stored record. */
function differing(values: InputValues, stored: StoredRow): InputValues {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(stored[name], value)))
}

const MINUTE_MS = 60_000

const minuteOf = (value: unknown): number | null =>
  value instanceof Date ? Math.floor(value.getTime() / MINUTE_MS) : null

function isSame(stored: unknown, value: unknown): boolean {
  // A form without seconds returns the same minute.
  if (stored instanceof Date || value instanceof Date) return minuteOf(stored) === minuteOf(value)
  return sameValue((stored ?? null) as Json, (value ?? null) as Json)
}

/**
 * Checked values as columns, including the tenant's own fields: kinds stored as JSON are converted, everything else is unchanged.
 *
 * @param more  other JSON columns
 */
export function describedColumns(
  values: InputValues,
  fields: readonly Field[],
  more: readonly string[] = [],
): Columns {
  const { json: isJson } = shapeOf(fields)
  const isOther = new Set(['ext', ...more])
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      (isJson.has(name) || isOther.has(name)) && value !== null ? json(value as unknown as Json) : value,
    ]),
  )
}

/** Their names: the fields of a record that a form shows. */
export const namesOfFields = (fields: readonly Field[]): string[] => fields.map(({ name }) => name)

const parts = new WeakMap<readonly Field[], Map<string, readonly Field[]>>()

/** Those with one of the names; the same list for the same arguments. */
export const fieldsNamed = (fields: readonly Field[], names: readonly string[]): readonly Field[] =>
  cachedPart(fields, `only ${names.join()}`, () => fields.filter(({ name }) => names.includes(name)))

/** All except those with one of the names; the same list for the same arguments. */
export const fieldsBut = (fields: readonly Field[], names: readonly string[]): readonly Field[] =>
  cachedPart(fields, `but ${names.join()}`, () => fields.filter(({ name }) => !names.includes(name)))

/** All of them and one more; the same list for the same name. */
export const fieldsWith = (fields: readonly Field[], more: Field): readonly Field[] =>
  cachedPart(fields, `with ${more.name}`, () => [...fields, more])

function cachedPart(
  fields: readonly Field[],
  question: string,
  work: () => readonly Field[],
): readonly Field[] {
  const known = parts.get(fields) ?? new Map<string, readonly Field[]>()
  parts.set(fields, known)
  const part = known.get(question) ?? work()
  known.set(question, part)
  return part
}

/** The value of a field that nobody has filled in. */
export const emptyOf = (fields: readonly Field[]): JsonObject =>
  Object.fromEntries(fields.map(({ name, kind }) => [name, kindOf(kind).several ? [] : null]))

/** The label of a field for the caller's tenant. */
export function labelOfField(module: string, name: string, { model }: Pick<CallContext, 'model'>): string {
  const field = model.modules.get(module)?.fields.find((one) => one.name === name)
  return field === undefined ? name : labelText(field.label)
}
