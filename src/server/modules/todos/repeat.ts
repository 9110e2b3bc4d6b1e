import { sql } from 'kysely'
import type { Trx } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/db/id.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { anchorOf, defaultReminder, dueAt, nextDue, nextReminder, reminderLike } from './due.ts'
import { dueOf, type FoundTodo } from './find-todo.ts'

/** The tenant and the time in which a series continues. */
export interface RepeatPlace {
  readonly trx: Trx
  readonly tenantId: string
  readonly now: Date
  readonly zone: string
}

/**
 * Creates the next to-do of a repeating one that is done, once: a second call finds it.
 * @returns its id, or null if the to-do does not repeat
 */
export async function repeatTodo(
  done: FoundTodo,
  { trx, tenantId, now, zone }: RepeatPlace,
): Promise<string | null> {
  if (done.repeat === 'none') return null
  const planned = done.series_due === null ? dueOf(done) : dueAt(done.series_due, zone)
  const plannedAnchor = anchorOf(planned, zone)
  const anchor = { day: done.repeat_day ?? plannedAnchor.day, timeMs: done.repeat_ms ?? plannedAnchor.timeMs }
  const due = nextDue(planned, done.repeat, anchor, { now, zone })
  const series = done.series_id ?? done.id
  const reminders =
    done.remind_at.length === 0
      ? []
      : due.allDay || done.series_due !== null
        ? [defaultReminder(due, zone)]
        : done.remind_at.map((at) => reminderLike(at, dueOf(done), due, zone))
  const id = newId(now.getTime())
  const key = `repeat/${series}/${dayText(wallTimeOf(due.at, zone))}`
  const { rows } = await sql<{
    id: string
  }>`insert into todo (tenant_id, id, title, type, target_type, target_id, target_name,
      due_at, all_day, remind_at, remind_next, priority, assignee_id, participant_ids, repeat, repeat_day, repeat_ms, series_id, origin,
      source_key, remark, created_by, created_at, updated_by, updated_at, ext)
    select t.tenant_id, ${id}, t.title, t.type, t.target_type, t.target_id, t.target_name, ${due.at}, ${due.allDay},
      ${reminders}::timestamptz[], ${nextReminder(reminders, now)}, t.priority, t.assignee_id, t.participant_ids, t.repeat,
      ${anchor.day}, ${anchor.timeMs}, ${series}, 'repeat', ${key}, t.remark, t.created_by, ${now}, t.created_by, ${now}, t.ext
    from todo t where t.tenant_id = ${tenantId} and t.id = ${done.id}
    on conflict (tenant_id, source_key) where source_key is not null do update
      set status = 0, deleted_at = null, done_at = null, done_by = null, due_at = excluded.due_at where todo.deleted_at is not null
    returning id`.execute(trx)
  await sql`update todo set repeated = true where tenant_id = ${tenantId} and id = ${done.id}`.execute(trx)
  return rows[0]?.id ?? null
}

/** Deletes the next to-do of a series if nobody has touched it, because the previous one is open again. */
export async function takeBackRepeat(open: FoundTodo, { trx, tenantId, now }: RepeatPlace): Promise<void> {
  if (open.repeat === 'none') return
  await sql`update todo set deleted_at = ${now} where tenant_id = ${tenantId} and series_id = ${open.series_id ?? open.id}
    and origin = 'repeat' and id <> ${open.id} and due_at > ${open.series_due ?? open.due_at} and status = 0 and version = 1
    and deleted_at is null`.execute(trx)
  await sql`update todo set repeated = false where tenant_id = ${tenantId} and id = ${open.id}`.execute(trx)
}
