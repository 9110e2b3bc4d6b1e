import { type RawBuilder, sql } from 'kysely'
import { type Caller, type Reach, scopeOf } from '../auth/caller.ts'
import type { OwnRights } from '../auth/permissions.ts'
import type { PoolName } from '../context/entities.ts'
import { columnNamed } from '../db/column.ts'

/** Entities with an owner (DOMAIN 1.0); a contract has one too, and never a pool. */
export type OwnedEntity = 'customer' | 'lead' | 'bussiness' | 'contract'
/** Everything with an owner, including records of a tenant's own modules. */
export type Owned = OwnedEntity | OwnRights

type Condition = RawBuilder<boolean>

/**
 * Visibility of a row: the single rule for list, detail, search, statistics, duplicates, timeline and export (DOMAIN 2.4).
 * A row in a pool is shown masked, and only to members of the pool.
 *
 * @param row  alias of the entity's table in the query
 */
export function isVisible(caller: Caller, entity: OwnedEntity, row: string): Condition {
  const conditions = [
    ...ownedConditions(caller, entity, row),
    ...(entity !== 'contract' ? [isInMyPool(caller, entity, row)] : []),
  ]
  return sql<boolean>`(${isLive(caller, row)} and (${sql.join(conditions, sql` or `)}))`
}

/**
 * {@link isVisible} for rows with an owner: the rule without pools.
 *
 * @param id  the column with the record's id, in a table that stores the record's owner
 */
export function isVisibleOwned(caller: Caller, entity: OwnedEntity, row: string, id = 'id'): Condition {
  const isOwned = sql<boolean>`${isLive(caller, row)} and ${col(row, 'owner_id')} is not null`
  if (scopeOf(caller, entity) === 'all') return sql<boolean>`(${isOwned})`
  return sql<boolean>`(${isOwned} and (${sql.join(ownedConditions(caller, entity, row, id), sql` or `)}))`
}

/** {@link isVisible} for the caller's own rows, which every scope includes. */
export function isOwn(caller: Caller, row: string): Condition {
  return sql<boolean>`(${isLive(caller, row)} and ${col(row, 'owner_id')} = ${caller.userId})`
}

/** {@link isVisible} for rows in pools that the caller belongs to. @param pools  ids of these pools */
export function isInPools(caller: Caller, row: string, pools: readonly string[]): Condition {
  const [only] = pools
  const pool = col(row, 'pool_id')
  const isInPool =
    pools.length === 1 ? sql<boolean>`${pool} = ${only}` : sql<boolean>`${pool} = any(${[...pools]}::text[])`
  return sql<boolean>`(${isLive(caller, row)} and ${col(row, 'owner_id')} is null and ${isInPool})`
}

/** Departments that the caller's data scope includes, in addition to their own rows. */
export function departmentsInScope(
  caller: Caller,
  entity: Owned,
  reach: Reach | undefined,
): readonly string[] {
  const scope = scopeOf(caller, entity)
  if (scope === 'dept_sub' && caller.deptPath !== null) return reach?.departments ?? []
  if (scope === 'dept' && caller.deptId !== null) return [caller.deptId]
  return scope === 'dept_custom' ? [...new Set(customDepts(caller, entity))] : []
}

function ownedConditions(caller: Caller, entity: OwnedEntity, row: string, id = 'id'): readonly Condition[] {
  return [
    isInScope(caller, entity, row),
    isShared(caller, entity, row, ['read', 'write'], id),
    ...(entity === 'customer' ? [isCustomerOfMine(caller, row, id)] : []),
    ...(entity === 'contract' ? [isApprover(caller, row)] : []),
  ]
}

/** True for rows of the caller's tenant that are not deleted. */
export function isLive(caller: Caller, row: string): Condition {
  return sql<boolean>`${col(row, 'tenant_id')} = ${caller.tenantId} and ${col(row, 'deleted_at')} is null`
}

