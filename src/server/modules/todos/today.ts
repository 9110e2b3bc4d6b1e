import { sql } from 'kysely'
import type { TodoRow } from '../../../contract/todo.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'
import { sectionEnds } from './due.ts'
import { withTargetStates } from './target-state.ts'
import { type StoredTodo, TODO_COLUMNS, todoRow, todosOf } from './todo-row.ts'

const MAX_TODOS = 100

/** GET /mini/todo/today: one ordered list for today: overdue ones, those with a time of day, then the rest (DOMAIN 7.3). */
export async function todosOfToday(
  ctx: CallContext,
  most = MAX_TODOS,
): Promise<{ readonly list: readonly TodoRow[]; readonly serverTime: string }> {
  const { rows } = await sql<StoredTodo>`select ${TODO_COLUMNS} from ${todosOf(ctx)} d
    left join membership m on m.tenant_id = d.tenant_id and m.user_id = d.assignee_id
    where d.assignee_id = ${ctx.caller.userId} and d.status = 0
      and (d.due_at < ${sectionEnds(ctx).today} or d.type = 'approval')
    order by (d.due_at < ${ctx.now}) desc, d.all_day, case d.priority when 'high' then 0 when 'mid' then 1 else 2 end,
      d.due_at, d.id limit ${most}`.execute(ctx.trx)
  return {
    list: await withTargetStates(
      rows.map((row) => todoRow(row, ctx)),
      ctx,
    ),
    serverTime: dateTimeText(ctx.now, ctx.zone),
  }
}
