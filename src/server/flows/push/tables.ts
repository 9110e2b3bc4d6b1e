export interface PushTables {
  push_key: { only_one: boolean; public_key: string; sealed: string; created_at: Date }
  push_subscription: {
    tenant_id: string
    id: string
    user_id: string
    device_id: string
    endpoint: string
    p256dh: string
    auth: string
    created_at: Date
  }
  push_task: {
    tenant_id: string
    subscription_id: string
    message_id: string
    due_at: Date
    taken_until: Date | null
    attempts: number
    created_at: Date
  }
}

declare module '../../kernel/db/tables.ts' {
  interface Tables extends PushTables {}
}
