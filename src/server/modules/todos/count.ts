import { sql } from 'kysely'
import {
  TODO_SECTIONS,
  TODO_TYPES,
  type TodoCount,
  type TodoSection,
  type TodoType,
} from '../../../contract/todo.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { instantOf, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import { inSection } from './list-spec.ts'
import { todosOf } from './todo-row.ts'

/** The current section and type: each of them narrows the counts of the other. */
interface Narrowed {
  readonly section?: TodoSection | undefined
  readonly type?: TodoType | undefined
}

/** The caller's open to-dos by type and by section; the section `done` counts those finished today. */
export async function countTodos(ctx: CallContext, { section, type }: Narrowed = {}): Promise<TodoCount> {
  const { caller, now, zone } = ctx
  const open = TODO_SECTIONS.filter((it) => it !== 'done')
  const { rows } = await sql<{ type: TodoType; section: string; n: number }>`
    select d.type, case ${sql.join(
      open.map((it) => sql`when ${inSection(it, ctx)} then ${it}`),
      sql` `,
    )} end as section, count(*) as n
    from ${todosOf(ctx)} d where d.assignee_id = ${caller.userId} and d.status = 0 group by 1, 2`.execute(
    ctx.trx,
  )
  const midnight = instantOf(startOfDay(wallTimeOf(now, zone)), zone)
  const done = await doneByType(ctx, section === 'done' ? null : midnight)
  const today = section === 'done' ? await doneByType(ctx, midnight) : done
  const sum = (
    counted: readonly { n: number; type: TodoType; section?: string }[],
    ...wanted: [string?, string?]
  ) =>
    counted
      .filter((row) => isOr(row.section, wanted[0]) && isOr(row.type, wanted[1]))
      .reduce((total, row) => total + row.n, 0)
  return {
    total: sum(rows),
    overdue: sum(rows, 'overdue'),
    byType: Object.fromEntries(
      TODO_TYPES.map((it) => [it, section === 'done' ? sum(done, undefined, it) : sum(rows, section, it)]),
    ) as TodoCount['byType'],
    bySection: Object.fromEntries(
      TODO_SECTIONS.map((it) => [it, it === 'done' ? sum(today, undefined, type) : sum(rows, it, type)]),
    ) as TodoCount['bySection'],
  }
}

/** The number of to-dos of the caller that are due today or overdue. */
export async function countDue(ctx: CallContext): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${todosOf(ctx)} d
    where d.assignee_id = ${ctx.caller.userId} and d.status = 0
      and (${inSection('overdue', ctx)} or ${inSection('today', ctx)})`.execute(ctx.trx)
  return rows[0]?.n ?? 0
}

const isOr = (value: string | undefined, wanted: string | undefined) =>
  wanted === undefined || value === wanted

/** The to-dos the caller finished since a date, or ever. */
async function doneByType({ trx, caller }: CallContext, since: Date | null) {
  const { rows } = await sql<{ type: TodoType; n: number }>`select type, count(*) as n from todo
    where tenant_id = ${caller.tenantId} and assignee_id = ${caller.userId} and status = 1 and deleted_at is null
      and (${since}::timestamptz is null or done_at >= ${since}) group by 1`.execute(trx)
  return rows
}
