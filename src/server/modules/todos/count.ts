import { sql } from 'kysely'
import { TODO_SECTIONS, TODO_TYPES, type TodoCount, type TodoType } from '../../../contract/todo.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { instantOf, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import { inSection } from './list-spec.ts'
import { todosOf } from './todo-row.ts'

/** What the caller has to do, by type and by section; `done` counts what was finished today. */
export async function countTodos(asking: Asking): Promise<TodoCount> {
  const { caller, now, zone } = asking
  const open = TODO_SECTIONS.filter((it) => it !== 'done')
  const { rows } = await sql<{ type: TodoType; section: string; n: number }>`
    select d.type, case ${sql.join(
      open.map((it) => sql`when ${inSection(it, asking)} then ${it}`),
      sql` `,
    )} end as section, count(*) as n
    from ${todosOf(asking)} d where d.assignee_id = ${caller.userId} and d.status = 0 group by 1, 2`.execute(
    asking.trx,
  )
  const midnight = instantOf(startOfDay(wallTimeOf(now, zone)), zone)
  const done = await sql<{ n: number }>`select count(*) as n from todo where tenant_id = ${caller.tenantId}
    and assignee_id = ${caller.userId} and status = 1 and deleted_at is null and done_at >= ${midnight}`.execute(
    asking.trx,
  )
  const today = done.rows[0]?.n ?? 0
  const sum = (wanted: (row: { type: string; section: string }) => boolean) =>
    rows.filter(wanted).reduce((total, row) => total + row.n, 0)
  return {
    total: sum(() => true),
    overdue: sum((row) => row.section === 'overdue'),
    byType: Object.fromEntries(
      TODO_TYPES.map((type) => [type, sum((row) => row.type === type)]),
    ) as TodoCount['byType'],
    bySection: Object.fromEntries(
      TODO_SECTIONS.map((it) => [it, it === 'done' ? today : sum((row) => row.section === it)]),
    ) as TodoCount['bySection'],
  }
}
