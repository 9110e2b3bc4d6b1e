import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { CommonColumns } from '../../kernel/db/tables.ts'
import type { SearchColumns } from '../../kernel/words/search-columns.ts'

/** Market activity 市场活动 (DOMAIN 1.8). */
export interface ActivityTable extends CommonColumns, Omit<SearchColumns, 'mobile_norm'> {
  name: string
  activity_no: string
  type: string
  start_at: Date
  end_at: Date
  place: Generated<string | null>
  online_url: Generated<string | null>
  lng: Generated<number | null>
  lat: Generated<number | null>
  cover: Generated<Json>
  content: Generated<string | null>
  attachments: Generated<Json>
  budget: Generated<number | null>
  actual_cost: Generated<number | null>
  expected_count: Generated<number | null>
  owner_id: string
  member_ids: Generated<string[]>
  cancelled_at: Generated<Date | null>
  cancel_reason: Generated<string | null>
}

export interface ActivityMemberTable extends Omit<CommonColumns, 'deleted_at' | 'ext'> {
  activity_id: string
  target_type: 'contact' | 'lead'
  target_id: string
  status: Generated<'invited' | 'registered' | 'signed' | 'absent'>
  at: Generated<Date>
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    activity: ActivityTable
    activity_member: ActivityMemberTable
  }
}
