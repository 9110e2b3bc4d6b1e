import type { Generated } from 'kysely'

/** The target of a person or department for a month. */
export interface TargetTables {
  sales_target: {
    tenant_id: string
    object_type: 'user' | 'dept'
    object_id: string
    month: string
    contract_amount: Generated<number>
    payment_amount: Generated<number>
  }
}

declare module '../../kernel/db/tables.ts' {
  interface Tables extends TargetTables {}
}
