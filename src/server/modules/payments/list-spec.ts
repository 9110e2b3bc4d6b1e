import { sql } from 'kysely'
import type { PaymentCard } from '../../../contract/payment.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { OptionsQuery } from '../../kernel/calls/standard-routes.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { FilterFields } from '../../kernel/lists/filter-sql.ts'
import { filled } from '../../kernel/lists/keyset.ts'
import { beginsWith, clearPhones, keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { statCondition } from '../../kernel/lists/stat-rows.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { maskRow, rightsMask } from '../../kernel/visibility/masking.ts'
import { maskName } from '../../kernel/words/mask.ts'
import { waitingForMe } from '../contracts/list-spec.ts'
import { type ActionState, isPaymentVisible, paymentActions, reversible, worksOn } from './payment.ts'

/** Columns of `k` that filters name are provided as `p` by the source of the list. */
const FILTERS: FilterFields = {
  approval_status: { kind: 'number', column: 'approval_status' },
  customer_id: { kind: 'code', column: 'customer_id' },
  reverses_id: { kind: 'code', column: 'reverses_id' },
  owner_id: { kind: 'code', column: 'owner_id' },
  created_by: { kind: 'code', column: 'created_by' },
  created_at: { kind: 'moment', column: 'created_at' },
}

const SORTS = {
  paid_at: filled('paid_at', 'date'),
  amount: filled('amount', 'numeric'),
  created_at: filled('created_at', 'timestamptz'),
}

/** The list of payments (DOMAIN 1.7, 1.15). */
export const PAYMENT_LIST: ListSpec = {
  entity: 'payment',
  row: 'p',
  from: ({ caller }) => sql`(select x.*, d.customer_id from payment x
      join contract d on d.tenant_id = x.tenant_id and d.id = x.contract_id where x.tenant_id = ${caller.tenantId}) p
    join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
    join customer c on c.tenant_id = p.tenant_id and c.id = p.customer_id
    left join payment_plan l on l.tenant_id = p.tenant_id and l.id = p.plan_id
    left join membership o on o.tenant_id = p.tenant_id and o.user_id = p.owner_id`,
  columns: (
    ctx,
  ) => sql`p.id, p.payment_no, p.contract_id, k.contract_no, k.name as contract_name, p.customer_id,
    c.name as customer_name, p.plan_id, l.period_no, p.amount, p.reverses_id, p.paid_at, p.method, p.approval_status,
    p.owner_id, o.name as owner_name, p.created_by, p.submitted_by, ${worksOn(ctx.caller, 'k')} as works,
    ${isPaymentVisible(ctx.caller, 'p', 'k')} as visible, ${reversible('p')} > 0 as is_reversible,
    (p.approval_status = 1 and p.id = any(array(${waitingForMe('payment', ctx)}))) as is_asked`,
  visible: ({ caller }) => isPaymentVisible(caller, 'p', 'k'),
  scoped: true,
  filters: FILTERS,
  sorts: SORTS,
  defaultSort: [{ by: SORTS.paid_at, dir: 'desc' }],
  tabs: {
    all: { where: () => sql<boolean>`true` },
    mine: { where: ({ caller }) => sql<boolean>`p.owner_id = ${caller.userId}` },
    to_approve: {
      where: (ctx) =>
        sql<boolean>`(p.approval_status = 1 and p.id = any(array(${waitingForMe('payment', ctx)})))`,
    },
    submitted: { where: ({ caller }) => sql<boolean>`p.submitted_by = ${caller.userId}` },
    approved: { where: () => sql<boolean>`p.approval_status = 2` },
    reversed: { where: () => sql<boolean>`p.reverses_id is not null` },
  },
  defaultTab: 'all',
  keyword: (keyword, { caller }) => sql<boolean>`(${beginsWith(sql`p.payment_no`, keyword)}
    or ${beginsWith(sql`k.contract_no`, keyword)}
    or position(lower(${keyword}) in lower(k.name)) > 0 or ${keywordCondition('c', keyword, undefined, clearPhones(caller, 'customer', 'c'))})`,
  stat: (ctx, stat) => statCondition(ctx, stat, 'payment', 'p'),
}

/** A row of the payment list, as queried. */
export interface PaymentRow extends Omit<PaymentCard, 'actions'>, ActionState {
  readonly visible: boolean
}

/** The card of a payment. One that is only listed because a figure of the statistics counts it is masked and has no actions. */
export function paymentCard(row: PaymentRow, ctx: CallContext): PaymentCard {
  const {
    works: _w,
    visible,
    is_reversible: _r,
    is_asked: _a,
    created_by: _c,
    submitted_by: _s,
    ...shown
  } = row
  const named = visible
    ? shown
    : { ...shown, contract_name: maskName(row.contract_name), customer_name: maskName(row.customer_name) }
  const mask = rightsMask(ctx.caller, 'payment')
  return {
    ...(maskRow(wireRow(named, ctx.zone), mask) as unknown as PaymentCard),
    actions: visible ? paymentActions(ctx.caller, row) : [],
  }
}

const MAX_OPTIONS = 20

/** Rows of a picker, newest first. */
export async function paymentOptions({ keyword, ids, contractId }: OptionsQuery, ctx: CallContext) {
  const { trx, caller } = ctx
  const texts = [
    ...(isClear(caller, 'payment', 'paid_at') ? [sql`p.paid_at::text`] : []),
    ...(isClear(caller, 'payment', 'amount') ? [sql`p.amount::text`] : []),
    sql`null`,
  ]
  const ofContract = contractId === null ? sql`true` : sql`p.contract_id = ${contractId}`
  const wanted =
    ids === null
      ? sql`(${ofContract} and ${beginsWith(sql`p.payment_no`, keyword)})`
      : sql`p.id = any(${[...ids]}::text[])`
  const { rows } =
    await sql<object>`select p.id as value, p.payment_no as label, concat_ws(' · ', ${sql.join(texts, sql`, `)}) as desc,
      false as disabled
    from payment p join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
    where ${isPaymentVisible(caller, 'p', 'k')} and ${wanted}
    order by p.paid_at desc, p.id desc limit ${ids === null ? MAX_OPTIONS : ids.length}`.execute(trx)
  return { list: rows }
}
