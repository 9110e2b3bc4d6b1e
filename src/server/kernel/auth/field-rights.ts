import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { rightsEntity } from '../../../model/field-rights.ts'
import { sourcesOf, tellersOf } from '../../../model/followed-fields.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { sameValue } from '../../../model/same-value.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import type { Caller } from './caller.ts'

/** Rights to a field, from narrow to wide (DOMAIN 2.3). */
export const FIELD_RIGHTS = ['hidden', 'masked', 'read', 'write'] as const
export type FieldRight = (typeof FIELD_RIGHTS)[number]
/** By entity and field; a field that is not listed may be written. */
export type FieldRights = Readonly<Record<string, Readonly<Record<string, FieldRight>>>>

/** Combined rights of several roles: the widest applies, and a role that does not list a field allows everything. */
export function mergeFieldRights(all: readonly unknown[]): FieldRights {
  const [first, ...others] = all.map(readRights)
  if (first === undefined) return {}
  const entities = Object.entries(first).map(([entity, fields]) => {
    const merged = Object.entries(fields).map(([field, right]) => {
      const rights = [right, ...others.map((role) => role[entity]?.[field] ?? 'write')]
      return [
        field,
        FIELD_RIGHTS[Math.max(...rights.map((it) => FIELD_RIGHTS.indexOf(it)))] ?? 'write',
      ] as const
    })
    return [entity, Object.fromEntries(merged.filter(([, right]) => right !== 'write'))] as const
  })
  return withTelling(Object.fromEntries(entities))
}

/** Fields that reveal another one, or change it: the right to that field applies to them as well. */
const TELLING: Readonly<Record<string, readonly string[]>> = {
  'bussiness.amount': ['bussiness.lines', 'bussiness.discount_rate', 'bussiness.weighted'],
  'bussiness.stage_id': ['bussiness.stage_history'],
  'contract.amount': [
    'contract.lines',
    'contract.discount_rate',
    'contract.amount_capitals',
    'contract.stat_amount',
    'contract.unreceived_amount',
    'contract.received_rate',
    'customer.deal_amount',
    'approval.amount',
  ],
  'contract.lines': ['contract.below_min', 'contract.products'],
  'payment.amount': [
    'payment.amount_capitals',
    'payment.shares',
    'payment.unassigned_amount',
    'payment.reversible_amount',
    'plan.received_amount',
    'plan.unreceived_amount',
    'plan.shares',
    'contract.received_amount',
    'contract.unreceived_amount',
    'contract.received_rate',
    'customer.received_amount',
    'approval.amount',
  ],
  'payment.plan_id': ['payment.period_no'],
  'plan.plan_amount': ['plan.unreceived_amount'],
  'follow.location': ['follow.place_text'],
}

/** Fields that reveal another one to who does not see it, and do not change it: the plans of a contract sum up to its amount. */
const REVEALING: typeof TELLING = { 'contract.amount': ['plan.plan_amount', 'plan.unreceived_amount'] }

/** The rights extended to fields that reveal others; if several apply, the narrowest. */
function withTelling(rights: FieldRights): FieldRights {
  const all: Record<string, Record<string, FieldRight>> = {}
  for (const [entity, fields] of Object.entries(rights)) all[entity] = { ...all[entity], ...fields }
  for (const [address, telling] of [...Object.entries(TELLING), ...Object.entries(REVEALING)]) {
    const [entity = '', field = ''] = address.split('.')
    const right = rights[entity]?.[field]
    if (right === undefined || (right === 'read' && REVEALING[address] === telling)) continue
    for (const [of = '', name = ''] of telling.map((it) => it.split('.'))) {
      const current = all[of]?.[name] ?? 'write'
      all[of] = {
        ...all[of],
        [name]: FIELD_RIGHTS.indexOf(current) < FIELD_RIGHTS.indexOf(right) ? current : right,
      }
    }
  }
  return all
}

/**
 * The rights extended to fields that rules of the tenant's modules work out: what follows from a field is seen by who sees that field, and so are the
 * lines that a sum of money adds up.
 */
