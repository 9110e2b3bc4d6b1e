import { type RawBuilder, sql } from 'kysely'
import { type Caller, type Reach, scopeOf } from '../auth/caller.ts'
import type { CallContext } from '../context/call-context.ts'
import {
  customersOfMine,
  departmentsBelow,
  isInScope,
  isSharedWith,
  membersInScope,
  poolsOf,
  subordinates,
} from './predicate.ts'

/**
 * Resolves, once per reading call, the people and records that the caller's rights cover. The planner then knows how many rows a condition
 * matches, and each table is accessed by its index instead of once per row. Only for reading: a writing call may change them.
 *
 * @param needsTeam  also resolves the users in the caller's scope, which reads all members
 */
export async function withReach(ctx: CallContext, needsTeam = false): Promise<CallContext> {
  const { trx, caller } = ctx
  if (caller.reach !== undefined && (!needsTeam || caller.reach.team !== undefined)) return ctx
  const scopes = new Set(Object.values(caller.scopes))
  const pools = (entity: 'customer' | 'lead' | 'bussiness') =>
    caller.permissions.has(`${entity}_pool:view`) ? idsOf(poolsOf(caller, entity)) : NONE
  const { rows } = await sql<Reach>`select
      ${scopes.has('dept_sub') && caller.deptPath !== null ? idsOf(departmentsBelow(caller, caller.deptPath)) : NONE} as departments,
      ${scopes.has('self_sub') ? idsOf(subordinates(caller)) : NONE} as people,
      ${needsTeam ? sql`${scopeOf(caller, 'customer') === 'all' ? sql`null` : idsOf(membersInScope(caller, 'customer'))} as team,` : sql``}
      ${idsOf(customersOutsideScope(caller))} as customers,
      json_build_object('customer', ${pools('customer')}, 'lead', ${pools('lead')}, 'bussiness', ${pools('bussiness')}) as pools,
      coalesce((select json_agg(json_build_array(entity, record_id, level)) from collaborator
        where ${isSharedWith(caller)}), '[]') as shared`.execute(trx)
  const [reach] = rows
  return reach === undefined ? ctx : { ...ctx, caller: { ...caller, reach } }
}

/** Customers of the caller's own opportunities and contracts that are outside their scope. */
function customersOutsideScope(caller: Caller): RawBuilder<unknown> {
  return sql`select c.id from customer c where c.tenant_id = ${caller.tenantId}
    and c.id = any(array(${customersOfMine(caller)})) and not coalesce(${isInScope(caller, 'customer', 'c')}, false)`
}

const NONE = sql`'{}'::text[]`

function idsOf(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array(${query})`
}
