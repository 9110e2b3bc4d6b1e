import { sql } from 'kysely'
import type { Asking } from '../asking/asking.ts'
import type { SalesEntity } from '../asking/entities.ts'
import { findRecord } from './find-record.ts'

/** Sets or removes the caller's star (关注) on a record they see. */
export async function setStar(entity: SalesEntity, id: string, isOn: boolean, asking: Asking): Promise<void> {
  const { trx, caller } = asking
  const { id: record_id } = await findRecord(entity, id, asking)
  const key = { tenant_id: caller.tenantId, user_id: caller.userId, entity, record_id }
  if (isOn) {
    await trx
      .insertInto('star')
      .values(key)
      .onConflict((it) => it.doNothing())
      .execute()
    return
  }
  await sql`delete from star where tenant_id = ${key.tenant_id} and user_id = ${key.user_id} and entity = ${entity}
    and record_id = ${record_id}`.execute(trx)
}

/** True when the caller starred it. */
export async function isStarred(entity: SalesEntity, id: string, { trx, caller }: Asking): Promise<boolean> {
  const { rows } =
    await sql`select 1 from star where tenant_id = ${caller.tenantId} and user_id = ${caller.userId}
    and entity = ${entity} and record_id = ${id}`.execute(trx)
  return rows.length > 0
}

/** Records that the caller opened it, for 最近查看; `pool:<entity>` counts views of a pool. */
export async function rememberView(
  entity: SalesEntity | `pool:${SalesEntity}`,
  id: string,
  { trx, caller, now }: Asking,
): Promise<void> {
  await trx
    .insertInto('recent_view')
    .values({ tenant_id: caller.tenantId, user_id: caller.userId, entity, record_id: id, viewed_at: now })
    .onConflict((it) =>
      it.columns(['tenant_id', 'user_id', 'entity', 'record_id']).doUpdateSet({ viewed_at: now }),
    )
    .execute()
}
