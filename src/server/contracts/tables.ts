import type { Generated } from 'kysely'
import type { DealKind } from './deal-event.ts'

/** Lines of the customer's timeline about contracts and payments, append-only. */
export interface DealEventTable {
  tenant_id: string
  id: string
  customer_id: string
  contract_id: string
  payment_id: string | null
  kind: DealKind
  amount: number
  reason: string | null
  user_id: string | null
  at: Generated<Date>
}

declare module '../db/tables.ts' {
  interface Tables {
    deal_event: DealEventTable
  }
}
