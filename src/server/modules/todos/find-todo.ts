import { sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuseOf } from '../../kernel/records/find-record.ts'
import { isJustDeleted } from '../../kernel/records/just-deleted.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import type { Due } from './due.ts'
import { type StoredTodo, TODO_COLUMNS, todosOf } from './todo-row.ts'

/** A stored to-do with the data that changes need. */
export interface FoundTodo extends StoredTodo {
  readonly type: Exclude<StoredTodo['type'], 'approval'>
  readonly repeat_day: number | null
  readonly repeat_ms: number | null
  readonly series_id: string | null
  readonly repeated: boolean
  /** The original due date of a postponed to-do; null if it was not postponed. */
  readonly series_due: Date | null
  readonly origin: string
  readonly participant_ids: readonly string[]
}

/** A to-do the caller sees, for {@link todoRow}; 404 otherwise, in words for those who come from an older message about it. */
export async function readTodo(id: string, ctx: CallContext): Promise<StoredTodo> {
  const [found] = await readTodos([id], ctx)
  return (
    found ?? refuse(404, 'NOT_FOUND', text((await wasDeleted(id, ctx)) ? 'todo.deleted' : 'todo.elsewhere'))
  )
}

/** True for a deleted to-do that the caller saw before. */
async function wasDeleted(id: string, { trx, caller }: CallContext): Promise<boolean> {
  const { rows } = await sql`select 1 from todo d where d.tenant_id = ${caller.tenantId} and d.id = ${id}
    and d.deleted_at is not null and (d.assignee_id = ${caller.userId} or d.created_by = ${caller.userId}
      or d.participant_ids @> array[${caller.userId}]::text[])`.execute(trx)
  return rows.length > 0
}

/** Those of the given to-dos that the caller sees, unordered. */
export async function readTodos(ids: readonly string[], ctx: CallContext): Promise<readonly StoredTodo[]> {
  const { rows } = await sql<StoredTodo>`select ${TODO_COLUMNS} from ${todosOf(ctx)} d
    left join membership m on m.tenant_id = d.tenant_id and m.user_id = d.assignee_id
    where d.id = any(${[...ids]}::text[])`.execute(ctx.trx)
  return rows
}

/**
 * A stored to-do, locked for a change. 404 if the caller does not see it, 405 if they are only a participant.
 *
 * @param which  `deleted`: one that the caller deleted a moment ago
 */
export async function findTodo(
  id: string,
  ctx: CallContext,
  which: 'live' | 'deleted' = 'live',
): Promise<FoundTodo> {
  const { trx, caller } = ctx
  const { rows } = await sql<FoundTodo>`select d.*, null::text as approval_id, null::text as parent_id,
      null::text as assignee_name, null::numeric as amount, null::text as created_by_name
    from todo d where d.tenant_id = ${caller.tenantId} and d.id = ${id}
      and ${which === 'live' ? sql`d.deleted_at is null` : isJustDeleted(ctx, 'd')}
      and (d.assignee_id = ${caller.userId} or d.created_by = ${caller.userId}
        or d.participant_ids @> array[${caller.userId}]::text[]) for update`.execute(trx)
  const [found] = rows
  if (found === undefined) refuse(404, 'NOT_FOUND', text('call.not-found'))
  if (found.assignee_id !== caller.userId && found.created_by !== caller.userId)
    await refuseOf('todo', found.assignee_id, 'todo', ctx)
  return found
}

/** When a to-do is due. */
export function dueOf({ due_at, all_day }: Pick<StoredTodo, 'due_at' | 'all_day'>): Due {
  return { at: due_at, allDay: all_day }
}
