import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { MessageCategory } from '../../../contract/message.ts'

export interface MessageTables {
  message: {
    tenant_id: string
    id: string
    receiver_id: string
    category: MessageCategory
    event: string
    title: string
    content: string
    link: Json
    sender_id: string | null
    read_at: Generated<Date | null>
    group_key: string | null
    merged: Generated<number>
    shown_at: Date
    is_told: Generated<boolean>
    created_at: Date
    deleted_at: Generated<Date | null>
  }
  message_source: { tenant_id: string; source_key: string; created_at: Date }
  message_setting: {
    tenant_id: string
    user_id: string
    switched: string[]
    push_off: Generated<string[]>
    quiet: boolean
    quiet_from: string
    quiet_to: string
    updated_at: Date
  }
}

declare module '../../kernel/db/tables.ts' {
  interface Tables extends MessageTables {}
}
