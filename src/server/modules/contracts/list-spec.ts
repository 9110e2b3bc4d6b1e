import { type RawBuilder, sql } from 'kysely'
import type { ContractCard } from '../../../contract/contract.ts'
import type { OptionsQuery } from '../../kernel/calls/standard-routes.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { rateOf } from '../../kernel/fields/money.ts'
import type { FilterFields } from '../../kernel/lists/filter-sql.ts'
import { filled, type SortBy } from '../../kernel/lists/keyset.ts'
import { beginsWith, clearPhones, keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import type { ListSpec, Tab } from '../../kernel/lists/list-spec.ts'
import { statCondition } from '../../kernel/lists/stat-rows.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { dayText, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import { maskRow, rightsMask } from '../../kernel/visibility/masking.ts'
import { isInScope, isVisible, isWritable } from '../../kernel/visibility/predicate.ts'
import { maskName } from '../../kernel/words/mask.ts'
import { type ActionState, contractActions, isExpired } from './contract.ts'
import { effective } from './find-contract.ts'

const FILTERS: FilterFields = {
  approval_status: { kind: 'number', column: 'approval_status' },
  perform_status: { kind: 'number', column: 'perform_status' },
  below_min: { kind: 'flag', column: 'below_min' },
  owner_id: { kind: 'code', column: 'owner_id' },
  owner_dept_id: { kind: 'code', column: 'owner_dept_id' },
  revision_of: { kind: 'code', column: 'revision_of' },
  created_by: { kind: 'code', column: 'created_by' },
  created_at: { kind: 'moment', column: 'created_at' },
}

const SORTS = {
  sign_date: filled('sign_date', 'date'),
  amount: filled('amount', 'numeric'),
  unreceived_amount: filled('unreceived_amount', 'numeric'),
  created_at: filled('created_at', 'timestamptz'),
}

const BY_END: readonly SortBy[] = [{ by: { column: 'end_date', type: 'date', nullable: true }, dir: 'asc' }]
/** Days before its end from which on a contract counts as ending (DOMAIN 1.6). */
const ENDING_DAYS = 30

const current = sql<boolean>`k.replaced_by is null`
const day = ({ now, zone }: CallContext, days: number) => dayText(startOfDay(wallTimeOf(now, zone), days))

/** Contracts `k` in effect that end within 30 days: 合同到期 on the home page and its tab. */
export function isEnding(ctx: CallContext): RawBuilder<boolean> {
  return sql<boolean>`(${effective('k')}
    and k.end_date between ${day(ctx, 0)}::date and ${day(ctx, ENDING_DAYS)}::date)`
}

/** A query of the record ids whose approvals wait for the caller. */
export function waitingForMe(entity: 'contract' | 'payment', { caller }: CallContext) {
  return sql`select a.record_id from approval a where a.tenant_id = ${caller.tenantId} and a.entity = ${entity}
    and a.status = 'running' and ${[caller.userId]}::text[] <@ a.waiting_ids`
}

/** The quick tabs of DOMAIN 1.6. A contract that a revision has replaced appears only in the statistics of its day. */
const TABS: Readonly<Record<string, Tab>> = {
  all: { where: () => current },
  mine: { where: ({ caller }) => sql<boolean>`(${current} and k.owner_id = ${caller.userId})` },
  to_approve: {
    where: (ctx) =>
      sql<boolean>`(k.approval_status = 1 and k.id = any(array(${waitingForMe('contract', ctx)})))`,
  },
  submitted: { where: ({ caller }) => sql<boolean>`(${current} and k.submitted_by = ${caller.userId})` },
  performing: { where: () => sql<boolean>`(${effective('k')} and k.perform_status = 1)` },
  unpaid: { where: () => sql<boolean>`(${effective('k')} and k.unreceived_amount > 0)` },
  ending: {
    where: isEnding,
    sort: BY_END,
  },
  void: { where: () => sql<boolean>`k.approval_status = 5` },
}

/** The list of contracts (DOMAIN 1.6, 1.15). */
export const CONTRACT_LIST: ListSpec = {
  entity: 'contract',
  row: 'k',
  from: () => sql`contract k join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    left join membership o on o.tenant_id = k.tenant_id and o.user_id = k.owner_id`,
  columns: (
    ctx,
    isCounted,
  ) => sql`k.id, k.contract_no, k.name, k.customer_id, c.name as customer_name, k.type, k.amount,
    k.received_amount, k.unreceived_amount, k.sign_date, k.start_date, k.end_date, k.approval_status, k.perform_status,
    k.owner_id, o.name as owner_name, k.revision_no, k.below_min, k.replaced_by, k.created_by, k.submitted_by,
    (select count(*) from payment_plan p where p.tenant_id = k.tenant_id and p.contract_id = k.id
      and p.deleted_at is null) as plan_count,
    (select count(*) from payment_plan p where p.tenant_id = k.tenant_id and p.contract_id = k.id
      and p.deleted_at is null and p.status = 'paid') as plan_paid,
    ${isInScope(ctx.caller, 'contract', 'k')} as in_scope, ${isWritable(ctx.caller, 'contract', 'k')} as can_write,
    ${isCounted ? isVisible(ctx.caller, 'contract', 'k') : sql`true`} as visible,
    (k.approval_status = 1 and k.id = any(array(${waitingForMe('contract', ctx)}))) as is_asked`,
  visible: ({ caller }) => isVisible(caller, 'contract', 'k'),
  scoped: true,
  filters: FILTERS,
  sorts: SORTS,
  defaultSort: [{ by: SORTS.sign_date, dir: 'desc' }],
  tabs: TABS,
  defaultTab: 'all',
  keyword: (keyword, { caller }) => sql<boolean>`(position(lower(${keyword}) in lower(k.name)) > 0
    or ${beginsWith(sql`k.contract_no`, keyword)} or ${keywordCondition('c', keyword, undefined, clearPhones(caller, 'customer', 'c'))})`,
  stat: (ctx, stat) => statCondition(ctx, stat, 'contract', 'k'),
}

/** A row of the contract list, as queried. */
export interface ContractRow
  extends Omit<ContractCard, 'actions' | 'received_rate' | 'expired'>,
    ActionState {
  readonly visible: boolean
}

/** The card of a contract. One that is only listed because a figure of the statistics counts it is masked and has no actions. */
export function contractCard(row: ContractRow, ctx: CallContext): ContractCard {
  const {
    in_scope: _scope,
    can_write: _write,
    is_asked: _asked,
    visible,
    replaced_by: _r,
    created_by: _c,
    submitted_by: _s,
    ...shown
  } = row
  const named = visible
    ? shown
    : { ...shown, name: maskName(row.name), customer_name: maskName(row.customer_name) }
  const card = {
    ...wireRow(named, ctx.zone),
    received_rate: rateOf(row.received_amount, row.amount),
    expired: isExpired(row, ctx),
  }
  return {
    ...(maskRow(card, rightsMask(ctx.caller, 'contract')) as unknown as ContractCard),
    actions: visible ? contractActions(ctx.caller, row) : [],
  }
}

const MAX_OPTIONS = 20

/**
 * Rows of a picker: contracts in effect. `filter=unpaid`: only the caller's own with an open amount, for the payment form (DOMAIN 1.7). `ids` finds
 * any contract the caller sees.
 */
export async function contractOptions({ keyword, ids, filter }: OptionsQuery, ctx: CallContext) {
  const { trx, caller } = ctx
  const unpaid = sql<boolean>`(k.owner_id = ${caller.userId} and k.unreceived_amount > 0)`
  const payable = sql<boolean>`(k.unreceived_amount > 0
    and (${isInScope(caller, 'contract', 'k')} or ${isWritable(caller, 'contract', 'k')}))`
  const narrowed = filter === 'unpaid' ? unpaid : filter === 'payable' ? payable : sql<boolean>`true`
  const wanted =
    ids === null
      ? sql<boolean>`(${effective('k')} and ${narrowed}
          and ${CONTRACT_LIST.keyword?.(keyword, ctx) ?? sql<boolean>`true`})`
      : sql<boolean>`k.id = any(${[...ids]}::text[])`
  const { rows } = await sql<Option>`
    select k.id as value, k.name as label, k.contract_no, k.amount, k.unreceived_amount, k.customer_id,
      c.name as customer_name, k.approval_status, k.replaced_by,
      array(select l.product_name from jsonb_to_recordset(k.lines) as l(product_name text) limit 5) as products
    from contract k join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    where ${isVisible(caller, 'contract', 'k')} and ${wanted}
    order by k.sign_date desc, k.id desc limit ${ids === null ? MAX_OPTIONS : ids.length}`.execute(trx)
  const mask = rightsMask(caller, 'contract')
  return {
    list: rows.map(({ approval_status, replaced_by, ...row }) => ({
      ...maskRow(row, mask),
      desc: `${row.contract_no} · ${row.customer_name}`,
      disabled: approval_status !== 2 || replaced_by !== null,
    })),
  }
}

interface Option {
  readonly value: string
  readonly label: string
  readonly contract_no: string
  readonly customer_name: string
  readonly approval_status: number
  readonly replaced_by: string | null
}
