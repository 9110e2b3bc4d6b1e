import { sql } from 'kysely'
import type { Trx } from '../db/database.ts'

/** A tenant a person belongs to, as `tenant/list` gives it. */
export interface TenantChoice {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly logo: string
  readonly role: string
  readonly status: 'normal' | 'disabled' | 'expired'
  readonly expireAt: string | null
}

/** The person's enabled memberships, beginning with the one to open first: the last used, then the default. Needs `database.system`. */
export async function tenantsOf(trx: Trx, userId: string, now: number): Promise<readonly TenantChoice[]> {
  const rows = await trx
    .selectFrom('membership as m')
    .innerJoin('tenant as t', 't.id', 'm.tenant_id')
    .leftJoin('role_assignment as a', (join) =>
      join.onRef('a.tenant_id', '=', 'm.tenant_id').onRef('a.user_id', '=', 'm.user_id'),
    )
    .leftJoin('role as r', (join) =>
      join.onRef('r.tenant_id', '=', 'a.tenant_id').onRef('r.id', '=', 'a.role_id'),
    )
    .select(['t.id', 't.code', 't.name', 't.logo', 't.status', 't.expire_at', 'r.name as role'])
    .where('m.user_id', '=', userId)
    .where('m.status', '=', 'enabled')
    .where('m.deleted_at', 'is', null)
    .orderBy('m.last_used_at', (order) => order.desc().nullsLast())
    .orderBy('m.is_default', 'desc')
    .orderBy('t.id')
    .orderBy('r.sort')
    .execute()
  const choices = new Map<string, TenantChoice>()
  for (const { expire_at, role, ...row } of rows) {
    const known = choices.get(row.id)
    const over = expire_at !== null && expire_at.getTime() <= now
    choices.set(row.id, {
      ...row,
      status: over ? 'expired' : row.status,
      expireAt: expire_at?.toISOString().slice(0, 10) ?? null,
      role: [known?.role, role].filter(Boolean).join('、'),
    })
  }
  return [...choices.values()]
}

/** The number of unread messages of a person in each of their tenants. Needs `database.system`. */
export async function unreadPerTenant(
  trx: Trx,
  userId: string,
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ tenant_id: string; n: number }>`select tenant_id, count(*) as n from message
    where tenant_id in (select tenant_id from membership where user_id = ${userId} and status = 'enabled')
      and receiver_id = ${userId} and read_at is null and deleted_at is null
      and (is_told or shown_at <= ${new Date(now)}) group by tenant_id`.execute(trx)
  return new Map(rows.map((row) => [row.tenant_id, row.n]))
}
