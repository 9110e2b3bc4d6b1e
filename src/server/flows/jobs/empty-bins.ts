import { sql } from 'kysely'
import type { JobRun } from '../../kernel/context/job.ts'
import { oldestMark } from '../../kernel/records/recycle-bin.ts'

/** Maximum records per run; the rest waits a day. */
const BATCH = 5_000

/**
 * Permanently deletes records of a tenant's own modules that can no longer be restored, with their follow-ups and history. Those of the
 * product's modules stay, because statistics of the past count them.
 *
 * @returns how many were deleted
 */
export async function emptyBins({ trx, tenantId, now }: JobRun): Promise<number> {
  const { rows } = await sql<{ module: string; id: string }>`select module, id from record
    where tenant_id = ${tenantId} and deleted_at < ${oldestMark({ now })}
    order by deleted_at limit ${BATCH} for update skip locked`.execute(trx)
  if (rows.length === 0) return 0
  const deletedRows = sql`(select * from unnest(${rows.map(({ module }) => module)}::text[], ${rows.map(({ id }) => id)}::text[]))`
  const follows = sql`(select f.id from follow f where f.tenant_id = ${tenantId}
    and (f.record_module, f.record_id) in ${deletedRows})`
  await sql`update phone_call set follow_id = null where tenant_id = ${tenantId} and follow_id in ${follows}`.execute(
    trx,
  )
  await sql`delete from follow_comment where tenant_id = ${tenantId} and follow_id in ${follows}`.execute(trx)
  await sql`delete from follow where tenant_id = ${tenantId} and (record_module, record_id) in ${deletedRows}`.execute(
    trx,
  )
  const marks = sql`(select 'm.' || module, id from unnest(${rows.map(({ module }) => module)}::text[],
    ${rows.map(({ id }) => id)}::text[]) as gone(module, id))`
  for (const table of ['star', 'collaborator'] as const)
    await sql`delete from ${sql.table(table)} where tenant_id = ${tenantId} and (entity, record_id) in ${marks}`.execute(
      trx,
    )
  await sql`delete from record where tenant_id = ${tenantId} and (module, id) in ${deletedRows}`.execute(trx)
  return rows.length
}
