import { sql } from 'kysely'
import { PARENT } from '../../../model/tree.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { labelOfField } from '../../kernel/records/described.ts'
import { lockTree, type Tree } from '../../kernel/records/tree.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'

const LOCK = { lock: 'customer-tree' }

/** Customers as a tree. */
export function customerTree(ctx: CallContext): Tree {
  const { caller } = ctx
  return {
    ...LOCK,
    label: labelOfField('customer', PARENT, ctx),
    record: (
      id,
    ) => sql`select c.id, c.parent_id, ${isVisible(caller, 'customer', 'c')} as visible from customer c
      where c.tenant_id = ${caller.tenantId} and c.id = ${id}`,
    below: (id) =>
      sql`select c.id from customer c where c.tenant_id = ${caller.tenantId} and c.parent_id = ${id}`,
  }
}

/** {@link lockTree} of customers. Take it before any customer is locked, because the foreign key of a new parent locks that row too. */
export const lockCustomerTree = (ctx: Pick<CallContext, 'trx' | 'caller'>): Promise<void> =>
  lockTree(LOCK, ctx)
