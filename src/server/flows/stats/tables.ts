import type { Generated } from 'kysely'

/** What a person or department is to reach in a month. */
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
