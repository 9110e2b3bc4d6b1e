import { sql } from 'kysely'
import type { Database } from '../../kernel/db/database.ts'
import { loggedError } from '../../kernel/text/logged-error.ts'

const MAX_MESSAGE = 500
/** For how many days errors of hooks are kept. */
const HOOK_DAYS = 30

/** Records that a job failed, for the operator; the sentence contains no values of rows. */
export async function noteJobFault(
  database: Database,
  { job, tenantId, error, now }: { job: string; tenantId: string | null; error: unknown; now: number },
): Promise<void> {
  const message = loggedError(error).message.slice(0, MAX_MESSAGE)
  await database.system((trx) =>
    sql`insert into job_fault (job, tenant_id, at, message) values (${job}, ${tenantId ?? ''}, ${new Date(now)}, ${message})
      on conflict (job, tenant_id) do update set at = excluded.at, message = excluded.message,
        count = job_fault.count + 1`.execute(trx),
  )
}

/** Records that a check of a page was terminated. */
export async function noteHookFault(
  database: Database,
  { tenantId, page, hook, now }: { tenantId: string; page: string; hook: string; now: number },
): Promise<void> {
  const day = new Date(now)
  await database.system(async (trx) => {
    await sql`insert into hook_fault (tenant_id, page, hook, day) values (${tenantId}, ${page}, ${hook}, ${day}::timestamptz::date)
      on conflict (tenant_id, page, hook, day) do update set count = hook_fault.count + 1`.execute(trx)
    await sql`delete from hook_fault where day < (${day}::timestamptz - make_interval(days => ${HOOK_DAYS}))::date`.execute(
      trx,
    )
  })
}
