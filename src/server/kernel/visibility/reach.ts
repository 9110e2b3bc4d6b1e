import { type RawBuilder, sql } from 'kysely'
import type { Asking } from '../asking/asking.ts'
import { type Caller, type Reach, scopeOf } from '../auth/caller.ts'
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
 * Looks up, once for a reading call, whom and what the caller's rights come down to. The planner then knows how many rows a condition
 * finds, and each table is asked by its index instead of once per row. For reading only: a call that writes may change them on the way.
 *
 * @param needsTeam  the people of their scope as well: all members are read for them
 */
export async function withReach(asking: Asking, needsTeam = false): Promise<Asking> {
  const { trx, caller } = asking
  if (caller.reach !== undefined && (!needsTeam || caller.reach.team !== undefined)) return asking
  const scopes = new Set(Object.values(caller.scopes))
  const pools = (entity: 'customer' | 'lead' | 'bussiness') =>
    caller.permissions.has(`${entity}_pool:view`) ? idsOf(poolsOf(caller, entity)) : NONE
  const { rows } = await sql<Reach>`select
      ${scopes.has('dept_sub') && caller.deptPath !== null ? idsOf(departmentsBelow(caller, caller.deptPath)) : NONE} as departments,
      ${scopes.has('self_sub') ? idsOf(subordinates(caller)) : NONE} as people,
      ${needsTeam ? sql`${scopeOf(caller, 'customer') === 'all' ? sql`null` : idsOf(membersInScope(caller, 'customer'))} as team,` : sql``}
      ${idsOf(foreign(caller))} as customers,
      json_build_object('customer', ${pools('customer')}, 'lead', ${pools('lead')}, 'bussiness', ${pools('bussiness')}) as pools,
      coalesce((select json_agg(json_build_array(entity, record_id, level)) from collaborator
        where ${isSharedWith(caller)}), '[]') as shared`.execute(trx)
  const [reach] = rows
  return reach === undefined ? asking : { ...asking, caller: { ...caller, reach } }
}

/** Customers of the caller's own opportunities and contracts that their scope does not show them anyway. */
function foreign(caller: Caller): RawBuilder<unknown> {
  return sql`select c.id from customer c where c.tenant_id = ${caller.tenantId}
    and c.id = any(array(${customersOfMine(caller)})) and not coalesce(${isInScope(caller, 'customer', 'c')}, false)`
}

const NONE = sql`'{}'::text[]`

function idsOf(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array(${query})`
}
