import type { Generated } from 'kysely'
import type { CommonColumns, Money, Optional } from '../../kernel/db/tables.ts'
import type { DealKind } from './deal-event.ts'

export interface ContractTable extends CommonColumns {
  contract_no: string
  name: string
  customer_id: string
  bussiness_id: Optional<string>
  type: string
  amount: Money
  sign_date: string
  start_date: Optional<string>
  end_date: Optional<string>
  payment_terms: Optional<string>
  owner_id: string
  owner_dept_id: Optional<string>
  approval_status: Generated<number>
  approver_id: Optional<string>
  approver_ids: Generated<string[]>
  perform_status: Generated<number>
  received_amount: Generated<number>
  revision_of: Optional<string>
  revision_no: Generated<number>
  stat_amount: Money
  void_reason: Optional<string>
  remark: Optional<string>
}

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

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    contract: ContractTable
    deal_event: DealEventTable
  }
}