export function withFollowing(rights: FieldRights, modules: ReadonlyMap<string, MergedModule>): FieldRights {
  const extended = [...modules.values()].flatMap((module) => {
    const entity = rightsEntity(module)
    const stored = rights[entity]
    if (stored === undefined) return []
    const given = { ...stored, ...telling(module, stored) }
    const following = [...sourcesOf(module)].flatMap(([name, sources]) =>
      unseen(name, [name, ...sources], given),
    )
    const all = { ...given, ...Object.fromEntries(following) }
    return Object.keys(all).every((name) => all[name] === stored[name]) ? [] : [[entity, all] as const]
  })
  return extended.length === 0 ? rights : { ...rights, ...Object.fromEntries(extended) }
}

type RightsOfModule = FieldRights[string]

/** The rights to fields that tell of a sum which is not seen. */
function telling(module: MergedModule, given: RightsOfModule): RightsOfModule {
  const tellers = [...tellersOf(module)]
  const names = new Set(tellers.flatMap(([, of]) => [...of]))
  const extended = [...names].flatMap((name) => {
    const sums = tellers.flatMap(([sum, of]) => (of.has(name) ? [sum] : []))
    return unseen(name, [name, ...sums], given)
  })
  return Object.fromEntries(extended)
}

/** The right to a field if one of these is not seen in full: the narrowest. */
function unseen(name: string, of: readonly string[], given: RightsOfModule): readonly [string, FieldRight][] {
  const narrow = of.flatMap((it) => given[it] ?? []).sort(byWidth)[0]
  return narrow === 'hidden' || narrow === 'masked' ? [[name, narrow]] : []
}

const byWidth = (a: FieldRight, b: FieldRight): number => FIELD_RIGHTS.indexOf(a) - FIELD_RIGHTS.indexOf(b)

function readRights(value: unknown): Record<string, Record<string, FieldRight>> {
  const known: readonly unknown[] = FIELD_RIGHTS
  const entries = Object.entries(isObject(value) ? value : {}).map(([entity, fields]) => [
    entity,
    Object.fromEntries(
      Object.entries(isObject(fields) ? fields : {}).filter(([, right]) => known.includes(right)),
    ),
  ])
  return Object.fromEntries(entries)
}

/** The caller's right to a field. */
export function fieldRight(caller: Pick<Caller, 'fieldRights'>, entity: string, field: string): FieldRight {
  return caller.fieldRights[entity]?.[field] ?? 'write'
}

/** Fields that the caller does not see in full, so that filtering and sorting must not reveal them either. */
export function isClear(caller: Pick<Caller, 'fieldRights'>, entity: string, field: string): boolean {
  return FIELD_RIGHTS.indexOf(fieldRight(caller, entity, field)) >= FIELD_RIGHTS.indexOf('read')
}

/** The caller without limits to these fields: for values that the server copies by itself, which are no writing of the caller. */
export function unlimitedFor(caller: Caller, entity: string, names: readonly string[]): Caller {
  const given = caller.fieldRights[entity]
  if (given === undefined) return caller
  const limited = Object.entries(given).filter(([name]) => !names.includes(name))
  return { ...caller, fieldRights: { ...caller.fieldRights, [entity]: Object.fromEntries(limited) } }
}

/** The names of these values, as roles name their fields. */
export const namesInRights = (values: JsonObject): readonly string[] => Object.keys(flatOf(values))

/** Refuses a write of these fields, with a message for each; none: nothing. */
function refuseNotWritten(names: readonly string[]): void {
  if (names.length === 0) return
  const fields = Object.fromEntries(names.map((name) => [name, text('record.field-right')]))
  refuse(405, 'NO_PERMISSION', text('record.field-right'), { fields, detail: names.join() })
}

/** Refuses fields that the caller may not write, whatever their values are: an answer that depends on them would tell of them. */
export function refuseUnwritable(caller: Caller, entity: string, names: readonly string[]): void {
  refuseNotWritten(names.filter((name) => fieldRight(caller, entity, name) !== 'write'))
}

