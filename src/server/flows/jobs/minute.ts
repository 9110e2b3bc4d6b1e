import { sql } from 'kysely'
import type { JobRun } from '../../kernel/context/job.ts'
import { notifyPeople } from '../../kernel/live/notify.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { pushLater } from '../../kernel/notices/push-later.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'
import { nextReminder } from '../../modules/todos/due.ts'
import type { FoundTodo } from '../../modules/todos/find-todo.ts'
import { repeatTodo } from '../../modules/todos/repeat.ts'
import { titleOf } from '../../modules/todos/todo-row.ts'
import { planFollows } from './day-plan.ts'
import { planTodos } from './plan-todos.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** A follow-up within this time gets its to-do at once, so that its reminder 15 minutes before is in time. */
const NEAR_MS = 20 * MINUTE_MS
/** Maximum to-dos per run; the rest waits a minute. */
const BATCH = 500

/** Due reminders: one message each, then the to-do waits for its next reminder (DOMAIN 1.11). */
export async function remind({ trx, tenantId, now, zone }: JobRun): Promise<number> {
  const { rows } = await sql<
    FoundTodo & { remind_next: Date }
  >`select t.*, null::text as approval_id from todo t
    where t.tenant_id = ${tenantId} and t.remind_next <= ${now} and t.status = 0 and t.deleted_at is null
    order by t.remind_next, t.id limit ${BATCH} for update skip locked`.execute(trx)
  for (const todo of rows) {
    await announce(trx, {
      event: 'todo.due',
      tenantId,
      actorId: null,
      now,
      receivers: [todo.assignee_id, ...todo.participant_ids],
      entity: 'todo',
      ids: [todo.id],
      params: { title: titleOf(todo), at: dateTimeText(todo.due_at, zone).slice(5, todo.all_day ? 10 : 16) },
      sourceKey: `todo.due/${todo.id}/${todo.remind_next.getTime()}`,
    })
    await sql`update todo set remind_next = ${nextReminder(todo.remind_at, now)}
      where tenant_id = ${tenantId} and id = ${todo.id}`.execute(trx)
  }
  return rows.length
}

/** Sends messages whose quiet hours are over. */
export async function releaseHeld({ trx, tenantId, now }: JobRun): Promise<number> {
  const { rows } = await sql<{
    id: string
    receiver_id: string
  }>`update message set is_told = true, shown_at = ${now}
    where tenant_id = ${tenantId} and not is_told and shown_at <= ${now} and deleted_at is null
    returning id, receiver_id`.execute(trx)
  await notifyPeople(
    trx,
    tenantId,
    rows.map((row) => row.receiver_id),
    { kind: 'message' },
  )
  await pushLater(
    trx,
    tenantId,
    rows.map((row) => row.id),
  )
  return rows.length
}

/** To-dos for imminent follow-ups, for claimed or assigned records, and the next of repeating ones. */
export async function planNear(run: JobRun): Promise<number> {
  const { now } = run
  let created = await planFollows(now, new Date(now.getTime() + NEAR_MS), run)
  created += await planFirstFollows(run)
  return created + (await repeatDone(run))
}

/** 领取后首次跟进: due when the pool's rule would recycle the record (DOMAIN 1.2.2, step 6). */
async function planFirstFollows(run: JobRun): Promise<number> {
  const { tenantId, now, zone } = run
  let created = 0
  for (const [target, days] of [
    ['customer', 3],
    ['lead', 1],
  ] as const) {
    created += await planTodos(
      {
        type: 'first_follow',
        target,
        priority: 'high',
        rows: sql`select distinct r.owner_id as assignee_id, r.id as target_id, r.name as target_name,
            d.due as at, (d.due at time zone ${zone})::date as day, null::text as parent_id
          from owner_record o join ${sql.table(target)} r on r.tenant_id = o.tenant_id and r.id = o.record_id
            and r.owner_id = o.to_user and r.owner_since <= o.at + interval '1 minute'
          left join pool p on p.tenant_id = o.tenant_id and p.id = o.from_pool,
          lateral (select r.owner_since + make_interval(days =>
            coalesce((p.settings ->> 'recycle_no_first_follow_days')::int, ${days})) as due) d
          where o.tenant_id = ${tenantId} and o.entity = ${target} and o.kind in ('claim', 'assign')
            and o.at > ${new Date(now.getTime() - DAY_MS)} and r.follow_status = 'none' and r.deleted_at is null
            and coalesce((p.settings ->> 'recycle_no_first_follow_days')::int, ${days}) > 0`,
      },
      run,
    )
  }
  return created
}

/** Repeating to-dos that were closed by a follow-up continue like those closed by hand. */
async function repeatDone({ trx, tenantId, now, zone }: JobRun): Promise<number> {
  const { rows } =
    await sql<FoundTodo>`select t.*, null::text as approval_id from todo t where t.tenant_id = ${tenantId}
    and t.status = 1 and t.repeat <> 'none' and not t.repeated and t.deleted_at is null
    limit ${BATCH} for update skip locked`.execute(trx)
  for (const todo of rows) await repeatTodo(todo, { trx, tenantId, now, zone })
  return rows.length
}
