import { sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { notifyPeople } from '../../kernel/live/notify.ts'
import type { StoredTodo } from './todo-row.ts'

/** Kinds of to-dos, by type. */
export type TodoKinds = readonly StoredTodo['type'][]

/**
 * Closes the open to-dos of a finished record, with their reminders.
 * @param kinds  only these; null means all
 */
export async function closeTodosOf(
  target: string,
  id: string,
  { trx, caller, now }: CallContext,
  kinds: TodoKinds | null = null,
): Promise<void> {
  const { rows } = await sql<{ assignee_id: string }>`update todo set status = 2, remind_next = null,
      updated_by = ${caller.userId}, updated_at = ${now}, version = version + 1
    where tenant_id = ${caller.tenantId} and target_type = ${target} and target_id = ${id} and status = 0
      and deleted_at is null and (${kinds === null}::boolean or type = any(${[...(kinds ?? [])]}::text[]))
    returning assignee_id`.execute(trx)
  if (rows.length === 0) return
  const people = rows.map((row) => row.assignee_id)
  await notifyPeople(trx, caller.tenantId, people, { kind: 'todo' })
}

/** Removes the reminders of to-dos, which stay open (DOMAIN 1.4: an invalid lead). */
export async function silenceTodosOf(
  target: string,
  id: string,
  { trx, caller, now }: CallContext,
): Promise<void> {
  await sql`update todo set remind_next = null, updated_at = ${now}, version = version + 1
    where tenant_id = ${caller.tenantId} and target_type = ${target} and target_id = ${id} and status = 0
      and remind_next is not null and deleted_at is null`.execute(trx)
}
