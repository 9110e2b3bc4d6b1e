import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { CommonColumns } from '../../kernel/db/tables.ts'

/** The type of record that a follow-up is about (DOMAIN 1.10). */
export type FollowTarget = 'customer' | 'lead' | 'bussiness' | 'contract' | 'contact' | OwnTarget
/** A module of the tenant, by the path of its calls. */
export type OwnTarget = `m/${string}`

export interface FollowTable extends CommonColumns {
  target_type: FollowTarget
  target_id: string
  customer_id: Generated<string | null>
  lead_id: Generated<string | null>
  bussiness_id: Generated<string | null>
  contract_id: Generated<string | null>
  record_module: Generated<string | null>
  record_id: Generated<string | null>
  contact_ids: Generated<string[]>
  method: string
  content: string
  result: Generated<string | null>
  followed_at: Date
  next_follow_at: Generated<Date | null>
  next_plan: Generated<string | null>
  stage_change: Generated<Json>
  images: Generated<Json>
  files: Generated<Json>
  audio: Generated<Json>
  location: Generated<Json>
  call: Generated<Json>
  mention_ids: Generated<string[]>
  source: Generated<'manual' | 'call' | 'visit' | 'convert' | 'system'>
  comment_count: Generated<number>
  author_id: string
}

export interface FollowCommentTable extends CommonColumns {
  follow_id: string
  reply_to_id: Generated<string | null>
  content: string
  mention_ids: Generated<string[]>
  author_id: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    follow: FollowTable
    follow_comment: FollowCommentTable
    phone_call: {
      tenant_id: string
      id: string
      user_id: string
      target_type: FollowTarget
      target_id: string
      contact_id: string | null
      phone: string
      started_at: Date
      follow_id: string | null
    }
    follow_like: { tenant_id: string; follow_id: string; user_id: string; created_at: Date }
  }
}
