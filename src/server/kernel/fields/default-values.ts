import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { isFilledIn } from '../../../model/form-fields.ts'
import { isEmpty } from '../../../model/read-record.ts'
import type { Asking } from '../asking/asking.ts'
import { wallTimeOf } from '../time/zone.ts'

/**
 * What a new record is given with the defaults of its fields: a value where it says nothing of the field; `now` and `me` also where it leaves
 * it empty, for no form shows them. A rule is worked out by the form.
 */
export function withDefaults(
  given: JsonObject,
  fields: readonly Field[],
  { now, zone, caller }: Pick<Asking, 'now' | 'zone' | 'caller'>,
): JsonObject {
  const wall = new Date(wallTimeOf(now, zone)).toISOString().slice(0, 19).replace('T', ' ')
  const usual = fields.flatMap((field): [string, Json][] => {
    const { default: value, kind, name, retired } = field
    if (value === undefined || value === null || isObject(value) || retired === true) return []
    if (isFilledIn(field) ? !isEmpty(given[name]) : Object.hasOwn(given, name)) return []
    if (value === 'now') return [[name, kind === 'day' ? wall.slice(0, 10) : wall]]
    if (value !== 'me') return [[name, value]]
    return [[name, kind === 'users' ? [caller.userId] : caller.userId]]
  })
  return { ...given, ...Object.fromEntries(usual) }
}
