import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { notifyPeople } from '../../kernel/live/notify.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { defaultReminder, nextReminder, SNOOZES, snoozed } from './due.ts'
import { dueOf, type FoundTodo, findTodo } from './find-todo.ts'
import { repeatTodo, takeBackRepeat } from './repeat.ts'
import { titleOf } from './todo-row.ts'
import { notifyAssignee, refuseUnlessOpen } from './write-todo.ts'

type Act = (found: FoundTodo, ctx: CallContext) => Promise<readonly string[]>
const MAX_NOTE = 500

/** Applies a change to each to-do of `id` or `ids`; everybody concerned is told to reload their to-dos. */
async function onEach(
  body: JsonObject,
  ctx: CallContext,
  act: Act,
  which: 'live' | 'deleted' = 'live',
): Promise<WriteResult<Json>> {
  const { trx, caller } = ctx
  const ids = idsOf(typeof body.id === 'string' ? { ids: [body.id] } : body)
  const people = new Set([caller.userId])
  const data = await eachRecord(
    ids,
    async (id) => {
      const found = await findTodo(id, ctx, which)
      for (const person of [found.assignee_id, ...found.participant_ids, ...(await act(found, ctx))])
        people.add(person)
    },
    trx,
  )
  await notifyPeople(trx, caller.tenantId, [...people], { kind: 'todo' })
  const [first] = ids
  return {
    data,
    detail: { ids: [...ids] },
    ...(ids.length === 1 && first !== undefined ? { recordId: first } : {}),
  }
}

/** 完成: possible once. A repeating to-do creates the next one. @param body `id` or `ids`, `note` */
export function finishTodos(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const note = body.note ?? null
  if (note !== null && (typeof note !== 'string' || note.length > MAX_NOTE))
    refuse(
      400,
      'VALIDATION',
      text('record.length', { label: text('todo.field.done_note'), min: 0, max: MAX_NOTE }),
    )
  return onEach(body, ctx, async (found) => {
    const { trx, caller, now, zone } = ctx
    if (found.status === 1) return []
    refuseUnlessOpen(found)
    await sql`update todo set status = 1, done_at = ${now}, done_by = ${caller.userId}, done_note = ${note}, remind_next = null,
        updated_by = ${caller.userId}, updated_at = ${now}, version = version + 1
      where tenant_id = ${caller.tenantId} and id = ${found.id}`.execute(trx)
    await repeatTodo(found, { trx, tenantId: caller.tenantId, now, zone })
    await announce(trx, {
      event: 'todo.done',
      tenantId: caller.tenantId,
      actorId: caller.userId,
      now,
      receivers: found.created_by === null ? [] : [found.created_by],
      entity: 'todo',
      ids: [found.id],
      params: { by: caller.name, title: titleOf(found), note: note ?? '' },
      sourceKey: `todo.done/${found.id}/${found.version}`,
    })
    return found.created_by === null ? [] : [found.created_by]
  })
}

/** Reopens to-dos that were done or cancelled. The next to-do of a series is deleted if nobody has touched it. */
export function reopenTodos(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  return onEach(body, ctx, async (found) => {
    const { trx, caller, now, zone } = ctx
    if (found.status === 0) return []
    await sql`update todo set status = 0, done_at = null, done_by = null, done_note = null,
        remind_next = ${nextReminder(found.remind_at, now)}, updated_by = ${caller.userId}, updated_at = ${now},
        version = version + 1
      where tenant_id = ${caller.tenantId} and id = ${found.id}`.execute(trx)
    await takeBackRepeat(found, { trx, tenantId: caller.tenantId, now, zone })
    return []
  })
}

/** 推迟. @param body `id` or `ids`, `to`: hour, tomorrow or week */
export function snoozeTodos(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const snooze =
    SNOOZES.find((it) => it === body.to) ?? refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'to' })
  return onEach(body, ctx, async (found) => {
    const { trx, caller, now, zone } = ctx
    refuseUnlessOpen(found)
    const due = snoozed(dueOf(found), snooze, ctx)
    // The series continues from the originally planned day.
    const planned = found.repeat === 'none' ? null : (found.series_due ?? found.due_at)
    const reminders = [snooze === 'hour' ? due.at : defaultReminder(due, zone)]
    await sql`update todo set due_at = ${due.at}, all_day = ${due.allDay}, series_due = ${planned}, remind_at = ${reminders}::timestamptz[],
        remind_next = ${nextReminder(reminders, now)}, updated_by = ${caller.userId}, updated_at = ${now},
        version = version + 1
      where tenant_id = ${caller.tenantId} and id = ${found.id}`.execute(trx)
    return []
  })
}

/** 转交: to an enabled colleague, who is notified. @param body `id` or `ids`, `toUserId` */
export async function transferTodos(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const to = typeof body.toUserId === 'string' ? body.toUserId : ''
  const { rows } = await sql`select 1 from membership where tenant_id = ${caller.tenantId} and user_id = ${to}
    and status = 'enabled' and deleted_at is null`.execute(trx)
  if (rows.length === 0) refuse(404, 'NOT_FOUND', text('todo.no-member'))
  const given: FoundTodo[] = []
  const written = await onEach(body, ctx, async (found) => {
    refuseUnlessOpen(found)
    if (found.assignee_id === to) return []
    await sql`update todo set assignee_id = ${to}, created_by = coalesce(created_by, ${caller.userId}),
        updated_by = ${caller.userId}, updated_at = ${now}, version = version + 1
      where tenant_id = ${caller.tenantId} and id = ${found.id}`.execute(trx)
    given.push(found)
    return [to]
  })
  if (to !== caller.userId) for (const todo of given) await notifyAssignee(todo, to, ctx)
  return written
}

/** Deletes to-dos; jobs do not create them again. */
export function deleteTodos(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  return onEach(body, ctx, async (found) => {
    const { trx, caller, now } = ctx
    await sql`update todo set deleted_at = ${now}, remind_next = null, updated_by = ${caller.userId}, updated_at = ${now},
        version = version + 1
      where tenant_id = ${caller.tenantId} and id = ${found.id}`.execute(trx)
    return []
  })
}

/** Restores to-dos that the caller deleted a moment ago (撤销). @param body `id` or `ids` */
export function restoreTodos(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const act: Act = async (found) => {
    const { trx, caller, now } = ctx
    const next = found.status === 0 ? nextReminder(found.remind_at, now) : null
    await sql`update todo set deleted_at = null, remind_next = ${next}, updated_by = ${caller.userId}, updated_at = ${now},
        version = version + 1
      where tenant_id = ${caller.tenantId} and id = ${found.id}`.execute(trx)
    return []
  }
  return onEach(body, ctx, act, 'deleted')
}
