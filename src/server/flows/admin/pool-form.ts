import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminPool } from '../../../contract/admin.ts'
import type { PoolName } from '../../kernel/context/entities.ts'
import { isOwnPool } from '../../kernel/pools/pooled.ts'
import { invalid } from './input.ts'

/** Settings that are tables, with the name of the number in their rows. */
const TABLES: Readonly<Record<string, string>> = {
  recycle_no_follow_days: 'days',
  holding_cap_by_user: 'cap',
  holding_cap_by_dept: 'cap',
}

/** Own records have no levels: their days are one number in the form. */
const DAYS_OF_ALL = 'no_follow_days'
const DAYS = 'recycle_no_follow_days'
/** Only own records have statuses that a pool spares. */
const STATUSES = 'exempt_statuses'

/** A pool and its settings in the form's shape: tables as rows `{ key, days }` or `{ key, cap }`. */
export function poolForm(pool: AdminPool, settings: Json | undefined): JsonObject {
  const entries = Object.entries(isObject(settings) ? settings : {}).map(([name, value]): [string, Json] => {
    const number = TABLES[name]
    if (number === undefined || !isObject(value)) return [name, value ?? null]
    return [name, Object.entries(value).map(([key, it]) => ({ key, [number]: it ?? null }))]
  })
  const { name, enabled, is_default, member_all, member_user_ids, member_dept_ids, admin_user_ids } = pool
  const people = {
    member_user_ids: [...member_user_ids],
    member_dept_ids: [...member_dept_ids],
    admin_user_ids: [...admin_user_ids],
  }
  const days = isObject(settings) ? settings[DAYS] : undefined
  const ofAll = isOwnPool(pool.entity) && isObject(days) ? { [DAYS_OF_ALL]: days.default ?? null } : {}
  return { name, enabled, is_default, member_all, ...people, ...Object.fromEntries(entries), ...ofAll }
}

/** Settings from the form; a table may be given as rows or in its stored shape. */
export function settingsOfForm(given: Json | undefined, entity: PoolName): Json {
  if (!isObject(given)) return invalid('settings')
  const { [DAYS_OF_ALL]: ofAll, [STATUSES]: spared, ...rest } = given
  const ofOwn = {
    ...(ofAll === undefined ? {} : { [DAYS]: daysOfAll(ofAll) }),
    ...(spared === undefined ? {} : { [STATUSES]: spared === '' ? [] : spared }),
  }
  const days = isOwnPool(entity) ? ofOwn : {}
  const entries = Object.entries({ ...rest, ...days }).map(([name, value]): [string, Json] => [
    name,
    TABLES[name] !== undefined && Array.isArray(value)
      ? tableOf(value, TABLES[name], `settings.${name}`)
      : (value ?? null),
  ])
  return Object.fromEntries(entries)
}

const daysOfAll = (days: Json): Json => (days === null || days === '' ? {} : { default: days })

function tableOf(rows: readonly Json[], number: string, at: string): Json {
  const entries = rows.flatMap((row): [string, Json][] => {
    if (!isObject(row)) return invalid(at)
    const { key } = row
    if (typeof key !== 'string' || key === '') return []
    return [[key, row[number] ?? null]]
  })
  return Object.fromEntries(entries)
}
