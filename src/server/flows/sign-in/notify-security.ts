import { sql } from 'kysely'
import type { Trx } from '../../kernel/db/database.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { minuteText } from '../../kernel/time/zone.ts'

/** The account concerned, and the tenant in which the person is notified. */
interface Account {
  readonly userId: string
  readonly tenantId: string
  readonly now: Date
}

/** Tells a person that somebody signed in to their account on a new device; not at the first sign-in ever. */
export async function notifyOfNewDevice(
  trx: Trx,
  sessionId: string,
  deviceId: string,
  account: Account,
): Promise<void> {
  const { rows } = await sql<{ known: boolean; others: boolean }>`select
      exists (select 1 from session where user_id = ${account.userId} and device_id = ${deviceId} and id <> ${sessionId}) as known,
      exists (select 1 from session where user_id = ${account.userId} and id <> ${sessionId}) as others`.execute(
    trx,
  )
  const [found] = rows
  if (found === undefined || found.known || !found.others) return
  await notify(trx, 'account.login_new_device', '/pages/my/setting/index', account)
}

/** Tells a person that their password was changed. */
export function notifyOfPassword(trx: Trx, account: Account): Promise<void> {
  return notify(trx, 'account.password', '/pages/my/setting/password', account)
}

async function notify(
  trx: Trx,
  event: 'account.login_new_device' | 'account.password',
  route: string,
  { userId, tenantId, now }: Account,
): Promise<void> {
  const { rows } = await sql<{
    timezone: string
  }>`select timezone from tenant where id = ${tenantId}`.execute(trx)
  await announce(trx, {
    event,
    tenantId,
    actorId: null,
    now,
    receivers: [userId],
    entity: 'todo',
    ids: [],
    params: { at: minuteText(now, rows[0]?.timezone ?? 'Asia/Shanghai') },
    link: { route, query: {} },
  })
}