/**
 * A row may be changed, with the permission to edit, by its owner, a superior in scope, or a write collaborator; not while it is in a pool.
 *
 * @param permission  the permission to check; contacts of a customer have a separate one
 */
export function isWritable(
  caller: Caller,
  entity: OwnedEntity,
  row: string,
  permission = `${entity}:edit`,
): Condition {
  if (!caller.permissions.has(permission)) return sql<boolean>`false`
  return sql<boolean>`(${col(row, 'owner_id')} is not null
    and (${isInScope(caller, entity, row)} or ${isShared(caller, entity, row, ['write'])}))`
}

/** True if the row's owner is in the caller's data scope of that module (DOMAIN 2.2). */
export function isInScope(caller: Caller, entity: Owned, row: string): Condition {
  const owner = col(row, 'owner_id')
  const dept = col(row, 'owner_dept_id')
  const mine = sql<boolean>`${owner} = ${caller.userId}`
  const scope = scopeOf(caller, entity)
  if (scope === 'all') return sql<boolean>`${owner} is not null`
  if (scope === 'self_sub')
    return sql<boolean>`${owner} = ${anyOf(caller.reach?.people, membersInScope(caller, entity))}`
  if (scope === 'dept_sub' && caller.deptPath !== null)
    return sql<boolean>`(${mine} or ${dept} = ${anyOf(caller.reach?.departments, departmentsBelow(caller, caller.deptPath))})`
  if (scope === 'dept' && caller.deptId !== null) return sql<boolean>`(${mine} or ${dept} = ${caller.deptId})`
  if (scope === 'dept_custom')
    return sql<boolean>`(${mine} or ${dept} = any(${customDepts(caller, entity)}::text[]))`
  return mine
}

/** The users in the caller's data scope, whose work the statistics count, as a query of user ids (DOMAIN 3). */
export function membersInScope(caller: Caller, entity: Owned): RawBuilder<{ user_id: string }> {
  const scope = scopeOf(caller, entity)
  const people = sql`select user_id from membership where tenant_id = ${caller.tenantId}`
  if (scope === 'all') return sql`${people}`
  if (scope === 'dept_sub' && caller.deptPath !== null)
    return sql`${people} and (user_id = ${caller.userId} or dept_id = any(array(${departmentsBelow(caller, caller.deptPath)})))`
  if (scope === 'dept' && caller.deptId !== null)
    return sql`${people} and (user_id = ${caller.userId} or dept_id = ${caller.deptId})`
  if (scope === 'dept_custom')
    return sql`${people} and (user_id = ${caller.userId} or dept_id = any(${customDepts(caller, entity)}::text[]))`
  if (scope === 'self_sub') return sql`${subordinates(caller)}`
  return sql`${people} and user_id = ${caller.userId}`
}

/** Pools of an entity that the caller may view, as a query of ids. */
export function poolsOf(caller: Caller, entity: PoolName): RawBuilder<{ id: string }> {
  const me = caller.userId
  return sql`select id from pool where tenant_id = ${caller.tenantId} and entity = ${entity} and enabled
    and deleted_at is null and (member_all or ${me} = any(member_user_ids) or ${me} = any(admin_user_ids)
      or ${caller.deptId ?? ''} = any(member_dept_ids))`
}

/** The departments named for the scope `dept_custom` (DOMAIN 2.2). */
function customDepts(caller: Caller, entity: Owned): string[] {
  return [...(caller.customDepts[entity] ?? caller.customDepts.default ?? [])]
}

/** A department and its subdepartments, as a query of ids. */
export function departmentsBelow(caller: Caller, path: string): RawBuilder<{ id: string }> {
  return sql`select id from department where tenant_id = ${caller.tenantId} and starts_with(path, ${path})`
}

