import { sql } from 'kysely'
import type { JobRun } from '../../kernel/context/job.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { text } from '../../kernel/text/text.ts'
import { calendarDaysOf, instantsOf, spansOf } from '../../kernel/time/period.ts'
import { wallTimeOf } from '../../kernel/time/zone.ts'

interface Week {
  readonly user_id: string
  readonly follows: number
  readonly customers: number
  readonly contracts: number
}

/** Monday: tells everybody who was active last week that the draft of a report is ready to be copied (DOMAIN 5). */
export async function notifyOfWeekReport({ trx, tenantId, now, zone }: JobRun): Promise<number> {
  const week = spansOf('last_week', wallTimeOf(now, zone)).current
  const { from, to } = instantsOf(week, zone)
  const days = calendarDaysOf(week)
  const { rows } = await sql<Week>`select * from (select m.user_id,
      (select count(*) from follow f where f.tenant_id = m.tenant_id and f.author_id = m.user_id and f.deleted_at is null
        and f.source <> 'system' and f.followed_at >= ${from} and f.followed_at < ${to}) as follows,
      (select count(*) from customer c where c.tenant_id = m.tenant_id and c.deleted_at is null
        and c.created_at >= ${from} and c.created_at < ${to} and c.first_owner_id = m.user_id) as customers,
      (select count(*) from contract k where k.tenant_id = m.tenant_id and k.owner_id = m.user_id and k.deleted_at is null
        and k.approval_status = 2 and k.revision_of is null and k.sign_date >= ${days.from}::date and k.sign_date < ${days.to}::date) as contracts
    from membership m where m.tenant_id = ${tenantId} and m.status = 'enabled' and m.deleted_at is null) w
    where follows + customers + contracts > 0 order by user_id`.execute(trx)
  for (const { user_id, follows, customers, contracts } of rows)
    await announce(trx, {
      event: 'report.week',
      tenantId,
      actorId: null,
      now,
      receivers: [user_id],
      entity: 'notice',
      ids: [],
      params: { summary: text('stats.report.summary', { follows, customers, contracts }) },
      link: { route: '/pages/stats/report', query: { period: 'last_week' } },
      sourceKey: `report.week/${days.from}`,
    })
  return rows.length
}
