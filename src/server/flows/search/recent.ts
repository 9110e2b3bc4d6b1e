import { sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { maskOf, maskRow } from '../../kernel/visibility/masking.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'

const MAX_RECENT = 20

/** The records the caller opened last and still sees, newest first (DOMAIN 8.4). */
export async function recentRecords({ trx, caller }: CallContext) {
  const { rows } = await sql<{
    type: string
    sub: string | null
    company: string | null
    owner_id: string | null
  }>`
    select v.record_id as id, v.entity as type,
      coalesce(c.name, l.name, b.name, k.name) as title, coalesce(c.customer_no, b.bussiness_no, kc.name) as sub,
      l.company, l.owner_id,
      case v.entity when 'customer' then '/pages/customer/my/detail?id=' || c.id
        when 'lead' then '/pages/customer/leads/detail?id=' || l.id
        when 'bussiness' then '/pages/bussiness/detail?id=' || b.id
        else '/pages/customer/my/detail?id=' || kc.id end as route
    from recent_view v
    left join customer c on v.entity = 'customer' and c.tenant_id = v.tenant_id and c.id = v.record_id
      and c.owner_id is not null and ${isVisible(caller, 'customer', 'c')}
    left join lead l on v.entity = 'lead' and l.tenant_id = v.tenant_id and l.id = v.record_id
      and l.owner_id is not null and ${isVisible(caller, 'lead', 'l')}
    left join bussiness b on v.entity = 'bussiness' and b.tenant_id = v.tenant_id and b.id = v.record_id
      and b.owner_id is not null and ${isVisible(caller, 'bussiness', 'b')}
    left join contact k on v.entity = 'contact' and k.tenant_id = v.tenant_id and k.id = v.record_id
      and k.deleted_at is null
    left join customer kc on kc.tenant_id = k.tenant_id and kc.id = k.customer_id and kc.owner_id is not null
      and ${isVisible(caller, 'customer', 'kc')}
    where v.tenant_id = ${caller.tenantId} and v.user_id = ${caller.userId}
      and coalesce(c.id, l.id, b.id, kc.id) is not null
    order by v.viewed_at desc limit ${MAX_RECENT}`.execute(trx)
  return {
    list: rows.map(({ company, owner_id, ...row }) =>
      row.type === 'lead'
        ? { ...row, sub: maskRow({ company }, maskOf(caller, 'lead', { owner_id })).company ?? null }
        : row,
    ),
  }
}
