import { isObject, type Json, type JsonObject, ownValue, sameJson } from '../../../../runtime/core/json.ts'
import type { PoolEntity, PoolName } from '../context/entities.ts'
import { isOwnPool } from './pooled.ts'

/** Settings of a pool (DOMAIN 1.2.1); 0 means no limit or "rule off". */
export interface PoolSettings {
  readonly daily_claim_limit: number
  readonly holding_cap: number
  readonly holding_cap_by_user: Readonly<Record<string, number>>
  readonly holding_cap_by_dept: Readonly<Record<string, number>>
  readonly lock_cap: number
  readonly prev_owner_cooldown_days: number
  readonly new_data_cooldown_hours: number
  readonly recycle_no_first_follow_days: number
  /** By level; `default` for levels without an entry. */
  readonly recycle_no_follow_days: Readonly<Record<string, number>>
  readonly recycle_no_deal_days: number
  readonly exempt_deal: boolean
  readonly exempt_open_opportunity: boolean
  readonly release_deal: boolean
  readonly remind_days: number
  readonly masked_fields: readonly string[]
  readonly daily_view_limit: number
  readonly manual_pool_choice: boolean
  /** Pools of own modules: statuses that exempt a record from return. */
  readonly exempt_statuses?: readonly string[]
}

const WAYS = ['mobile', 'mobile2', 'telephone', 'wechat', 'email', 'qq', 'contacts']
const COMMON = {
  holding_cap_by_user: {},
  holding_cap_by_dept: {},
  lock_cap: 0,
  new_data_cooldown_hours: 0,
  exempt_deal: true,
  exempt_open_opportunity: true,
  release_deal: false,
  daily_view_limit: 0,
  manual_pool_choice: true,
}

/** The defaults of DOMAIN 1.2.1. */
export const POOL_DEFAULTS: Readonly<Record<PoolEntity, PoolSettings>> = {
  customer: {
    ...COMMON,
    daily_claim_limit: 10,
    holding_cap: 200,
    lock_cap: 20,
    prev_owner_cooldown_days: 7,
    recycle_no_first_follow_days: 3,
    recycle_no_follow_days: { A: 30, B: 20, default: 15 },
    recycle_no_deal_days: 90,
    remind_days: 3,
    masked_fields: WAYS,
  },
  lead: {
    ...COMMON,
    daily_claim_limit: 20,
    holding_cap: 300,
    prev_owner_cooldown_days: 3,
    recycle_no_first_follow_days: 1,
    recycle_no_follow_days: { default: 7 },
    recycle_no_deal_days: 30,
    remind_days: 1,
    masked_fields: WAYS,
  },
  bussiness: {
    ...COMMON,
    daily_claim_limit: 5,
    holding_cap: 100,
    prev_owner_cooldown_days: 7,
    recycle_no_first_follow_days: 0,
    recycle_no_follow_days: { default: 20 },
    recycle_no_deal_days: 0,
    remind_days: 3,
    masked_fields: ['amount'],
  },
}

/** Pools of own modules have no limits and return no records by default; the fields themselves declare what is masked there. */
const OF_OWN: PoolSettings = {
  ...COMMON,
  daily_claim_limit: 0,
  holding_cap: 0,
  prev_owner_cooldown_days: 0,
  recycle_no_first_follow_days: 0,
  recycle_no_follow_days: {},
  recycle_no_deal_days: 0,
  remind_days: 3,
  masked_fields: [],
  exempt_statuses: [],
}

/** Rules that only pools of the product's modules have. */
const OF_SALES: ReadonlySet<string> = new Set<keyof PoolSettings>([
  'lock_cap',
  'exempt_deal',
  'exempt_open_opportunity',
  'release_deal',
  'masked_fields',
  'daily_view_limit',
])

/** The default settings of a pool. */
export const poolDefaults = (entity: PoolName): PoolSettings =>
  isOwnPool(entity) ? OF_OWN : POOL_DEFAULTS[entity]

/** Bounds of the numbers, both included. */
const MOST: Readonly<Record<string, number>> = {
  daily_claim_limit: 1000,
  holding_cap: 100_000,
  lock_cap: 10_000,
  prev_owner_cooldown_days: 365,
  new_data_cooldown_hours: 720,
  recycle_no_first_follow_days: 365,
  recycle_no_deal_days: 1095,
  remind_days: 30,
  daily_view_limit: 10_000,
}
const MAX_TABLE = 500
const MAX_DAYS = 1095

/** A pool's settings: the stored ones, and the defaults for the others. An invalid stored setting counts as absent. */
export function poolSettingsOf(entity: PoolName, stored: unknown): PoolSettings {
  const entries = Object.entries(poolDefaults(entity)).map(([name, fallback]) => {
    const value = ownValue(stored, name)
    return [name, value !== undefined && isSetting(name, value, fallback) ? value : fallback]
  })
  return Object.fromEntries(entries) as PoolSettings
}

/** Names of posted settings that are unknown or out of bounds. */
export function settingFaults(entity: PoolName, given: JsonObject): readonly string[] {
  const defaults: Readonly<Record<string, unknown>> = { ...poolDefaults(entity) }
  return Object.entries(given)
    .filter(
      ([name, value]) =>
        !Object.hasOwn(defaults, name) ||
        !isSetting(name, value, defaults[name]) ||
        (isOwnPool(entity) && isOfSales(name, value, defaults[name] as Json)),
    )
    .map(([name]) => name)
}

/** True for a setting that pools of own modules cannot change: own records have no levels, and the same number of days applies to all. */
function isOfSales(name: string, value: Json | undefined, fallback: Json): boolean {
  if (name === 'recycle_no_follow_days')
    return Object.keys(value as JsonObject).some((level) => level !== 'default')
  return OF_SALES.has(name) && !sameJson(value, fallback)
}

function isSetting(name: string, value: Json | undefined, fallback: unknown): boolean {
  if (typeof fallback === 'boolean') return typeof value === 'boolean'
  if (typeof fallback === 'number') return isInteger(value, MOST[name] ?? MAX_DAYS)
  if (Array.isArray(fallback))
    return Array.isArray(value) && value.length <= 40 && value.every((it) => typeof it === 'string')
  return (
    isObject(value) &&
    Object.keys(value).length <= MAX_TABLE &&
    Object.values(value).every((it) => isInteger(it, MOST.holding_cap ?? MAX_DAYS))
  )
}

function isInteger(value: Json | undefined, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most
}

/** The rules that recycle records: a change of one of them starts a grace period for all owners (DOMAIN 1.2.3). */
export const RECYCLE_RULES = [
  'recycle_no_first_follow_days',
  'recycle_no_follow_days',
  'recycle_no_deal_days',
  'exempt_deal',
  'exempt_open_opportunity',
  'exempt_statuses',
] as const
