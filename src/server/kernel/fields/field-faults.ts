import { type RawBuilder, sql } from 'kysely'
import { createBudget, spending } from '../../../../runtime/core/budget.ts'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { applyRule, dependenciesOf, isTruthy } from '../../../../runtime/core/logic/rule.ts'
import type { Field } from '../../../model/description.ts'
import type { IndexClass } from '../../../model/kind.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import { type FieldFault, isEmpty, type ReadRecord, requiredCode } from '../../../model/read-record.ts'
import type { CallContext } from '../context/call-context.ts'
import { mirrorKey } from '../model/own-index.ts'
import { isRegion } from '../regions/regions.ts'
import { text } from '../text/text.ts'
import type { Faults } from './check-record.ts'
import { AS_WRITTEN, type RecordInRules, userInRules } from './record-in-rules.ts'
import { namesBehind } from './words.ts'

/** Where the value of a unique field is stored. `id`: the record itself, null while it is new. */
export interface Place {
  readonly table: string
  readonly module: string
  readonly id: string | null
}

/** Checks that need the database: dictionaries, references, regions, uniqueness. */
export async function storedFaults(
  fields: readonly Field[],
  values: Readonly<Record<string, Json>>,
  place: Place,
  ctx: CallContext,
): Promise<Faults> {
  const faults: Record<string, string> = { ...(await dictionaryFaults(fields, values, ctx)) }
  for (const field of fields) {
    const value = values[field.name] ?? null
    if (isEmpty(value)) continue
    const fault =
      (await referenceFault(field, value, ctx)) ??
      (await repeatFault(field, value, place, ctx)) ??
      regionFault(field, value)
    if (fault !== null) faults[field.name] = fault
  }
  return faults
}

/**
 * Values that their dictionary does not offer.
 *
 * @param keptNames  the current values of the record: they may stay even if they are no longer offered
 */
export async function dictionaryFaults(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
  { trx, caller }: CallContext,
  keptNames: readonly string[] = [],
): Promise<Faults> {
  const codes = fields.flatMap((field) => dictionaryCodes(field, values[field.name] ?? null))
  if (codes.length === 0) return {}
  const { rows } = await sql<{ key: string }>`select a.dict || '/' || a.code as key
    from ${pairsOf(codes)} a (dict, code) join dict_item d on d.tenant_id = ${caller.tenantId}
      and d.type_key = a.dict and d.value = a.code and (not d.disabled or d.value = any(${[...keptNames]}::text[]))`.execute(
    trx,
  )
  const known = new Set(rows.map(({ key }) => key))
  return Object.fromEntries(
    codes
      .filter(({ dict, code }) => !known.has(`${dict}/${code}`))
      .map(({ field }) => [field.name, text('record.not-offered', { label: labelText(field.label) })]),
  )
}

/** Up to this number of codes each is a separate parameter: a list makes PostgreSQL plan again, which takes longer than the query. */
const FEW = 8

function pairsOf(codes: readonly { readonly dict: string; readonly code: string }[]): RawBuilder<unknown> {
  if (codes.length > FEW)
    return sql`unnest(${codes.map(({ dict }) => dict)}::text[], ${codes.map(({ code }) => code)}::text[])`
  return sql`(values ${sql.join(codes.map(({ dict, code }) => sql`(${dict}::text, ${code}::text)`))})`
}

/** The dictionary codes in a value, including those in rows of a sub-form. */
function dictionaryCodes(
  field: Field,
  value: unknown,
): readonly { readonly field: Field; readonly dict: string; readonly code: string }[] {
  const { dict } = field
  if (dict !== undefined) return codesOf(value).map((code) => ({ field, dict, code }))
  if (field.kind !== 'lines') return []
  const rows = Array.isArray(value) ? value.filter(isObject) : []
  return (field.fields ?? []).flatMap((column) =>
    rows.flatMap((row) => dictionaryCodes(column, row[column.name]).map((code) => ({ ...code, field }))),
  )
}

const codesOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []

/** An id is an access: the record must exist, and the user must see it. */
async function referenceFault(field: Field, value: Json, ctx: CallContext): Promise<string | null> {
  if (kindOf(field.kind).index !== 'ref') return null
  const ids = codesOf(value)
  const names = await namesBehind(field, ids, ctx)
  return ids.every((id) => names.has(id))
    ? null
    : text('own.missing-record', { label: labelText(field.label) })
}

/** Values of unique fields that already exist. */
export async function repeatFaults(
  fields: readonly Field[],
  values: Readonly<Record<string, Json>>,
  place: Place,
  ctx: CallContext,
): Promise<Faults> {
  const faults: Record<string, string> = {}
  for (const field of fields) {
    const value = values[field.name] ?? null
    const fault = isEmpty(value) ? null : await repeatFault(field, value, place, ctx)
    if (fault !== null) faults[field.name] = fault
  }
  return faults
}

