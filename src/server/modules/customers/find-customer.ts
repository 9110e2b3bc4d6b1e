import type { Asking } from '../../kernel/asking/asking.ts'
import { type FoundRecord, findRecord, findToChange } from '../../kernel/records/find-record.ts'

/** A customer with what the caller may do with it. */
export interface FoundCustomer extends FoundRecord {
  readonly customer_no: string
  readonly level: string
  readonly lock_status: boolean
  readonly deal_status: number
}

/**
 * The customer as it is now; 404 when it does not exist for the caller.
 * @param lock  hold it until the transaction ends, so that nobody changes it meanwhile
 */
export function findCustomer(id: string, asking: Asking, lock = false): Promise<FoundCustomer> {
  return findRecord<FoundCustomer>('customer', id, asking, lock)
}

/** The customer, held for a change the caller may make; 404 when invisible, 405 when they may only read. */
export function findForChange(id: string, asking: Asking): Promise<FoundCustomer> {
  return findToChange<FoundCustomer>('customer', id, asking)
}
