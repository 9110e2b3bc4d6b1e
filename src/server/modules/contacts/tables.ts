import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { CommonColumns, Optional } from '../../kernel/db/tables.ts'
import type { SearchColumns } from '../../kernel/words/search-columns.ts'

export interface ContactTable extends CommonColumns, Omit<SearchColumns, 'name_norm'> {
  customer_id: string
  name: string
  mobile: Optional<string>
  mobile2: Optional<string>
  telephone: Optional<string>
  wechat: Optional<string>
  email: Optional<string>
  qq: Optional<string>
  gender: Optional<string>
  department: Optional<string>
  position: Optional<string>
  role: Optional<string>
  is_key: Generated<boolean>
  is_primary: Generated<boolean>
  attitude: Optional<string>
  report_to_id: Optional<string>
  birthday: Optional<string>
  birthday_lunar: Generated<boolean>
  hobby: Optional<string>
  region: Generated<string[]>
  address: Optional<string>
  status: Generated<'active' | 'left'>
  leave_reason: Optional<string>
  next_follow_at: Optional<Date>
  last_follow_at: Optional<Date>
  last_follow_by: Optional<string>
  last_follow_content: Optional<string>
  remark: Optional<string>
  attachments: Generated<Json>
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    contact: ContactTable
  }
}
