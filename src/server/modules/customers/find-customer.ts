import type { CallContext } from '../../kernel/context/call-context.ts'
import { type FoundRecord, findRecord, findToChange } from '../../kernel/records/find-record.ts'

/** A customer with what the caller may do with it. */
export interface FoundCustomer extends FoundRecord {
  readonly customer_no: string
  readonly level: string
  readonly lock_status: boolean
  readonly deal_status: number
}

/**
 * The current state of the customer. 404 if the caller does not see it.
 * @param lock  lock it until the transaction ends
 */
export function findCustomer(id: string, ctx: CallContext, lock = false): Promise<FoundCustomer> {
  return findRecord<FoundCustomer>('customer', id, ctx, lock)
}

/** The customer, locked for a change the caller may make. 404 if invisible, 405 if the caller may only read it. */
export function findForChange(id: string, ctx: CallContext): Promise<FoundCustomer> {
  return findToChange<FoundCustomer>('customer', id, ctx)
}
