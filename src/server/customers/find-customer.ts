import { sql } from 'kysely'
import { refuse } from '../envelope.ts'
import type { Asking } from '../records/asking.ts'
import { text } from '../text.ts'
import { isInScope, isVisible, isWritable } from '../visibility/predicate.ts'

/** A customer with what the caller may do with it. */
export interface FoundCustomer {
  readonly id: string
  readonly name: string
  readonly customer_no: string
  readonly version: number
  readonly owner_id: string | null
  readonly level: string
  readonly lock_status: boolean
  readonly deal_status: number
  readonly in_scope: boolean
  readonly can_write: boolean
  readonly [column: string]: unknown
}

/**
 * The customer as it is now; 404 when it does not exist for the caller.
 * @param lock  hold it until the transaction ends, so that nobody changes it meanwhile
 */
export async function findCustomer(id: string, asking: Asking, lock = false): Promise<FoundCustomer> {
  const { trx, caller } = asking
  const { rows } = await sql<FoundCustomer>`
    select c.*, ${isInScope(caller, 'customer', 'c')} as in_scope, ${isWritable(caller, 'customer', 'c')} as can_write
    from customer c where ${isVisible(caller, 'customer', 'c')} and c.id = ${id}
    ${lock ? sql`for update of c` : sql``}`.execute(trx)
  return rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** The customer, held for a change the caller may make; 404 when invisible, 405 when he may only read. */
export async function findForChange(id: string, asking: Asking): Promise<FoundCustomer> {
  const found = await findCustomer(id, asking, true)
  if (!found.can_write) refuse(405, 'NO_PERMISSION', text('call.no-permission'), { detail: 'customer:edit' })
  return found
}
