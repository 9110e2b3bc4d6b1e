import type { CallContext } from '../../kernel/context/call-context.ts'
import { refreshExpiry as refresh } from '../../kernel/pools/refresh-expiry.ts'

/** Recomputes when a customer returns to the pool (DOMAIN 1.2.4), after a deal, an opportunity or a contract changed. */
export async function refreshExpiry({ trx, caller }: CallContext, customerId: string): Promise<void> {
  await refresh('customer', [customerId], { trx, tenantId: caller.tenantId })
}
