import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { computeValues, defaultRule } from '../../../model/computed-values.ts'
import type { Field } from '../../../model/description.ts'
import { isFilledIn } from '../../../model/form-fields.ts'
import { INVALID } from '../../../model/kind.ts'
import { isEmpty, readField } from '../../../model/read-record.ts'
import type { CallContext } from '../context/call-context.ts'
import { wallTimeOf } from '../time/zone.ts'
import { AS_WRITTEN, type RecordInRules, userInRules } from './record-in-rules.ts'

/**
 * The default values of a new record: a fixed value, or the result of a rule over the record, for fields that the record does not contain. `now`
 * (when the record was written, not when a phone could send it) and `me` also apply to fields it leaves empty, because no form shows them. The result
 * of a rule that is not valid for the field is dropped.
 */
export function withDefaults(
  given: JsonObject,
  fields: readonly Field[],
  ctx: Pick<CallContext, 'now' | 'writtenAt' | 'zone' | 'caller'>,
  record: RecordInRules = AS_WRITTEN,
): JsonObject {
  const { now, writtenAt = now, zone, caller } = ctx
  const wall = new Date(wallTimeOf(writtenAt, zone)).toISOString().slice(0, 19).replace('T', ' ')
  const usual = fields.flatMap((field): [string, Json][] => {
    const { default: value, kind, name, retired } = field
    if (value === undefined || value === null || isObject(value) || retired === true) return []
    if (isFilledIn(field) ? !isEmpty(given[name]) : Object.hasOwn(given, name)) return []
    if (value === 'now') return [[name, kind === 'day' ? wall.slice(0, 10) : wall]]
    if (value !== 'me') return [[name, value]]
    return [[name, kind === 'users' ? [caller.userId] : caller.userId]]
  })
  return withRules({ ...given, ...Object.fromEntries(usual) }, fields, ctx, record)
}

function withRules(
  given: JsonObject,
  fields: readonly Field[],
  { caller }: Pick<CallContext, 'caller'>,
  { beside, called, toPageRule }: RecordInRules,
): JsonObject {
  const open = fields.flatMap((field) => {
    const rule = defaultRule(field)
    if (rule === undefined || field.retired === true || Object.hasOwn(given, field.name)) return []
    return [{ field, name: called(field.name), rule: toPageRule(rule) }]
  })
  if (open.length === 0) return given
  const named = Object.fromEntries(Object.entries(given).map(([name, value]) => [called(name), value]))
  const values = computeValues(open, { ...beside, ...named }, userInRules(caller))
  const worked = open.flatMap(({ field, name }): [string, Json][] => {
    const value = values[name] ?? null
    return isEmpty(value) || readField(value, field) === INVALID ? [] : [[field.name, value]]
  })
  return { ...given, ...Object.fromEntries(worked) }
}
