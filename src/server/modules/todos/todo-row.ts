import { type RawBuilder, sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import type { ApprovalEntity } from '../../../contract/approval.ts'
import type { TodoAction, TodoRow } from '../../../contract/todo.ts'
import { isAmountSeen } from '../../kernel/approvals/entity.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { isLinkEntity, linkTo, urlOf } from '../../kernel/notices/links.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { text } from '../../kernel/text/text.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'
import { sectionOf } from './due.ts'

/** A row of the list query: a stored to-do, or an approval that waits for the caller. */
export interface StoredTodo
  extends Omit<
    TodoRow,
    | 'due_at'
    | 'due_day'
    | 'done_at'
    | 'remind_at'
    | 'overdue'
    | 'section'
    | 'target_note'
    | 'url'
    | 'actions'
    | 'title'
  > {
  readonly title: string | null
  readonly due_at: Date
  readonly done_at: Date | null
  readonly remind_at: readonly Date[]
  /** The contract of a plan or payment, whose page shows it. */
  readonly parent_id: string | null
}

/** Hours after which a waiting approval is overdue. */
const APPROVAL_HOURS = 24

/**
 * The customer or record of the approval, since a number alone does not help the approver. `whose` is computed separately (`offset 0`): with
 * row-level security, a condition that calls a function that is not leakproof cannot use an index.
 */
const CUSTOMER = sql`(select c.name from customer c where c.tenant_id = a.tenant_id and c.id = whose.customer_id)`

/** All to-dos of one person: stored ones, and approvals that wait for them, as rows of the same columns. */
export function todosOf({ caller }: CallContext): RawBuilder<unknown> {
  return sql`(select t.tenant_id, t.id, t.title, t.type, t.target_type, t.target_id, t.target_name, t.due_at, t.all_day,
      t.remind_at, t.priority, t.assignee_id, t.participant_ids, t.status, t.done_at, t.done_note, t.repeat, t.remark,
      null::text as approval_id, t.created_by, t.version, t.created_at, t.ext ->> 'contract_id' as parent_id,
      null::numeric as amount
    from todo t where t.tenant_id = ${caller.tenantId} and t.deleted_at is null
      and (t.assignee_id = ${caller.userId} or t.created_by = ${caller.userId}
        or t.participant_ids @> array[${caller.userId}]::text[])
    union all
    select a.tenant_id, 'approval:' || a.id, a.title, 'approval', a.entity, a.record_id,
      case when ${CUSTOMER} is null or position(${CUSTOMER} in a.title) > 0 then a.title else ${CUSTOMER} || ' ' || a.title end,
      a.submitted_at + make_interval(hours => ${APPROVAL_HOURS}), false, '{}'::timestamptz[], 'high', ${caller.userId},
      '{}'::text[], 0, null, null, 'none', null, a.id, a.submitter_id, a.version, a.submitted_at,
      case a.entity when 'contract' then null else about.contract_id end, a.amount
    from approval a
    cross join lateral (select case a.entity when 'contract' then a.record_id else (select p.contract_id from payment p
      where p.tenant_id = a.tenant_id and p.id = a.record_id) end as contract_id offset 0) about
    cross join lateral (select coalesce(
      (select k.customer_id from contract k where k.tenant_id = a.tenant_id and k.id = about.contract_id),
      (select r.ext ->> 'customer_id' from record r where r.tenant_id = a.tenant_id and r.id = a.record_id
        and 'm.' || r.module = a.entity)) as customer_id offset 0) whose
    where a.tenant_id = ${caller.tenantId} and a.status = 'running'
      and a.waiting_ids @> array[${caller.userId}]::text[])`
}

export const TODO_COLUMNS = sql`d.id, d.title, d.type, d.target_type, d.target_id, d.target_name, d.due_at, d.all_day,
  d.remind_at, d.priority, d.assignee_id, m.name as assignee_name, d.participant_ids, d.status, d.done_at, d.done_note,
  d.repeat, d.remark, d.approval_id, d.created_by, d.version, d.parent_id, d.amount,
  (select w.name from membership w where w.tenant_id = d.tenant_id and w.user_id = d.created_by) as created_by_name`

/** A to-do as the API returns it. */
export function todoRow(row: StoredTodo, ctx: CallContext): TodoRow {
  const { parent_id: _, remind_at, ...shown } = row
  return {
    ...(wireRow(shown, ctx.zone) as unknown as TodoRow),
    title: titleOf(row),
    ...amountOf(row, ctx),
    due_day: dateTimeText(row.due_at, ctx.zone).slice(0, 10),
    remind_at: remind_at.map((at) => dateTimeText(at, ctx.zone)),
    overdue: row.status === 0 && row.due_at < ctx.now,
    section: sectionOf(row, ctx),
    target_note: '',
    url: urlOfTarget(row),
    actions: todoActions(row, ctx),
  }
}

/** The amount of an approval, as its own card shows it. */
function amountOf({ amount, target_type }: StoredTodo, ctx: CallContext) {
  if (amount === null || target_type === null) return { amount, amount_text: '' }
  const isSeen = isAmountSeen(target_type as ApprovalEntity, ctx)
  return {
    amount: isSeen ? amount : null,
    amount_text: isSeen ? moneyText(amount) : text('record.withheld'),
  }
}

/** The title of a to-do: the text of its author, or the system's. */
export function titleOf({
  title,
  type,
  target_name,
}: Pick<StoredTodo, 'title' | 'type' | 'target_name'>): string {
  if (title !== null && type !== 'approval') return title
  return text(`todo.title.${type}`, { name: target_name ?? '' }).trim()
}

/** The actions on a to-do: for its assignee and its author; participants can only read it. */
function todoActions(
  { status, assignee_id, created_by, type, target_id }: StoredTodo,
  { caller }: CallContext,
): TodoAction[] {
  if (type === 'approval') return ['approve', 'reject']
  const isMine = assignee_id === caller.userId
  const isAuthor = created_by === caller.userId
  if (!isMine && !isAuthor) return []
  if (status !== 0) return isMine ? ['undo', 'delete'] : ['delete']
  const follows = isMine && (type === 'follow' || type === 'first_follow') && target_id !== null
  return [...(follows ? (['follow'] as const) : []), 'done', 'snooze', 'transfer', 'edit', 'delete']
}

function urlOfTarget({ type, approval_id, target_type, target_id, parent_id }: StoredTodo): string {
  if (type === 'approval' && approval_id !== null) return urlOf(linkTo('approval', [approval_id]))
  if (target_type === null || target_id === null || !isLinkEntity(target_type)) return ''
  // A plan has no page of its own: the link leads to its contract.
  return urlOf(linkTo(target_type, [target_type === 'plan' ? (parent_id ?? target_id) : target_id]))
}
