import { sql } from 'kysely'
import type { OwnRights } from '../auth/permissions.ts'
import type { CallContext } from '../context/call-context.ts'
import type { SalesEntity } from '../context/entities.ts'

/** What people mark: records of the product and of own modules. */
type Marked = SalesEntity | OwnRights

/** Sets or removes the caller's star (关注) on a record; whoever asks has seen to it that they see it. */
export async function setStar(
  entity: Marked,
  record_id: string,
  isOn: boolean,
  { trx, caller }: CallContext,
): Promise<void> {
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
export async function isStarred(entity: Marked, id: string, { trx, caller }: CallContext): Promise<boolean> {
  const { rows } =
    await sql`select 1 from star where tenant_id = ${caller.tenantId} and user_id = ${caller.userId}
    and entity = ${entity} and record_id = ${id}`.execute(trx)
  return rows.length > 0
}

/** Records that the caller opened it, for 最近查看; `pool:<entity>` counts views of a pool. */
export async function rememberView(
  entity: SalesEntity | `pool:${SalesEntity}`,
  id: string,
  { trx, caller, now }: CallContext,
): Promise<void> {
  await trx
    .insertInto('recent_view')
    .values({ tenant_id: caller.tenantId, user_id: caller.userId, entity, record_id: id, viewed_at: now })
    .onConflict((it) =>
      it.columns(['tenant_id', 'user_id', 'entity', 'record_id']).doUpdateSet({ viewed_at: now }),
    )
    .execute()
}
