import { sql } from 'kysely'
import type { Asking } from '../records/asking.ts'
import { findCustomer } from './find-customer.ts'

/** Sets or takes the caller's star (关注). */
export async function setStar(id: string, isOn: boolean, asking: Asking): Promise<void> {
  const { trx, caller } = asking
  const { id: record_id } = await findCustomer(id, asking)
  const key = { tenant_id: caller.tenantId, user_id: caller.userId, entity: 'customer', record_id }
  if (isOn) {
    await trx
      .insertInto('star')
      .values(key)
      .onConflict((it) => it.doNothing())
      .execute()
    return
  }
  await sql`delete from star where tenant_id = ${key.tenant_id} and user_id = ${key.user_id} and entity = 'customer'
    and record_id = ${record_id}`.execute(trx)
}

/** True when the caller starred it. */
export async function isStarred(id: string, { trx, caller }: Asking): Promise<boolean> {
  const { rows } =
    await sql`select 1 from star where tenant_id = ${caller.tenantId} and user_id = ${caller.userId}
    and entity = 'customer' and record_id = ${id}`.execute(trx)
  return rows.length > 0
}

/** Remembers that the caller opened it, for 最近查看. */
export async function rememberView(id: string, { trx, caller, now }: Asking): Promise<void> {
  await trx
    .insertInto('recent_view')
    .values({
      tenant_id: caller.tenantId,
      user_id: caller.userId,
      entity: 'customer',
      record_id: id,
      viewed_at: now,
    })
    .onConflict((it) =>
      it.columns(['tenant_id', 'user_id', 'entity', 'record_id']).doUpdateSet({ viewed_at: now }),
    )
    .execute()
}
