import { sql } from 'kysely'
import { SYNC_DAYS } from '../sync/changes.ts'
import type { Turn } from './job.ts'

const DAY_MS = 86_400_000
/** Messages are kept so long (CRM 1.12); what was told is remembered a little longer, so that nothing is told again. */
const MESSAGE_DAYS = 180
const SOURCE_DAYS = 400
/** Deleted to-dos of the jobs stay as long as their day could come again. */
const TODO_DAYS = 180

/** Throws away what is too old (02:00). @returns how many messages went */
export async function cleanUp({ trx, tenantId, now }: Turn): Promise<number> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const { rows } =
    await sql`delete from message where tenant_id = ${tenantId} and created_at < ${before(MESSAGE_DAYS)}
    returning 1`.execute(trx)
  await sql`delete from message_source where tenant_id = ${tenantId} and created_at < ${before(SOURCE_DAYS)}`.execute(
    trx,
  )
  await sql`delete from todo where tenant_id = ${tenantId} and deleted_at < ${before(TODO_DAYS)}`.execute(trx)
  await sql`delete from sync_change where tenant_id = ${tenantId} and at < ${before(SYNC_DAYS)}`.execute(trx)
  return rows.length
}
