import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { CommonColumns, Optional, OwnedColumns } from '../../kernel/db/tables.ts'
import type { SearchColumns } from '../../kernel/words/search-columns.ts'

export interface CustomerTable extends CommonColumns, OwnedColumns, SearchColumns {
  name: string
  customer_no: string
  short_name: Optional<string>
  customer_type: Optional<string>
  level: Generated<string>
  source: Optional<string>
  activity_id: Optional<string>
  industry: Optional<string>
  industry_path: Generated<string[]>
  scale: Optional<string>
  stage: Optional<string>
  mobile: Optional<string>
  telephone: Optional<string>
  email: Optional<string>
  wechat: Optional<string>
  website: Optional<string>
  credit_code: Optional<string>
  region: Generated<string[]>
  address: Optional<string>
  lng: Optional<number>
  lat: Optional<number>
  coordinate_system: Generated<string>
  parent_id: Optional<string>
  tags: Generated<string[]>
  remark: Optional<string>
  attachments: Generated<Json>
  primary_contact_id: Optional<string>
  deal_status: Generated<number>
  deal_at: Optional<Date>
  deal_count: Generated<number>
  deal_amount: Generated<number>
  received_amount: Generated<number>
  lock_status: Generated<boolean>
  lock_until: Optional<Date>
  website_host: Optional<string>
  dup_allowed: Generated<boolean>
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    customer: CustomerTable
  }
}
