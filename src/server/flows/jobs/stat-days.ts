import { sql } from 'kysely'
import type { JobRun } from '../../kernel/context/job.ts'

/** Recomputes the tenant's daily sums (03:00), which also merges the day's increments. @returns 0: no items are created */
export async function rebuildStatDays({ trx, tenantId }: JobRun): Promise<number> {
  await sql`select crm_stat_day_rebuild(${tenantId})`.execute(trx)
  return 0
}
