import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { CommonColumns, Money, Optional, OwnedColumns } from '../../kernel/db/tables.ts'
import type { SearchColumns } from '../../kernel/words/search-columns.ts'

export interface BussinessTable extends CommonColumns, OwnedColumns, Omit<SearchColumns, 'mobile_norm'> {
  name: string
  bussiness_no: string
  customer_id: string
  contact_ids: Generated<string[]>
  contact_roles: Generated<Json>
  amount: Money
  expected_date: string
  stage_id: string
  win_rate: Generated<number>
  source: Optional<string>
  type: Optional<string>
  status: Generated<number>
  lose_reason: Optional<string>
  closed_at: Optional<Date>
  stage_since: Generated<Date>
  remark: Optional<string>
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    bussiness: BussinessTable
  }
}
