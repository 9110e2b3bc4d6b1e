import { sql } from 'kysely'
import type { Turn } from '../../kernel/asking/job.ts'
import { oldestMark } from '../../kernel/records/recycle-bin.ts'

/** Records one run takes; what is left waits a day. */
const BATCH = 5_000

/**
 * Records of a tenant's own modules that nobody can bring back any more go for good, with what was written about them. Those of the
 * product's modules stay: numbers of the past count them.
 * @returns how many went
 */
export async function emptyBins({ trx, tenantId, now }: Turn): Promise<number> {
  const { rows } = await sql<{ module: string; id: string }>`select module, id from record
    where tenant_id = ${tenantId} and deleted_at < ${oldestMark({ now })}
    order by deleted_at limit ${BATCH} for update skip locked`.execute(trx)
  if (rows.length === 0) return 0
  const gone = sql`(select * from unnest(${rows.map(({ module }) => module)}::text[], ${rows.map(({ id }) => id)}::text[]))`
  const follows = sql`(select f.id from follow f where f.tenant_id = ${tenantId}
    and (f.record_module, f.record_id) in ${gone})`
  await sql`update phone_call set follow_id = null where tenant_id = ${tenantId} and follow_id in ${follows}`.execute(
    trx,
  )
  await sql`delete from follow_comment where tenant_id = ${tenantId} and follow_id in ${follows}`.execute(trx)
  await sql`delete from follow where tenant_id = ${tenantId} and (record_module, record_id) in ${gone}`.execute(
    trx,
  )
  await sql`delete from record where tenant_id = ${tenantId} and (module, id) in ${gone}`.execute(trx)
  return rows.length
}
