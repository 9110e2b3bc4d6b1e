import { type RawBuilder, sql } from 'kysely'
import { TODO_SECTIONS, TODO_TYPES, type TodoSection } from '../../../contract/todo.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { SortBy } from '../../kernel/lists/keyset.ts'
import type { ListSpec, Tab } from '../../kernel/lists/list-spec.ts'
import { sectionEnds } from './due.ts'
import { TODO_COLUMNS, todosOf } from './todo-row.ts'

const DUE = { column: 'due_at', type: 'timestamptz', nullable: false } as const
const DONE = { column: 'done_at', type: 'timestamptz', nullable: true } as const
const BY_DUE: readonly SortBy[] = [{ by: DUE, dir: 'asc' }]

const mine = ({ caller }: CallContext) => sql<boolean>`(d.assignee_id = ${caller.userId} and d.status = 0)`

const ofType = (type: string): readonly [string, Tab] => [
  type,
  { where: (ctx) => sql<boolean>`(${mine(ctx)} and d.type = ${type})` },
]

/** POST /mini/todo/list (DOMAIN 1.11, 8.5): tabs by type; done ones, those I assigned to others, those I take part in. */
export const TODO_LIST: ListSpec = {
  entity: 'todo',
  row: 'd',
  from: (ctx) => sql`${todosOf(ctx)} d
    left join membership m on m.tenant_id = d.tenant_id and m.user_id = d.assignee_id`,
  columns: () => TODO_COLUMNS,
  visible: ({ caller }) => sql<boolean>`d.tenant_id = ${caller.tenantId}`,
  filters: {
    id: { kind: 'code', column: 'id' },
    target_type: { kind: 'code', column: 'target_type' },
    target_id: { kind: 'code', column: 'target_id' },
    status: { kind: 'number', column: 'status' },
    created_at: { kind: 'moment', column: 'created_at' },
  },
  sorts: { due_at: DUE, done_at: DONE, created_at: { ...DUE, column: 'created_at' } },
  defaultSort: BY_DUE,
  tabs: {
    all: { where: mine },
    ...Object.fromEntries(TODO_TYPES.map(ofType)),
    done: {
      where: ({ caller }) => sql<boolean>`(d.assignee_id = ${caller.userId} and d.status = 1)`,
      sort: [{ by: DONE, dir: 'desc' }],
    },
    assigned: {
      where: ({ caller }) =>
        sql<boolean>`(d.created_by = ${caller.userId} and d.assignee_id <> ${caller.userId} and d.status = 0)`,
    },
    shared: {
      where: ({ caller }) =>
        sql<boolean>`(d.participant_ids @> array[${caller.userId}]::text[] and d.status = 0)`,
    },
    /** Of one record, of all assignees that the caller sees; also the single to-do that a message is about. */
    record: { where: () => sql<boolean>`true` },
  },
  defaultTab: 'all',
  keyword: (keyword) =>
    sql<boolean>`position(${keyword} in coalesce(d.title, '') || ' ' || coalesce(d.target_name, '')) > 0`,
}

/** The rows of a section. */
export function inSection(section: TodoSection, ctx: CallContext): RawBuilder<boolean> {
  const { now } = ctx
  const ends = sectionEnds(ctx)
  const open = sql<boolean>`d.status = 0 and d.due_at >= ${now}`
  if (section === 'done') return sql<boolean>`d.status = 1`
  if (section === 'overdue') return sql<boolean>`(d.status = 0 and d.due_at < ${now})`
  if (section === 'today') return sql<boolean>`(${open} and d.due_at < ${ends.today})`
  const [from, to] =
    section === 'tomorrow'
      ? [ends.today, ends.tomorrow]
      : section === 'week'
        ? [ends.tomorrow, ends.week]
        : [ends.week, null]
  return sql<boolean>`(${open} and d.due_at >= ${from} and (${to}::timestamptz is null or d.due_at < ${to}))`
}

/** True for the name of a section. */
export function isSection(name: unknown): name is TodoSection {
  return TODO_SECTIONS.some((it) => it === name)
}
