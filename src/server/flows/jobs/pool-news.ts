import { sql } from 'kysely'
import { POOL_ENTITIES } from '../../kernel/context/entities.ts'
import type { JobRun } from '../../kernel/context/job.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { ownLabel, ownPools } from '../../kernel/pools/own-return.ts'
import {
  isPooledRow,
  linkToPooled,
  messageSubject,
  NAMED,
  pooledName,
  pooledTable,
  poolRight,
} from '../../kernel/pools/pooled.ts'

const HOUR_MS = 3_600_000

interface News {
  readonly pool: string
  readonly name: string
  readonly n: number
  readonly names: readonly string[]
  readonly people: readonly string[]
}

/** Records that entered a pool in the last hour, for members who may view it and subscribed to this event (DOMAIN 5 pool.new, off by default). */
export async function notifyOfPoolNews({ trx, tenantId, now }: JobRun): Promise<number> {
  const hour = Math.floor(now.getTime() / HOUR_MS)
  const [from, to] = [new Date((hour - 1) * HOUR_MS), new Date(hour * HOUR_MS)]
  let notified = 0
  for (const entity of [...POOL_ENTITIES, ...(await ownPools({ trx, tenantId }))]) {
    const rights = ['*', poolRight(entity, 'view')]
    const { rows } = await sql<News>`
      select p.id as pool, p.name, count(*) as n,
        (array_agg(${pooledName(entity)} order by r.pool_entered_at))[1:${NAMED}::int] as names,
        array(select s.user_id from message_setting s join membership m on m.tenant_id = s.tenant_id and m.user_id = s.user_id
          where s.tenant_id = p.tenant_id and 'pool.new' = any(s.switched) and (p.member_all
            or s.user_id = any(p.member_user_ids || p.admin_user_ids) or m.dept_id = any(p.member_dept_ids))
          and exists (select 1 from role_assignment a
            join role o on o.tenant_id = a.tenant_id and o.id = a.role_id and o.deleted_at is null
            where a.tenant_id = s.tenant_id and a.user_id = s.user_id and o.permissions ?| ${rights}::text[])) as people
      from pool p join ${pooledTable(entity)} r on r.tenant_id = p.tenant_id and r.pool_id = p.id
      where p.tenant_id = ${tenantId} and p.entity = ${entity} and p.enabled and p.deleted_at is null
        and ${isPooledRow(entity)} and r.owner_id is null and r.deleted_at is null
        and r.pool_entered_at >= ${from} and r.pool_entered_at < ${to}
      group by p.tenant_id, p.id, p.name, p.member_all, p.member_user_ids, p.admin_user_ids, p.member_dept_ids`.execute(
      trx,
    )
    const label = rows.length === 0 ? '' : await ownLabel(entity, { trx, tenantId })
    for (const { pool, name, n, names, people } of rows) {
      const { about, words } = messageSubject(entity, [], label)
      await announce(trx, {
        event: 'pool.new',
        tenantId,
        actorId: null,
        now,
        receivers: people,
        entity: about.entity,
        ids: [],
        params: { ...words, pool: name, count: n, names: names.join('、') },
        link: linkToPooled(entity, pool, []),
        sourceKey: `pool.new/${pool}/${hour}`,
      })
      notified += people.length
    }
  }
  return notified
}
