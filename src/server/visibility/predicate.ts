import { type RawBuilder, sql } from 'kysely'
import { type Caller, scopeOf } from '../auth/caller.ts'

/** Entities with an owner (CRM 1.0); a contract has one too, and never a pool. */
export type OwnedEntity = 'customer' | 'lead' | 'bussiness' | 'contract'

type Condition = RawBuilder<boolean>

/**
 * Who sees a row: the one rule for list, detail, search, statistics, duplicates, timeline and export (CRM 2.4).
 * A row in a pool is seen masked, and only by members of the pool.
 *
 * @param row alias of the entity's table in the query
 */
export function isVisible(caller: Caller, entity: OwnedEntity, row: string): Condition {
  const ways = [
    isInScope(caller, entity, row),
    isShared(caller, entity, row, ['read', 'write']),
    ...(entity === 'customer' ? [isCustomerOfMine(caller, row)] : []),
    ...(entity === 'contract' ? [isApprover(caller, row)] : []),
    ...(entity !== 'contract' ? [isInMyPool(caller, entity, row)] : []),
  ]
  return sql<boolean>`(${col(row, 'tenant_id')} = ${caller.tenantId} and ${col(row, 'deleted_at')} is null
    and (${sql.join(ways, sql` or `)}))`
}

/**
 * Who may change a row, given the right to edit at all: owner, superior in scope, or a colleague who shares it for
 * writing; nobody while it lies in a pool.
 *
 * @param permission  the right itself; contacts of a customer ask for their own
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

/** True where the row's owner is in the caller's data scope of that module (CRM 2.2). */
export function isInScope(caller: Caller, entity: OwnedEntity, row: string): Condition {
  const owner = col(row, 'owner_id')
  const dept = col(row, 'owner_dept_id')
  const mine = sql<boolean>`${owner} = ${caller.userId}`
  const scope = scopeOf(caller, entity)
  if (scope === 'all') return sql<boolean>`${owner} is not null`
  if (scope === 'self_sub') return sql<boolean>`${owner} = any(array(${membersInScope(caller, entity)}))`
  if (scope === 'dept_sub' && caller.deptPath !== null)
    return sql<boolean>`(${mine} or ${dept} = any(array(${departmentsBelow(caller, caller.deptPath)})))`
  if (scope === 'dept' && caller.deptId !== null) return sql<boolean>`(${mine} or ${dept} = ${caller.deptId})`
  if (scope === 'dept_custom')
    return sql<boolean>`(${mine} or ${dept} = any(${customDepts(caller, entity)}::text[]))`
  return mine
}

/** The people in the caller's data scope, as a query of user ids: whose work the statistics count (CRM 3). */
export function membersInScope(caller: Caller, entity: OwnedEntity): RawBuilder<{ user_id: string }> {
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

/** Pools of an entity that the caller may look into, as a query of ids. */
export function poolsOf(
  caller: Caller,
  entity: Exclude<OwnedEntity, 'contract'>,
): RawBuilder<{ id: string }> {
  const me = caller.userId
  return sql`select id from pool where tenant_id = ${caller.tenantId} and entity = ${entity} and enabled
    and deleted_at is null and (member_all or ${me} = any(member_user_ids) or ${me} = any(admin_user_ids)
      or ${caller.deptId ?? ''} = any(member_dept_ids))`
}

/** The departments named for the scope `dept_custom` (CRM 2.2). */
function customDepts(caller: Caller, entity: OwnedEntity): string[] {
  return [...(caller.customDepts[entity] ?? caller.customDepts.default ?? [])]
}

function departmentsBelow(caller: Caller, path: string): RawBuilder<{ id: string }> {
  return sql`select id from department where tenant_id = ${caller.tenantId} and starts_with(path, ${path})`
}

/** Down the chain of superiors; a circle ends by itself, because `union` keeps each person once. */
function subordinates(caller: Caller): RawBuilder<{ user_id: string }> {
  return sql`with recursive chain as (
      select ${caller.userId}::text as user_id
      union
      select m.user_id from membership m join chain on m.supervisor_id = chain.user_id
        where m.tenant_id = ${caller.tenantId}
    ) select user_id from chain`
}

function isShared(
  caller: Caller,
  entity: OwnedEntity,
  row: string,
  levels: readonly ('read' | 'write')[],
): Condition {
  return sql<boolean>`${col(row, 'id')} = any(array(select record_id from collaborator
    where tenant_id = ${caller.tenantId} and user_id = ${caller.userId} and entity = ${entity}
      and level = any(${[...levels]}::text[]) and (expire_at is null or expire_at > now())))`
}

/** The customer of an opportunity or contract the caller owns may be read. */
function isCustomerOfMine(caller: Caller, row: string): Condition {
  const mine = sql`tenant_id = ${caller.tenantId} and owner_id = ${caller.userId} and deleted_at is null`
  return sql<boolean>`${col(row, 'id')} = any(array(
    select customer_id from bussiness where ${mine} union select customer_id from contract where ${mine}))`
}

function isApprover(caller: Caller, row: string): Condition {
  return sql<boolean>`(${col(row, 'approver_id')} = ${caller.userId} or ${caller.userId} = any(${col(row, 'approver_ids')}))`
}

function isInMyPool(caller: Caller, entity: Exclude<OwnedEntity, 'contract'>, row: string): Condition {
  if (!caller.permissions.has(`${entity}_pool:view`)) return sql<boolean>`false`
  return sql<boolean>`${col(row, 'pool_id')} = any(array(${poolsOf(caller, entity)}))`
}

function col(row: string, name: string): RawBuilder<unknown> {
  return sql.ref(`${row}.${name}`)
}
