import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { PlanAction, PlanCard } from '../../../contract/payment.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { OptionsQuery } from '../../kernel/calls/standard-routes.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { FilterFields } from '../../kernel/lists/filter-sql.ts'
import { filled } from '../../kernel/lists/keyset.ts'
import { beginsWith, clearPhones, keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import type { ListSpec, Tab } from '../../kernel/lists/list-spec.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import { maskRow, rightsMask } from '../../kernel/visibility/masking.ts'
import { isInScope, isVisible, isWritable } from '../../kernel/visibility/predicate.ts'
import { maskName } from '../../kernel/words/mask.ts'
import { effective } from '../contracts/find-contract.ts'
import { paysFor } from '../contracts/plan-rows.ts'

const FILTERS: FilterFields = {
  status: { kind: 'code', column: 'shown_status' },
  customer_id: { kind: 'code', column: 'customer_id' },
  owner_id: { kind: 'code', column: 'owner_id' },
}

const SORTS = {
  plan_date: filled('plan_date', 'date'),
  plan_amount: filled('plan_amount', 'numeric'),
  period_no: filled('period_no', 'numeric'),
}

const open = sql<boolean>`p.status in ('unpaid', 'partial')`
const today = ({ now, zone }: CallContext) => dayText(wallTimeOf(now, zone))

const TABS: Readonly<Record<string, Tab>> = {
  all: { where: () => sql<boolean>`true` },
  mine: { where: ({ caller }) => sql<boolean>`p.owner_id = ${caller.userId}` },
  open: { where: () => open },
  overdue: { where: (ctx) => sql<boolean>`(${open} and p.plan_date < ${today(ctx)}::date)` },
  month: {
    where: ({ now, zone }) => {
      const wall = wallTimeOf(now, zone)
      const month = (step: number) =>
        dayText(Date.UTC(new Date(wall).getUTCFullYear(), new Date(wall).getUTCMonth() + step, 1))
      return sql<boolean>`(p.plan_date >= ${month(0)}::date and p.plan_date < ${month(1)}::date)`
    },
  },
  due: { where: isDueForMe },
  paid: { where: () => sql<boolean>`p.status = 'paid'` },
}

/** Days before its date from which on a plan counts as due. */
const DUE_DAYS = 3

/** Plans `p` of the caller's contracts `k` in effect that are overdue or due within three days: 应收到期 on the home page and its list. */
export function isDueForMe({ caller, now, zone }: CallContext): RawBuilder<boolean> {
  const last = dayText(startOfDay(wallTimeOf(now, zone), DUE_DAYS))
  return sql<boolean>`(${open} and ${effective('k')} and k.owner_id = ${caller.userId} and p.plan_date <= ${last}::date)`
}

/** Existing plans of existing contracts, with the contract columns of the list. Plans of a replaced contract belong to its revision. */
function source(ctx: CallContext) {
  return sql`(select x.*, k.owner_id, k.owner_dept_id, k.customer_id, k.contract_no, k.name as contract_name,
      case when x.status in ('unpaid', 'partial') and x.plan_date < ${today(ctx)}::date then 'overdue' else x.status end
        as shown_status
    from payment_plan x join contract k on k.tenant_id = x.tenant_id and k.id = x.contract_id
    where x.tenant_id = ${ctx.caller.tenantId} and k.deleted_at is null) p
  join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
  join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
  left join membership o on o.tenant_id = k.tenant_id and o.user_id = k.owner_id`
}

function columns({ caller }: CallContext) {
  return sql`p.id, p.contract_id, p.contract_no, p.contract_name, p.customer_id, c.name as customer_name, p.period_no,
    p.plan_amount, p.received_amount, greatest(p.plan_amount - p.received_amount, 0) as unreceived_amount, p.plan_date,
    p.method, p.remind_days, p.remark, p.shown_status as status, p.version, p.owner_id, o.name as owner_name,
    k.approval_status, ${effective('k')} as counts, ${isVisible(caller, 'contract', 'k')} as visible,
    (${isInScope(caller, 'contract', 'k')} or ${isWritable(caller, 'contract', 'k')}) as works`
}

/** The list of payment plans (DOMAIN 1.7, 1.15). */
export const PLAN_LIST: ListSpec = {
  entity: 'plan',
  row: 'p',
  from: source,
  columns,
  visible: ({ caller }) =>
    sql<boolean>`(p.tenant_id = ${caller.tenantId} and p.deleted_at is null and ${isVisible(caller, 'contract', 'k')})`,
  scoped: true,
  filters: FILTERS,
  sorts: SORTS,
  defaultSort: [{ by: SORTS.plan_date, dir: 'asc' }],
  tabs: TABS,
  defaultTab: 'all',
  keyword: (keyword, { caller }) => sql<boolean>`(${beginsWith(sql`p.contract_no`, keyword)}
    or position(lower(${keyword}) in lower(p.contract_name)) > 0 or ${keywordCondition('c', keyword, undefined, clearPhones(caller, 'customer', 'c'))})`,
}

/** A plan as queried for lists and details. */
export interface PlanRow extends Omit<PlanCard, 'actions'> {
  readonly remind_days: number
  readonly remark: string | null
  readonly approval_status: number
  readonly counts: boolean
  readonly visible: boolean
  readonly works: boolean
}

/** The card of a plan. */
export function planCard(row: PlanRow, { caller, zone }: CallContext): PlanCard {
  const { counts: _c, visible, works: _w, approval_status: _a, ...shown } = row
  const named = visible ? shown : { ...shown, customer_name: maskName(row.customer_name) }
  const mask = rightsMask(caller, 'plan')
  return {
    ...(maskRow(wireRow(named, zone), mask) as unknown as PlanCard),
    actions: planActions(caller, row),
  }
}

function planActions(caller: Caller, row: PlanRow): PlanAction[] {
  const may = (action: string) => caller.permissions.has(`payment:${action}`) && row.works
  const isOpen = row.status !== 'void' && row.approval_status !== 1 && row.approval_status !== 5
  const isUnpaid = row.status !== 'paid' && row.status !== 'void'
  return [
    ...(may('edit') && isOpen ? (['edit'] as const) : []),
    ...(may('del') && isOpen && row.received_amount === 0 ? (['delete'] as const) : []),
    ...(may('add') && row.counts && isUnpaid ? (['payment_add'] as const) : []),
  ]
}

/** GET /mini/plan/detail. */
export async function planDetail(id: string, ctx: CallContext): Promise<JsonObject> {
  const { rows } = await sql<PlanRow>`select ${columns(ctx)} from ${source(ctx)}
    where ${PLAN_LIST.visible(ctx)} and p.id = ${id}`.execute(ctx.trx)
  const row = rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
  const { actions, ...record } = planCard(row, ctx)
  const mask = rightsMask(ctx.caller, 'plan')
  const payments = await sql<{ n: number }>`select count(*) as n from payment p
    where ${paysFor(ctx, 'p', id)}`.execute(ctx.trx)
  return {
    record: {
      ...(record as unknown as JsonObject),
      ...maskRow({ shares: await sharesOf(id, ctx) }, mask),
    },
    labels: { customer_name: row.customer_name, owner_name: row.owner_name },
    related: { payment: payments.rows[0]?.n ?? 0 },
    actions,
    mask: [...mask.masked],
  }
}

/** The payments assigned to a plan with their shares, in the order they were received. */
async function sharesOf(id: string, { trx, caller }: CallContext) {
  const { rows } = await sql<{
    payment_id: string
    payment_no: string
    paid_at: string
    amount: number
    total: number
  }>`
    select s.payment_id, x.payment_no, x.paid_at, s.amount, x.amount as total from payment_share s
    join payment x on x.tenant_id = s.tenant_id and x.id = s.payment_id
    where s.tenant_id = ${caller.tenantId} and s.plan_id = ${id} order by x.paid_at, x.id`.execute(trx)
  return rows
}

const MAX_OPTIONS = 60

/** Rows of a picker: the open plans of `contractId`, or exactly `ids`. */
export async function planOptions({ ids, contractId }: OptionsQuery, ctx: CallContext) {
  const wanted =
    ids === null
      ? sql<boolean>`(p.contract_id = ${contractId ?? ''} and ${open})`
      : sql<boolean>`p.id = any(${[...ids]}::text[])`
  const { rows } = await sql<PlanRow>`select ${columns(ctx)} from ${source(ctx)}
    where ${PLAN_LIST.visible(ctx)} and ${wanted} order by p.plan_date, p.period_no limit ${MAX_OPTIONS}`.execute(
    ctx.trx,
  )
  const mask = rightsMask(ctx.caller, 'plan')
  return {
    list: rows.map(({ id, period_no, plan_date, unreceived_amount, plan_amount }) => {
      const shown: Partial<PlanRow> = maskRow({ plan_date, unreceived_amount, plan_amount }, mask)
      return {
        value: id,
        label: text('plan.period', { period: period_no }),
        desc: [shown.plan_date, shown.unreceived_amount].filter((it) => it != null).join(' · '),
        disabled: false,
        ...shown,
      }
    }),
  }
}