/** The caller and their direct and indirect reports; a cycle ends, because `union` keeps each user once. */
export function subordinates(caller: Caller): RawBuilder<{ user_id: string }> {
  return sql`with recursive chain as (
      select ${caller.userId}::text as user_id
      union
      select m.user_id from membership m join chain on m.supervisor_id = chain.user_id
        where m.tenant_id = ${caller.tenantId}
    ) select user_id from chain`
}

/** True for records that are shared with the caller at one of the levels. */
export function isShared(
  caller: Caller,
  entity: Owned,
  row: string,
  levels: readonly ('read' | 'write')[],
  id = 'id',
): Condition {
  const known = caller.reach && sharedIds(caller.reach, entity, levels)
  return isAnyOf(col(row, id), known, sharedWith(caller, entity, levels))
}

/** Records of an entity shared with the caller at one of the levels, as a query of ids. */
export function sharedWith(
  caller: Caller,
  entity: string,
  levels: readonly ('read' | 'write')[],
): RawBuilder<{ record_id: string }> {
  return sql`select record_id from collaborator
      where ${isSharedWith(caller)} and entity = ${entity} and level = any(${[...levels]}::text[])`
}

/** True for rows of `collaborator` that share a record with the caller and have not expired. */
export function isSharedWith(caller: Caller): Condition {
  return sql<boolean>`(tenant_id = ${caller.tenantId} and user_id = ${caller.userId}
    and (expire_at is null or expire_at > now()))`
}

/** Ids of records of an entity that are shared with the caller at one of the levels, as resolved in advance. */
export function sharedIds({ shared }: Reach, entity: Owned, levels: readonly string[]): readonly string[] {
  return shared.filter(([of, , level]) => of === entity && levels.includes(level)).map(([, id]) => id)
}

/** True for customers of opportunities and contracts that the caller owns; they may be read. */
function isCustomerOfMine(caller: Caller, row: string, id: string): Condition {
  return isAnyOf(col(row, id), caller.reach?.customers, customersOfMine(caller))
}

/** Customers of the opportunities and contracts that the caller owns, as a query of ids. */
export function customersOfMine(caller: Caller): RawBuilder<{ customer_id: string }> {
  const mine = sql`tenant_id = ${caller.tenantId} and owner_id = ${caller.userId} and deleted_at is null`
  return sql`select customer_id from bussiness where ${mine} union select customer_id from contract where ${mine}`
}

/**
 * True for rows whose id is among the known ids, or else in the query's result. If the list is empty, the planner knows it and uses the index of the
 * owner; the statement text is the same for all callers.
 */
function isAnyOf(
  column: RawBuilder<unknown>,
  known: readonly string[] | undefined,
  query: RawBuilder<unknown>,
): Condition {
  if (known === undefined) return sql<boolean>`${column} = ${anyOf(known, query)}`
  return sql<boolean>`(cardinality(${[...known]}::text[]) > 0 and ${column} = any(${[...known]}::text[]))`
}

/** `any(…)` of the known ids, or else of the query's result. */
function anyOf(known: readonly string[] | undefined, query: RawBuilder<unknown>): RawBuilder<unknown> {
  return known === undefined ? sql`any(array(${query}))` : sql`any(${[...known]}::text[])`
}

/** True for contracts that the caller approves or has approved. */
export function isApprover(caller: Caller, row: string): Condition {
  return sql<boolean>`(${col(row, 'approver_id')} = ${caller.userId} or ${caller.userId} = any(${col(row, 'approver_ids')}))`
}

function isInMyPool(caller: Caller, entity: Exclude<OwnedEntity, 'contract'>, row: string): Condition {
  if (!caller.permissions.has(`${entity}_pool:view`)) return sql<boolean>`false`
  return sql<boolean>`${col(row, 'pool_id')} = ${anyOf(caller.reach?.pools[entity], poolsOf(caller, entity))}`
}

function col(row: string, name: string): RawBuilder<unknown> {
  return columnNamed(`${row}.${name}`)
}
