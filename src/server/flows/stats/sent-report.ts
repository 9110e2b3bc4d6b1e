import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { reasonOf } from '../../kernel/fields/check-record.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { statReport } from './report.ts'

const MAX_REMARK = 500
const SENT = { column: 'sent_at', type: 'timestamptz', nullable: false } as const

/** POST /mini/report/list: reports sent to me, newest first, and those I sent. */
export const REPORT_LIST: ListSpec = {
  entity: 'work_report',
  row: 'r',
  from: ({ caller }) => sql`work_report r
    join membership m on m.tenant_id = r.tenant_id and m.user_id = r.author_id
    left join work_report_reader mine on mine.tenant_id = r.tenant_id and mine.report_id = r.id and mine.user_id = ${caller.userId}`,
  columns: ({
    caller,
  }) => sql`r.id, r.kind, r.title, r.remark, r.from_day, r.to_day, r.sent_at, m.name as author_name, m.avatar,
    (r.author_id = ${caller.userId} or mine.read_at is not null) as read,
    (select count(*) from work_report_reader x where x.tenant_id = r.tenant_id and x.report_id = r.id) as readers,
    (select count(x.read_at) from work_report_reader x where x.tenant_id = r.tenant_id and x.report_id = r.id) as read_count`,
  visible: ({ caller }) => sql<boolean>`(r.tenant_id = ${caller.tenantId}
    and (r.author_id = ${caller.userId} or mine.user_id is not null))`,
  filters: { kind: { kind: 'code', column: 'kind' }, author_id: { kind: 'code', column: 'author_id' } },
  sorts: { sent_at: SENT },
  defaultSort: [{ by: SENT, dir: 'desc' }],
  tabs: {
    received: { where: () => sql<boolean>`mine.user_id is not null` },
    sent: { where: ({ caller }) => sql<boolean>`r.author_id = ${caller.userId}` },
  },
  defaultTab: 'received',
}

/**
 * POST /mini/report/send: sends the caller's current report of a week or month to their superior and the leader of their
 * department. Sending it again replaces the previous one, which becomes unread again.
 *
 * @param body  `period` of the report, `remark`
 * @throws Refusal 409 if there is nobody to send it to
 */
export async function sendReport(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const period = typeof body.period === 'string' ? body.period : 'week'
  const remark = reasonOf(body, 'remark', MAX_REMARK) ?? ''
  const report = await statReport({ period }, ctx)
  const readers = await superiorsOf(ctx)
  if (readers.length === 0) refuse(409, 'STATE_CONFLICT', text('report.nobody'))
  const kind = period.endsWith('month') ? 'month' : 'week'
  const { rows } = await sql<{ id: string }>`insert into work_report
      (tenant_id, id, author_id, kind, from_day, to_day, title, content, facts, remark, sent_at)
    values (${caller.tenantId}, ${newId(now.getTime())}, ${caller.userId}, ${kind}, ${report.from}::date, ${report.to}::date,
      ${report.title}, ${report.text}, ${JSON.stringify(report.facts)}::jsonb, ${remark}, ${now})
    on conflict (tenant_id, author_id, kind, from_day) do update set to_day = excluded.to_day, title = excluded.title,
      content = excluded.content, facts = excluded.facts, remark = excluded.remark, sent_at = excluded.sent_at returning id`.execute(
    trx,
  )
  const id = rows[0]?.id ?? ''
  await sql`delete from work_report_reader where tenant_id = ${caller.tenantId} and report_id = ${id}`.execute(
    trx,
  )
  await sql`insert into work_report_reader (tenant_id, report_id, user_id)
    select ${caller.tenantId}, ${id}, unnest(${readers.map((reader) => reader.id)}::text[])`.execute(trx)
  await announce(trx, {
    event: 'report.sent',
    tenantId: caller.tenantId,
    actorId: caller.userId,
    now,
    receivers: readers.map((reader) => reader.id),
    entity: 'notice',
    ids: [],
    params: { by: caller.name, title: report.title },
    link: { route: '/pages/stats/report-detail', query: { id } },
  })
  const names = readers.map((reader) => reader.name).join('、')
  return { data: { id, to: names }, recordId: id, detail: { period, to: names } }
}

/** Superior and leader of the department, if active and not the caller. */
async function superiorsOf({
  trx,
  caller,
}: CallContext): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { rows } = await sql<{
    id: string
    name: string
  }>`select distinct s.user_id as id, s.name from membership m
    left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
    join membership s on s.tenant_id = m.tenant_id and s.user_id in (m.supervisor_id, d.leader_id)
    where m.tenant_id = ${caller.tenantId} and m.user_id = ${caller.userId} and s.user_id <> m.user_id
      and s.status = 'enabled' and s.deleted_at is null order by s.name`.execute(trx)
  return rows
}

/** GET /mini/report/detail: a report sent by or to the caller, with who has read it when; opening it marks it as read. */
export async function reportDetail(id: string, ctx: CallContext): Promise<JsonObject> {
  const { trx, caller, now, zone } = ctx
  await sql`update work_report_reader set read_at = ${now} where tenant_id = ${caller.tenantId} and report_id = ${id}
    and user_id = ${caller.userId} and read_at is null`.execute(trx)
  const { rows } =
    await sql<object>`select r.id, r.kind, r.title, r.content, r.facts, r.remark, r.from_day, r.to_day, r.sent_at, r.author_id,
      m.name as author_name, m.avatar from work_report r
    join membership m on m.tenant_id = r.tenant_id and m.user_id = r.author_id
    where r.tenant_id = ${caller.tenantId} and r.id = ${id} and (r.author_id = ${caller.userId} or exists (
      select 1 from work_report_reader x where x.tenant_id = r.tenant_id and x.report_id = r.id and x.user_id = ${caller.userId}))`.execute(
      trx,
    )
  const [record] = rows
  if (record === undefined) refuse(404, 'NOT_FOUND', text('call.not-found'))
  const readers = await sql<object>`select x.user_id as id, m.name, x.read_at from work_report_reader x
    join membership m on m.tenant_id = x.tenant_id and m.user_id = x.user_id
    where x.tenant_id = ${caller.tenantId} and x.report_id = ${id} order by m.name`.execute(trx)
  return { record: wireRow(record, zone), readers: readers.rows.map((row) => wireRow(row, zone)) }
}
