import type { Generated } from 'kysely'
import type { CommonColumns, Money, Optional } from '../../kernel/db/tables.ts'

export interface PaymentTables {
  payment_plan: CommonColumns & {
    contract_id: string
    period_no: number
    plan_amount: Money
    received_amount: Generated<number>
    plan_date: string
    method: Optional<string>
    status: Generated<'unpaid' | 'partial' | 'paid' | 'void'>
  }
  payment: CommonColumns & {
    payment_no: string
    contract_id: string
    plan_id: Optional<string>
    reverses_id: Optional<string>
    amount: Money
    paid_at: string
    method: string
    payer: Optional<string>
    owner_id: string
    owner_dept_id: Optional<string>
    approval_status: Generated<number>
    approver_id: Optional<string>
    approver_ids: Generated<string[]>
  }
  payment_share: { tenant_id: string; payment_id: string; plan_id: string; place: number; amount: Money }
}

declare module '../../kernel/db/tables.ts' {
  interface Tables extends PaymentTables {}
}
