import type { Generated } from 'kysely'
import type { CommonColumns, Optional, OwnedColumns } from '../../kernel/db/tables.ts'
import type { SearchColumns } from '../../kernel/words/search-columns.ts'

export interface LeadTable extends CommonColumns, OwnedColumns, SearchColumns {
  name: string
  company: Optional<string>
  contact_name: Optional<string>
  mobile: Optional<string>
  telephone: Optional<string>
  wechat: Optional<string>
  email: Optional<string>
  position: Optional<string>
  source: Optional<string>
  level: Optional<string>
  industry: Optional<string>
  scale: Optional<string>
  region: Generated<string[]>
  demand: Optional<string>
  budget: Optional<number>
  expected_date: Optional<string>
  status: Generated<number>
  invalid_reason: Optional<string>
  converted_at: Optional<Date>
  converted_by: Optional<string>
  customer_id: Optional<string>
  score: Generated<number>
  remark: Optional<string>
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    lead: LeadTable
  }
}
