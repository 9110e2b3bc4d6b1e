import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'
import { type InputValues, refuseFaults } from '../../kernel/fields/input.ts'
import { notifyPeople } from '../../kernel/live/notify.ts'
import { announce } from '../../kernel/notices/announce.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuseStale } from '../../kernel/records/written-record.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { minuteText } from '../../kernel/time/zone.ts'
import { checkTodo, remindersOf, seriesColumns } from './check-todo.ts'
import { type Due, nextReminder } from './due.ts'
import { dueOf, type FoundTodo, findTodo, readTodo } from './find-todo.ts'
import { targetOf } from './target.ts'
import { type StoredTodo, titleOf, todoRow } from './todo-row.ts'

/** POST /mini/todo/create: for the caller, or for a colleague, who is notified. @throws Refusal 400, 404 without target or colleague */
export async function createTodo(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now, zone } = ctx
  const { values, faults, due, ...given } = await checkTodo(body, ctx, true)
  const target = await targetOf(body, ctx)
  await refuseStrangers(values, ctx)
  refuseFaults(faults)
  if (due === undefined) return refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'due_at' })
  const reminders = remindersOf(due, given.remindAt, zone)
  const id = newId(now.getTime())
  const assignee = (values.assignee_id as string | null | undefined) ?? caller.userId
  await trx
    .insertInto('todo')
    .values({
      tenant_id: caller.tenantId,
      id,
      title: String(values.title),
      type: given.type ?? 'custom',
      target_type: target?.target_type ?? null,
      target_id: target?.target_id ?? null,
      target_name: target?.target_name ?? null,
      due_at: due.at,
      all_day: due.allDay,
      remind_at: [...reminders],
      remind_next: nextReminder(reminders, now),
      priority: given.priority ?? 'mid',
      assignee_id: assignee,
      participant_ids: [...((values.participant_ids as string[] | undefined) ?? [])],
      repeat: given.repeat ?? 'none',
      ...seriesColumns(due, zone),
      remark: (values.remark as string | null | undefined) ?? null,
      ext: json(target?.contract_id ? { contract_id: target.contract_id } : {}),
      created_by: caller.userId,
      created_at: now,
      updated_by: caller.userId,
      updated_at: now,
    })
    .execute()
  if (assignee !== caller.userId) await notifyAssignee(await readTodo(id, ctx), assignee, ctx)
  return answerOf(id, [assignee], ctx)
}

/** POST /mini/todo/update. @throws Refusal 404, 405, 409 VERSION_CONFLICT with `data.current` */
export async function updateTodo(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now, zone } = ctx
  const { id, version, target_type: _t, target_id: _i, ...fields } = body
  const found = await findTodo(typeof id === 'string' ? id : '', ctx)
  if (version !== undefined && version !== found.version) refuseStale(todoRow(found, ctx) as unknown as Json)
  refuseUnlessOpen(found)
  const { values, faults, due, ...given } = await checkTodo(fields, ctx, false)
  await refuseStrangers(values, ctx)
  refuseFaults(faults)
  const after: Due = due ?? dueOf(found)
  const reminders =
    due === undefined && given.remindAt === undefined
      ? found.remind_at
      : remindersOf(after, given.remindAt, zone)
  const { assignee_id, ...plain } = values
  const assignee = typeof assignee_id === 'string' ? assignee_id : found.assignee_id
  // To pass on a to-do that somebody else assigned, the transfer call must be used.
  if (assignee !== found.assignee_id && found.created_by !== caller.userId)
    refuse(405, 'NO_PERMISSION', text('call.no-permission'), { detail: 'assignee_id' })
  await trx
    .updateTable('todo')
    .set((set) => ({
      ...(plain as { title?: string; remark?: string | null; participant_ids?: string[] }),
      ...(given.priority === undefined ? {} : { priority: given.priority }),
      ...(given.repeat === undefined ? {} : { repeat: given.repeat }),
      ...(given.type === undefined ? {} : { type: given.type }),
      ...(due === undefined ? {} : { ...seriesColumns(due, zone), series_due: null }),
      due_at: after.at,
      all_day: after.allDay,
      remind_at: [...reminders],
      remind_next: nextReminder(reminders, now),
      assignee_id: assignee,
      updated_by: caller.userId,
      updated_at: now,
      version: set('version', '+', 1),
    }))
    .where('tenant_id', '=', caller.tenantId)
    .where('id', '=', found.id)
    .execute()
  if (assignee !== found.assignee_id && assignee !== caller.userId)
    await notifyAssignee(await readTodo(found.id, ctx), assignee, ctx)
  return answerOf(found.id, [assignee, found.assignee_id], ctx)
}

/** Refuses if a to-do is done or cancelled. */
export function refuseUnlessOpen({ status }: FoundTodo): void {
  if (status !== 0) refuse(409, 'STATE_CONFLICT', text('todo.closed'))
}

/** Notifies somebody that a to-do is now assigned to them. */
export async function notifyAssignee(
  todo: Pick<StoredTodo, 'id' | 'title' | 'type' | 'target_name' | 'due_at'>,
  to: string,
  { trx, caller, now, zone }: CallContext,
): Promise<void> {
  await announce(trx, {
    event: 'todo.assigned',
    tenantId: caller.tenantId,
    actorId: caller.userId,
    now,
    receivers: [to],
    entity: 'todo',
    ids: [todo.id],
    params: { by: caller.name, title: titleOf(todo), at: minuteText(todo.due_at, zone) },
  })
}

/** The answer of a write; open pages of the people concerned are told that their to-dos changed. */
async function answerOf(id: string, people: readonly string[], ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller } = ctx
  const record = todoRow(await readTodo(id, ctx), ctx)
  const receivers = [...people, caller.userId, ...record.participant_ids]
  await notifyPeople(trx, caller.tenantId, receivers, { kind: 'todo' })
  return { data: { id, version: record.version, record: record as unknown as Json }, recordId: id }
}

/** Assignee and participants must be enabled colleagues of the tenant. */
async function refuseStrangers(values: InputValues, { trx, caller }: CallContext): Promise<void> {
  const named = [values.assignee_id, ...((values.participant_ids as string[] | undefined) ?? [])]
  const ids = [...new Set(named.filter((it): it is string => typeof it === 'string'))]
  if (ids.length === 0) return
  const known = await trx
    .selectFrom('membership')
    .select('user_id')
    .where('tenant_id', '=', caller.tenantId)
    .where('status', '=', 'enabled')
    .where('deleted_at', 'is', null)
    .where('user_id', 'in', ids)
    .execute()
  if (known.length < ids.length) refuse(404, 'NOT_FOUND', text('todo.no-member'))
}
