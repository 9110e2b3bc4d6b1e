import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'

/** An event of a contract or of one of its payments. */
export type DealKind =
  | 'contract_approved'
  | 'contract_changed'
  | 'contract_void'
  | 'contract_performed'
  | 'contract_transferred'
  | 'payment_approved'
  | 'payment_reversed'

/** Adds a line to the timeline of the customer (DOMAIN 1.10). Lines are never changed or removed. */
export async function recordDealEvent(
  event: {
    readonly kind: DealKind
    readonly customerId: string
    readonly contractId: string
    readonly paymentId?: string
    /** Yuan. */
    readonly amount: number
    readonly reason?: string | null
  },
  { trx, caller, now }: CallContext,
): Promise<void> {
  await trx
    .insertInto('deal_event')
    .values({
      tenant_id: caller.tenantId,
      id: newId(now.getTime()),
      kind: event.kind,
      customer_id: event.customerId,
      contract_id: event.contractId,
      payment_id: event.paymentId ?? null,
      amount: event.amount,
      reason: event.reason ?? null,
      user_id: caller.userId,
      at: now,
    })
    .execute()
}
