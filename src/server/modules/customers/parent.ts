import { sql } from 'kysely'
import type { Asking } from '../../kernel/asking/asking.ts'
import { text } from '../../kernel/text/text.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'

/** Maximum depth of a tree of customers (DOMAIN 1.1). */
export const LEVELS_MOST = 5

/**
 * Locks the trees of the tenant until the transaction ends: of two transactions that move customers, the second sees the result of the first. Take it
 * before any customer is locked, because the foreign key of a new parent locks that row too.
 */
export async function holdTrees({ trx, caller }: Pick<Asking, 'trx' | 'caller'>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`customer-tree/${caller.tenantId}`}, 0))`.execute(
    trx,
  )
}

/**
 * Checks that a customer may be placed below another (DOMAIN 1.1): the other one is visible, there is no circle, and at most five levels.
 * @param id the customer itself; null for a new one
 * @returns a message, or null if it may
 */
export async function parentFault(
  parentId: string,
  id: string | null,
  { trx, caller }: Asking,
): Promise<string | null> {
  await holdTrees({ trx, caller })
  const { rows } = await sql<{ id: string; depth: number; visible: boolean }>`
    with recursive up as (
      select c.id, c.parent_id, 1 as depth, ${isVisible(caller, 'customer', 'c')} as visible from customer c
        where c.tenant_id = ${caller.tenantId} and c.id = ${parentId}
      union all
      select c.id, c.parent_id, up.depth + 1, true from customer c join up on c.id = up.parent_id
        where c.tenant_id = ${caller.tenantId} and up.depth <= ${LEVELS_MOST}
    ) select id, depth, visible from up order by depth`.execute(trx)
  const below = id === null ? 0 : await levelsBelow(id, { trx, caller })
  const isGood =
    rows[0]?.visible === true && rows.every((row) => row.id !== id) && rows.length + 1 + below <= LEVELS_MOST
  return isGood ? null : text('customer.parent')
}

async function levelsBelow(id: string, { trx, caller }: Pick<Asking, 'trx' | 'caller'>): Promise<number> {
  const { rows } = await sql<{ depth: number }>`
    with recursive down as (
      select c.id, 1 as depth from customer c where c.tenant_id = ${caller.tenantId} and c.parent_id = ${id}
      union all
      select c.id, down.depth + 1 from customer c join down on c.parent_id = down.id
        where c.tenant_id = ${caller.tenantId} and down.depth <= ${LEVELS_MOST}
    ) select coalesce(max(depth), 0) as depth from down`.execute(trx)
  return rows[0]?.depth ?? 0
}
