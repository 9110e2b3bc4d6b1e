import { sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import type { CalendarEntries, CalendarEntry, CalendarKind } from '../../../contract/calendar.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { bad } from '../../kernel/lists/list-request.ts'
import { linkTo, urlOf } from '../../kernel/notices/links.ts'
import { text } from '../../kernel/text/text.ts'
import {
  dateTimeText,
  dayText,
  instantOf,
  parseWallTime,
  startOfDay,
  wallTimeOf,
} from '../../kernel/time/zone.ts'
import { birthdaysOf } from '../../modules/contacts/birthdays.ts'
import { effective } from '../../modules/contracts/find-contract.ts'
import { withTargetStates } from '../../modules/todos/target-state.ts'
import { type StoredTodo, TODO_COLUMNS, todoRow, todosOf } from '../../modules/todos/todo-row.ts'

const DAY_MS = 86_400_000
/** Six weeks: the days shown for a month. */
const MAX_DAYS = 42
/** Maximum entries of each kind. */
const MAX_ENTRIES = 300

/** An interval of the tenant's days; the last one is not included. */
interface Span {
  readonly from: string
  readonly until: string
}

/**
 * GET /mini/calendar/list: the caller's own to-dos, planned follow-ups, payments due and birthdays, ordered by time. What a
 * to-do already represents appears once, as the to-do.
 *
 * @param range  `from` and `until`, both included; at most 42 days
 */
export async function calendarOf(
  range: { readonly from: string; readonly until: string },
  ctx: CallContext,
): Promise<CalendarEntries> {
  const { now, zone, caller } = ctx
  const [first, last] = [parseWallTime(range.from), parseWallTime(range.until)]
  if (first === null || last === null || last < first || last - first >= MAX_DAYS * DAY_MS) bad('from, until')
  const span = { from: dayText(first), until: dayText(startOfDay(last, 1)) }
  const may = (entity: 'contract' | 'contact', field: string) =>
    caller.permissions.has(`${entity}:view`) && isClear(caller, entity, field)
  const isPlanSeen = isClear(caller, 'plan', 'plan_amount') && isClear(caller, 'plan', 'plan_date')
  const todos = await todosIn(span, ctx)
  const follows = await followsIn(span, ctx)
  const payments = may('contract', 'amount') && isPlanSeen ? await paymentsIn(span, ctx) : []
  const birthdays = may('contact', 'birthday') ? await birthdaysIn(span, ctx) : []
  const known = new Set(todos.map(({ about, day }) => `${about}/${day}`))
  const rest = [...follows, ...payments, ...birthdays].filter(
    ({ about, day }) => !known.has(`${about}/${day}`),
  )
  const list = [...todos, ...rest].map(({ about: _, ...entry }) => entry)
  return {
    today: dayText(wallTimeOf(now, zone)),
    list: list.toSorted((a, b) => compare(orderOf(a), orderOf(b))),
    more: [todos, follows, payments].some(({ length }) => length === MAX_ENTRIES),
  }
}

/** An entry and its target: `follow/customer/<id>`. */
type Found = CalendarEntry & { readonly about: string }

const orderOf = ({ day, time, done, id }: CalendarEntry): string => `${day} ${time} ${done} ${id}`
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function instants({ from, until }: Span, { zone }: CallContext): readonly [Date, Date] {
  return [instantOf(parseWallTime(from) ?? 0, zone), instantOf(parseWallTime(until) ?? 0, zone)]
}

async function todosIn(span: Span, ctx: CallContext): Promise<readonly Found[]> {
  const [from, until] = instants(span, ctx)
  const { rows } = await sql<StoredTodo>`select ${TODO_COLUMNS} from ${todosOf(ctx)} d
    left join membership m on m.tenant_id = d.tenant_id and m.user_id = d.assignee_id
    where d.assignee_id = ${ctx.caller.userId} and d.status in (0, 1) and d.due_at >= ${from} and d.due_at < ${until}
    order by d.due_at, d.id limit ${MAX_ENTRIES}`.execute(ctx.trx)
  const todos = await withTargetStates(
    rows.map((row) => todoRow(row, ctx)),
    ctx,
  )
  return todos.map((row) => {
    const {
      id,
      title,
      type,
      target_type,
      target_id,
      target_name,
      due_at,
      due_day,
      all_day,
      status,
      overdue,
      url,
      target_note,
    } = row
    return {
      id,
      kind: KIND_OF[type] ?? 'todo',
      day: due_day,
      time: all_day ? '' : due_at.slice(11, 16),
      title,
      note: target_note || (target_name === null || title.includes(target_name) ? '' : target_name),
      done: status === 1,
      overdue,
      url: url === '' ? `/pages/work/todo/add?id=${id}` : url,
      about: `${KIND_OF[type] ?? 'todo'}/${target_type}/${target_id}`,
    }
  })
}

/** The target of a to-do, if the calendar shows that itself as well. */
const KIND_OF: Readonly<Record<string, CalendarKind>> = {
  follow: 'follow',
  first_follow: 'follow',
  payment: 'payment',
  birthday: 'birthday',
}

/** Entities with a planned next follow-up, and the condition under which it still applies. */
const FOLLOWED = [
  ['customer', sql`true`],
  ['lead', sql`r.status not in (40, 50)`],
  ['bussiness', sql`r.status = 1`],
] as const

async function followsIn(span: Span, ctx: CallContext): Promise<readonly Found[]> {
  const { trx, caller, zone, now } = ctx
  const [from, until] = instants(span, ctx)
  const found: Found[] = []
  for (const [entity, isWanted] of FOLLOWED) {
    if (!caller.permissions.has(`${entity}:view`)) continue
    // Spelled like the index of the table.
    const next = sql`least(r.next_follow_at, 'infinity'::timestamptz)`
    const { rows } = await sql<{
      id: string
      name: string
      at: Date
    }>`select r.id, r.name, r.next_follow_at as at
      from ${sql.table(entity)} r where r.tenant_id = ${caller.tenantId} and r.owner_id = ${caller.userId}
        and r.deleted_at is null and ${next} >= ${from} and ${next} < ${until} and ${isWanted}
      order by ${next}, r.id limit ${MAX_ENTRIES}`.execute(trx)
    for (const { id, name, at } of rows) {
      const written = dateTimeText(at, zone)
      const time = written.slice(11, 16)
      found.push({
        id: `follow:${entity}:${id}`,
        kind: 'follow',
        day: written.slice(0, 10),
        time: time === '00:00' ? '' : time,
        title: text('calendar.follow', { name }),
        note: text(`entity.${entity}`),
        done: false,
        overdue: at < now,
        url: urlOf(linkTo(entity, [id])),
        about: `follow/${entity}/${id}`,
      })
    }
  }
  return found
}

async function paymentsIn({ from, until }: Span, ctx: CallContext): Promise<readonly Found[]> {
  const { trx, caller, now, zone } = ctx
  const today = dayText(wallTimeOf(now, zone))
  const { rows } =
    await sql<Payment>`select p.id, p.contract_id, p.period_no, p.plan_amount, p.plan_date, k.name
    from payment_plan p join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
    where p.tenant_id = ${caller.tenantId} and p.status in ('unpaid', 'partial') and p.deleted_at is null
      and k.owner_id = ${caller.userId} and ${effective('k')}
      and p.plan_date >= ${from}::date and p.plan_date < ${until}::date
    order by p.plan_date, p.id limit ${MAX_ENTRIES}`.execute(trx)
  return rows.map(({ id, contract_id, period_no, plan_amount, plan_date, name }) => ({
    id: `plan:${id}`,
    kind: 'payment',
    day: plan_date,
    time: '',
    title: text('calendar.payment', { name, no: period_no, amount: moneyText(plan_amount) }),
    note: '',
    done: false,
    overdue: plan_date < today,
    url: urlOf(linkTo('plan', [contract_id])),
    about: `payment/plan/${id}`,
  }))
}

interface Payment {
  readonly id: string
  readonly contract_id: string
  readonly period_no: number
  readonly plan_amount: number
  readonly plan_date: string
  readonly name: string
}

async function birthdaysIn(
  { from, until }: Span,
  { trx, caller, now, zone }: CallContext,
): Promise<readonly Found[]> {
  const today = startOfDay(wallTimeOf(now, zone))
  const at = (day: string) => Math.round(((parseWallTime(day) ?? today) - today) / DAY_MS)
  const ahead = Array.from({ length: at(until) - at(from) }, (_, index) => at(from) + index)
  const turn = { trx, tenantId: caller.tenantId, now, zone }
  return (await birthdaysOf(turn, ahead, caller.userId)).map(({ id, name, customer, day }) => ({
    id: `birthday:${id}:${day}`,
    kind: 'birthday',
    day,
    time: '',
    title: text('calendar.birthday', { name }),
    note: customer,
    done: false,
    overdue: false,
    url: urlOf(linkTo('contact', [id])),
    about: `birthday/contact/${id}`,
  }))
}
