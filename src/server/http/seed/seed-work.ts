import { sql } from 'kysely'
import { planDay } from '../../flows/jobs/day-plan.ts'
import { newId } from '../../kernel/db/id.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { text } from '../../kernel/text/text.ts'
import { bulkInsert } from './bulk-insert.ts'
import { commonColumns, type TenantPlan } from './tenant-plan.ts'

const DEMO = 'u-demo'

/**
 * To-dos and messages of the demo day (DOMAIN 6): those that jobs create from the records, and some of `demo`.
 * @param hasDemo  this is the tenant of `demo`
 */
export async function seedWork(plan: TenantPlan, zone: string, hasDemo: boolean): Promise<void> {
  const { trx, tenantId, calendar } = plan
  await planDay({ trx, tenantId, now: calendar.now, zone })
  if (!hasDemo) return
  await bulkInsert(trx, 'todo', ownTodos(plan))
  await seedMessages(plan)
  await seedReport(plan)
}

/** One per section: overdue, today, tomorrow, this week, later, done; one of them repeats. */
function ownTodos(plan: TenantPlan) {
  const { calendar } = plan
  const todo = (title: string, due_at: Date, more: object = {}) => ({
    ...commonColumns(plan, DEMO, calendar.ago(3)),
    title,
    type: 'custom',
    due_at,
    assignee_id: DEMO,
    remind_at: [],
    participant_ids: [],
    priority: 'mid',
    status: 0,
    repeat: 'none',
    repeat_day: null,
    origin: 'manual',
    done_at: null,
    done_by: null,
    done_note: null,
    ...more,
  })
  return [
    todo('整理上周拜访记录', calendar.ago(2)),
    todo('给客户回电确认报价', calendar.ahead(0), { priority: 'high' }),
    todo('准备产品演示材料', calendar.ahead(1)),
    todo('部门周会汇报', calendar.ahead(4), { repeat: 'week' }),
    todo('季度客户回访计划', calendar.ahead(20), { priority: 'low' }),
    todo('提交报销单', calendar.ago(1), {
      status: 1,
      done_at: calendar.ago(1),
      done_by: DEMO,
      done_note: '已提交',
    }),
  ]
}

async function seedMessages({ trx, tenantId, calendar }: TenantPlan): Promise<void> {
  const { rows } = await sql<{
    id: string
    name: string
  }>`select id, name from customer where tenant_id = ${tenantId}
    and owner_id = ${DEMO} and deleted_at is null order by created_at desc, id limit 3`.execute(trx)
  const announcement = { tenantId, actorId: 'u-manager', receivers: [DEMO], entity: 'customer' } as const
  for (const [index, { id, name }] of rows.entries())
    await announce(trx, {
      ...announcement,
      event: index === 1 ? 'follow.by_other' : 'record.assigned',
      now: calendar.ago(index + 1),
      ids: [id],
      params: { by: '周晓燕', names: name, name, content: '' },
    })
  const [first] = rows
  if (first === undefined) return
  await sql`update message set read_at = ${calendar.now} where tenant_id = ${tenantId} and receiver_id = ${DEMO}
    and id = (select id from message where tenant_id = ${tenantId} and receiver_id = ${DEMO} order by created_at limit 1)`.execute(
    trx,
  )
  await sql`insert into notice (tenant_id, id, title, content, status, published_at, created_by, created_at, updated_at)
    values (${tenantId}, 'welcome', '欢迎使用客户管理', '移动端已支持待办、审批与数据看板，欢迎反馈。', 'published',
      ${calendar.ago(1)}, 'u-admin', ${calendar.ago(1)}, ${calendar.ago(1)})`.execute(trx)
}

/** The work report of `demo` for the last week from Monday to Sunday, sent to managers and finance; the superior has read it. */
async function seedReport({ trx, tenantId, calendar }: TenantPlan): Promise<void> {
  const sinceMonday = (new Date(calendar.day(0)).getUTCDay() + 6) % 7
  const from_day = calendar.day(sinceMonday + 7)
  const to_day = calendar.day(sinceMonday + 1)
  const { rows } = await sql<{ author: string; name: string; content: string }>`
    select m.name as author, c.name, f.content from follow f
    join membership m on m.tenant_id = f.tenant_id and m.user_id = f.author_id
    join customer c on c.tenant_id = f.tenant_id and c.id = f.customer_id
    where f.tenant_id = ${tenantId} and f.author_id = ${DEMO} and f.deleted_at is null
      and f.followed_at < ${calendar.dayStart(sinceMonday)}
    order by f.followed_at desc, f.id desc limit 5`.execute(trx)
  const title = text('stats.report.title', { name: rows[0]?.author ?? '', from: from_day, to: to_day })
  const lines = rows.map(({ name, content }) =>
    text('stats.report.follow', { name, content: content.slice(0, 60) }),
  )
  const id = newId(calendar.now.getTime())
  await sql`insert into work_report (tenant_id, id, author_id, kind, from_day, to_day, title, content, sent_at)
    values (${tenantId}, ${id}, ${DEMO}, 'week', ${from_day}::date, ${to_day}::date, ${title}, ${[title, ...lines].join('\n')},
      ${calendar.now})`.execute(trx)
  await sql`insert into work_report_reader (tenant_id, report_id, user_id, read_at)
    select ${tenantId}, ${id}, reader, case when reader = 'u-manager' then ${calendar.now}::timestamptz end
    from unnest(${['u-manager', 'u-director', 'u-finance', 'u-admin']}::text[]) reader`.execute(trx)
}