/**
 * The posted fields without those that the caller may not write, provided that these came back unchanged.
 *
 * @param shown  the record as the caller sees it; `{}` for a new one
 * @throws Refusal 405 with a message for each field they tried to change
 */
export function writableFields(
  caller: Caller,
  entity: string,
  given: JsonObject,
  shown: JsonObject = {},
): JsonObject {
  const flat = flatOf(given)
  const flatShown = flatOf(shown)
  const guarded = new Set(Object.keys(flat).filter((field) => fieldRight(caller, entity, field) !== 'write'))
  const changed = [...guarded].filter((field) => !isSameAsShown(flat[field], flatShown[field]))
  refuseNotWritten(changed)
  return Object.fromEntries(
    Object.entries(given)
      .filter(([field]) => !guarded.has(field))
      .map(([field, value]): [string, Json] => [
        field,
        field === OWN && isObject(value) ? unguarded(value, guarded) : (value ?? null),
      ]),
  )
}

/**
 * Errors of a write, worded so that the user knows who can help: a required field that they may not write.
 * Contains only such errors, for fields that were removed from the write.
 *
 * @param labelOf  the label of a field
 */
export function faultsForWriter(
  caller: Pick<Caller, 'fieldRights'>,
  entity: string,
  faults: Readonly<Record<string, string>>,
  labelOf: (field: string) => string,
): Readonly<Record<string, string>> {
  if (caller.fieldRights[entity] === undefined) return faults
  return Object.fromEntries(
    Object.entries(faults).map(([field, message]) => [
      field,
      fieldRight(caller, entity, field) === 'write'
        ? message
        : text('record.required-kept', { label: labelOf(field) }),
    ]),
  )
}

/**
 * The fields with requiredness as it applies to the caller: a field they may not write is not required of them.
 *
 * @param rightOf  the name under which the right to a field is stored; null if the field is required of everybody
 */
export function fieldsForCaller<One extends Pick<Field, 'name' | 'required'>>(
  caller: Pick<Caller, 'fieldRights'>,
  entity: string,
  fields: readonly One[],
  rightOf: (field: One) => string | null,
): readonly One[] {
  if (caller.fieldRights[entity] === undefined) return fields
  return fields.map((field) => {
    const name = rightOf(field)
    return name === null || fieldRight(caller, entity, name) === 'write'
      ? field
      : { ...field, required: false }
  })
}

const OWN = 'ext'

/** Values together with those of the tenant's own fields, under the names used by field rights. */
function flatOf({ ext, ...plain }: JsonObject): JsonObject {
  if (!isObject(ext)) return ext === undefined ? plain : { ...plain, ext }
  return {
    ...plain,
    ...Object.fromEntries(
      Object.entries(ext).map(([name, value]): [string, Json] => [`${OWN}.${name}`, value ?? null]),
    ),
  }
}

const unguarded = (ext: JsonObject, guarded: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(
    Object.entries(ext)
      .filter(([name]) => !guarded.has(`${OWN}.${name}`))
      .map(([name, value]): [string, Json] => [name, value ?? null]),
  )

function isSameAsShown(given: Json | undefined, shown: Json | undefined): boolean {
  const isEmpty = (value: Json | undefined) =>
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  return (isEmpty(given) && isEmpty(shown)) || sameValue(given ?? null, asGiven(shown ?? null, given ?? null))
}

/** Rows as they were shown, with only the columns that are posted back: a form sends the columns it has, not those that the server computed. */
function asGiven(shown: Json, given: Json): Json {
  if (!Array.isArray(shown) || !Array.isArray(given) || shown.length !== given.length) return shown
  return shown.map((row: Json, at) => {
    const back = given[at]
    if (!isObject(row) || !isObject(back)) return row
    return Object.fromEntries(
      Object.entries(row).flatMap(([name, value]): [string, Json][] =>
        Object.hasOwn(back, name) ? [[name, value ?? null]] : [],
      ),
    )
  })
}
