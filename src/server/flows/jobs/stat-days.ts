import { sql } from 'kysely'
import type { Turn } from '../../kernel/asking/job.ts'

/** Counts the tenant's daily sums again (03:00), and so puts the day's additions together. @returns 0: nothing is made */
export async function rebuildStatDays({ trx, tenantId }: Turn): Promise<number> {
  await sql`select crm_stat_day_rebuild(${tenantId})`.execute(trx)
  return 0
}