async function repeatFault(
  field: Field,
  value: Json,
  place: Place,
  ctx: CallContext,
): Promise<string | null> {
  if (field.unique !== 'refuse') return null
  return (await isRepeated(field, value, place, ctx))
    ? text('own.unique', { label: labelText(field.label), value: String(value) })
    : null
}

/** Whether another record outside the recycle bin has the same value of a tenant's own field. */
export async function isRepeated(
  field: Field,
  value: Json,
  place: Place,
  ctx: CallContext,
): Promise<boolean> {
  const { index, several } = kindOf(field.kind)
  const isHeld = ctx.model.mirrored.get(mirrorKey(place.module, field.name)) === 'ready'
  return isHeld && index !== null && several !== true
    ? isMirrored(index, field, value, place, ctx)
    : isStored(field, value, place, ctx)
}

/** Reads the unique index: if two users write the same value at once, the database refuses the second. */
async function isMirrored(
  index: IndexClass,
  { name, unique }: Field,
  value: Json,
  { module, id }: Place,
  { trx, caller }: CallContext,
): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(`own_${index}`)} where tenant_id = ${caller.tenantId}
    and module = ${module} and field = ${name} ${unique === 'refuse' ? sql`and is_unique` : sql``} and value = ${typeof value === 'number' ? value : String(value)}
    and record_id is distinct from ${id} limit 1`.execute(trx)
  return rows.length > 0
}

/** Reads the records: values that no index protects are written one after the other. */
async function isStored(
  { name }: Field,
  value: Json,
  { table, module, id }: Place,
  { trx, caller }: CallContext,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`unique/${caller.tenantId}/${module}/${name}`}, 0))`.execute(
    trx,
  )
  const { rows } = await sql`select 1 from ${sql.table(table)} r where r.tenant_id = ${caller.tenantId}
    ${table === 'record' ? sql`and r.module = ${module}` : sql``} and r.deleted_at is null and r.id is distinct from ${id}
    and r.ext -> ${name}::text = ${JSON.stringify(value)}::jsonb limit 1`.execute(trx)
  return rows.length > 0
}

/** Codes that are not regions. */
export const regionFault = ({ kind, label }: Field, value: Json): string | null =>
  kind !== 'region' || !Array.isArray(value) || isRegion(value.map(String))
    ? null
    : text('record.region', { label: labelText(label) })

/**
 * Fields that a rule over the record makes required, as the form does.
 *
 * @param touched  the written fields of an existing record: a rule that reads none of them is not evaluated.
 * Null: a new record
 */
export function ruleFaults(
  fields: readonly Field[],
  values: JsonObject,
  { caller }: Pick<CallContext, 'caller'>,
  { beside, written, called, toPageRule: inPage }: RecordInRules = AS_WRITTEN,
  touched: readonly string[] | null = null,
): Faults {
  const isWritten = new Set([...(touched ?? []).map(called), ...written].map((name) => `form.${name}`))
  const ruled = fields.flatMap(({ name, required, retired }) => {
    if (!isObject(required) || retired === true || !isEmpty(values[name])) return []
    const rule = inPage(required)
    const read = [`form.${called(name)}`, ...dependenciesOf(rule)]
    return touched === null || read.some((one) => isWritten.has(one)) ? [{ name, rule }] : []
  })
  if (ruled.length === 0) return {}
  const named = Object.fromEntries(Object.entries(values).map(([name, value]) => [called(name), value]))
  const form = { ...beside, ...named } as JsonObject
  const scope = { form, params: {}, user: userInRules(caller), dict: {}, data: {} }
  const isRequired = ({ rule }: { readonly rule: JsonObject }): boolean => isTruthy(applyRule(rule, scope))
  const names = new Set(spending(createBudget(), () => ruled.filter(isRequired)).map(({ name }) => name))
  const checked = fields.filter(({ name }) => names.has(name))
  return Object.fromEntries(
    checked.map(({ name, label, kind }) => [name, text(requiredCode(kind), { label: labelText(label) })]),
  )
}

/** Errors reported by the kinds, as texts for users. */
export function faultTexts(faults: ReadRecord['faults'], fields: readonly Field[]): Faults {
  return Object.fromEntries(
    [...faults].map(([name, fault]) => {
      const label = labelText(fields.find((field) => field.name === name)?.label ?? name)
      return [name, faultText(fault, label)]
    }),
  )
}

/** What a kind says of a value, as a text for users; of a value in a row it says the row as well. */
export function faultText(fault: FieldFault, label: string): string {
  const { code, places = {}, within } = { places: undefined, within: undefined, ...fault }
  return text(code, {
    label: within === undefined ? label : text('record.row', { label, ...within }),
    ...places,
  })
}
