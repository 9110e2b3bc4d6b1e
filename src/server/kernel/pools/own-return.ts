import { type RawBuilder, sql } from 'kysely'
import type { ModuleDescription } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import type { OwnRights } from '../auth/permissions.ts'
import type { PoolName } from '../context/entities.ts'
import type { Trx } from '../db/database.ts'
import { isOwnPool, moduleOf } from './pooled.ts'
import type { PoolSettings } from './settings.ts'

/** The transaction and the tenant. */
export interface Place {
  readonly trx: Trx
  readonly tenantId: string
}

type Described = Pick<ModuleDescription, 'behaviours' | 'statuses' | 'fields' | 'convert'>

/** The facts in the description of an own module that decide when its records return to their pool. */
export interface OwnReturn {
  /** Its records have follow-ups; otherwise the last change of a record counts. */
  readonly isFollowed: boolean
  /** Its records can be done; otherwise the rule for records that are not done does not apply. */
  readonly canBeDone: boolean
  /** The field of the status. */
  readonly status: string | null
  /** Final statuses: others lead to them, and they lead nowhere. A record with one is done. */
  readonly ends: readonly string[]
  /** The other statuses, which a pool can exempt from return. */
  readonly others: readonly { readonly value: string; readonly label: string }[]
}

export function ownReturn({ behaviours, statuses, fields, convert }: Described): OwnReturn {
  const options = fields.find(({ name }) => name === statuses?.field)?.options ?? []
  const moves = new Map(Object.entries(statuses?.moves ?? {}))
  const targets = new Set([...moves.values()].flat())
  const isEnd = ({ value }: { readonly value: string }) =>
    targets.has(value) && (moves.get(value) ?? []).length === 0
  return {
    isFollowed: behaviours.includes('follow'),
    canBeDone: statuses !== undefined || convert !== undefined,
    status: statuses?.field ?? null,
    ends: options.filter(isEnd).map(({ value }) => value),
    others: options
      .filter((option) => !isEnd(option))
      .map(({ value, label }) => ({ value, label: labelText(label) })),
  }
}

/** Own modules whose records lie in pools now. */
export async function ownPools({ trx, tenantId }: Place): Promise<readonly OwnRights[]> {
  const { rows } = await sql<{
    entity: OwnRights
  }>`select distinct entity from pool where tenant_id = ${tenantId}
    and entity like 'm.%' and deleted_at is null and crm_own_pooled(tenant_id, substr(entity, 3)) order by entity`.execute(
    trx,
  )
  return rows.map(({ entity }) => entity)
}

/** The current description of an own module; null if the module is deleted. */
export async function readOwn(
  entity: OwnRights,
  { trx, tenantId }: Place,
): Promise<ModuleDescription | null> {
  const { rows } = await sql<{ description: ModuleDescription; isThere: boolean }>`
    select description, kind = 'own' and not deleted as "isThere" from module_override
    where tenant_id = ${tenantId} and name = ${moduleOf(entity)} order by version desc limit 1`.execute(trx)
  return rows[0]?.isThere === true ? rows[0].description : null
}

/** What people call records of an own module, for messages; '' for others, which say it themselves, and for a deleted module. */
export async function ownLabel(entity: PoolName, place: Place): Promise<string> {
  const module = isOwnPool(entity) ? await readOwn(entity, place) : null
  return module === null ? '' : labelText(module.label)
}

/** True if all rules that return records to the pool are off. */
export const hasNoRules = ({
  recycle_no_first_follow_days,
  recycle_no_follow_days,
  recycle_no_deal_days,
}: PoolSettings): boolean =>
  recycle_no_first_follow_days === 0 &&
  recycle_no_deal_days === 0 &&
  Object.values(recycle_no_follow_days).every((days) => days === 0)

/** The settings with the rules that apply to the module; other rules are off. */
export const applicableRules = (
  settings: PoolSettings,
  { isFollowed, canBeDone }: OwnReturn,
): PoolSettings => ({
  ...settings,
  recycle_no_first_follow_days: isFollowed ? settings.recycle_no_first_follow_days : 0,
  recycle_no_deal_days: canBeDone ? settings.recycle_no_deal_days : 0,
})

/** Columns of a record `r` that decide when it returns to its pool. */
export const ownFacts = (
  entity: OwnRights,
  { isFollowed, status, ends }: OwnReturn,
  { exempt_statuses = [] }: PoolSettings,
): RawBuilder<unknown> => {
  const currentStatus = status === null ? sql`null::text` : sql`(r.ext ->> ${status})`
  const last = sql`(select x.followed_at from follow x where x.tenant_id = r.tenant_id and x.record_module = r.module
    and x.record_id = r.id and x.deleted_at is null order by x.followed_at desc, x.id desc limit 1)`
  return sql`r.owner_id, coalesce(r.owner_since, r.created_at) as owner_since, r.obtain_way, null::text as level,
    ${isFollowed ? last : sql`r.updated_at`} as last_follow_at, r.approval_status = 1 as is_locked,
    (coalesce(${currentStatus} = any(${[...ends, ...exempt_statuses]}::text[]), false)
      or exists (select 1 from conversion c where c.tenant_id = r.tenant_id and c.from_entity = ${entity} and c.from_id = r.id)) as is_done,
    false as has_open_bussiness, null::timestamptz as stage_since`
}
