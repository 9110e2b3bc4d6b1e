import { sql } from 'kysely'
import type { JobRun } from '../../kernel/context/job.ts'
import { announce } from '../../kernel/notices/announce.ts'

const HOUR_MS = 3_600_000

/** Records that entered a pool in the last hour, for members who subscribed to this event (DOMAIN 5 pool.new, off by default). */
export async function notifyOfPoolNews({ trx, tenantId, now }: JobRun): Promise<number> {
  const hour = Math.floor(now.getTime() / HOUR_MS)
  const [from, to] = [new Date((hour - 1) * HOUR_MS), new Date(hour * HOUR_MS)]
  let notified = 0
  for (const entity of ['customer', 'lead', 'bussiness'] as const) {
    const { rows } = await sql<{ pool: string; name: string; n: number; names: string[]; people: string[] }>`
      select p.id as pool, p.name, count(*) as n, (array_agg(r.name order by r.pool_entered_at))[1:5] as names,
        array(select s.user_id from message_setting s join membership m on m.tenant_id = s.tenant_id and m.user_id = s.user_id
          where s.tenant_id = p.tenant_id and 'pool.new' = any(s.switched) and (p.member_all
            or s.user_id = any(p.member_user_ids || p.admin_user_ids) or m.dept_id = any(p.member_dept_ids))) as people
      from pool p join ${sql.table(entity)} r on r.tenant_id = p.tenant_id and r.pool_id = p.id
      where p.tenant_id = ${tenantId} and p.entity = ${entity} and p.enabled and r.owner_id is null and r.deleted_at is null
        and r.pool_entered_at >= ${from} and r.pool_entered_at < ${to}
      group by p.tenant_id, p.id, p.name, p.member_all, p.member_user_ids, p.admin_user_ids, p.member_dept_ids`.execute(
      trx,
    )
    for (const { pool, name, n, names, people } of rows) {
      const route = {
        customer: '/pages/customer/pool/index',
        lead: '/pages/customer/leads-pool/index',
        bussiness: '/pages/bussiness/pool/index',
      }[entity]
      await announce(trx, {
        event: 'pool.new',
        tenantId,
        actorId: null,
        now,
        receivers: people,
        entity,
        ids: [],
        params: { pool: name, count: n, names: names.join('、') },
        link: { route, query: { poolId: pool } },
        sourceKey: `pool.new/${pool}/${hour}`,
      })
      notified += people.length
    }
  }
  return notified
}
