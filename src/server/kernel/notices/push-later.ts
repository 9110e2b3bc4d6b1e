import { sql } from 'kysely'
import type { Trx } from '../db/database.ts'

/** Tells every server that there are messages to push to devices. */
export const PUSH_CHANNEL = 'crm_push'

/** For how long a device still receives push messages after its session expired: not opening the app is not a sign-out. */
export const DEVICE_DAYS = 14

/**
 * Queues messages for push to the devices of their receivers, except groups that they do not want pushed; sent when `trx` commits (flows/push). A
 * message that is already queued is sent with its new text.
 */
export async function pushLater(trx: Trx, tenantId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql`insert into push_task (tenant_id, subscription_id, message_id)
    select g.tenant_id, s.id, g.id from message g
    join push_subscription s on s.tenant_id = g.tenant_id and s.user_id = g.receiver_id
    left join message_setting t on t.tenant_id = g.tenant_id and t.user_id = g.receiver_id
    where g.tenant_id = ${tenantId} and g.id = any(${[...ids]}::text[]) and g.is_told
      and not g.category = any(coalesce(t.push_off, '{}'))
    on conflict (tenant_id, subscription_id, message_id)
      do update set due_at = now(), attempts = 0, taken_until = null
    returning 1`.execute(trx)
  if (rows.length > 0) await sql`select pg_notify(${PUSH_CHANNEL}, '')`.execute(trx)
}
