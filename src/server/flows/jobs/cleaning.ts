import { sql } from 'kysely'
import type { JobRun } from '../../kernel/context/job.ts'
import type { Database } from '../../kernel/db/database.ts'
import { DEVICE_DAYS } from '../../kernel/notices/push-later.ts'
import { forgetHealth } from '../../kernel/pages/health.ts'
import { forgetCounts } from '../../kernel/security/shared-limit.ts'

const DAY_MS = 86_400_000
/** Deleted to-dos created by jobs are kept as long as the same day could be planned again. */
const TODO_DAYS = 180

/**
 * Leftovers of signing in: unused captchas, old failures, expired sessions, devices on which nobody is signed in. The last are used to recognise a
 * device.
 */
const FAILURE_DAYS = 1
const SESSION_DAYS = 180

/** Deletes leftovers of signing in. @returns how many sessions were deleted */
export async function cleanLogins(database: Database, at: number): Promise<number> {
  const before = (days: number) => new Date(at - days * DAY_MS)
  await forgetCounts(database, at)
  return database.system(async (trx) => {
    await trx.deleteFrom('captcha').where('expires_at', '<', before(0)).execute()
    await sql`delete from push_subscription p where not exists (select 1 from session s
      where s.user_id = p.user_id and s.device_id = p.device_id and s.revoked_at is null and s.expires_at > ${before(DEVICE_DAYS)})`.execute(
      trx,
    )
    await trx.deleteFrom('login_failure').where('updated_at', '<', before(FAILURE_DAYS)).execute()
    const { numDeletedRows } = await trx
      .deleteFrom('session')
      .where('expires_at', '<', before(SESSION_DAYS))
      .executeTakeFirst()
    return Number(numDeletedRows)
  })
}

/** Deletes old rows that do not accumulate (02:00; others: `expired-rows.ts`). @returns how many to-dos were deleted */
export async function cleanUp({ trx, tenantId, now }: JobRun): Promise<number> {
  await forgetHealth(trx, tenantId, now)
  const before = new Date(now.getTime() - TODO_DAYS * DAY_MS)
  const { numAffectedRows } =
    await sql`delete from todo where tenant_id = ${tenantId} and deleted_at < ${before}`.execute(trx)
  return Number(numAffectedRows)
}
