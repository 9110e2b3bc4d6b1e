import { type RawBuilder, sql } from 'kysely'
import type { StatDetail } from '../../../contract/stats.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { lastPublicMove, type StatEntity, type StatQuestion } from '../../kernel/lists/stat-rows.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { isFollowSeen } from '../../modules/follows/list-spec.ts'
import { isFollowInPool } from '../../modules/follows/seen-content.ts'

/** Tables with the rows behind a figure. */
export type RowEntity = StatEntity | 'lead' | 'payment_plan' | 'phone_call'

/** The rows `x` that a figure counts. */
export interface FigurePart {
  readonly id: string
  readonly entity: RowEntity
  readonly where: RawBuilder<boolean>
  readonly label: string
  /** The amount that a row adds to a sum, in yuan. */
  readonly value?: RawBuilder<number>
  /** The value, if it is not the number of rows. */
  readonly number?: RawBuilder<number>
  readonly unit: StatDetail['unit']
  /** How its rows are shown, if not as its table's (`KINDS`). */
  readonly kind?: RowKind
}

/** How the rows `x` of a table are shown in the list behind a number. */
export interface RowKind {
  readonly from: RawBuilder<unknown>
  /** `title`, `sub`, `at`; `in_pool` if `sub` is the text of a follow-up. */
  readonly columns: RawBuilder<unknown>
  /** The person of the row. */
  readonly person: RawBuilder<unknown>
  /** The record that a row opens: the name of its screen, and its id. */
  readonly opens: readonly [RawBuilder<unknown>, RawBuilder<unknown>]
  readonly sort: { readonly column: string; readonly type: 'timestamptz' | 'date'; readonly nullable: false }
  readonly visible: (ctx: CallContext) => RawBuilder<boolean>
  /** The displayed fields of a module: if the caller may not see one, the row is shown without it. */
  readonly shows?: Readonly<Partial<Record<'sub' | 'value', readonly [module: string, field: string]>>>
}

const OWNER = sql`x.owner_id`
const SELF = sql`x.id`
const CREATED = { column: 'created_at', type: 'timestamptz', nullable: false } as const
const CUSTOMER = sql`left join customer c on c.tenant_id = x.tenant_id and c.id = x.customer_id`
const CONTRACT = sql`join contract k on k.tenant_id = x.tenant_id and k.id = x.contract_id`

/** Who sees a record without an owner sees it in its pool. */
const inPoolOr = (entity: 'customer' | 'lead') =>
  sql`case when x.owner_id is null then ${sql.lit(`${entity}_pool`)} else ${sql.lit(entity)} end`

/** How each table's rows are shown. */
export const KINDS: Readonly<Record<RowEntity, RowKind>> = {
  customer: {
    from: sql`customer x`,
    columns: sql`x.name as title, x.customer_no as sub, x.created_at as at`,
    person: OWNER,
    opens: [inPoolOr('customer'), SELF],
    sort: CREATED,
    visible: ({ caller }) => isVisible(caller, 'customer', 'x'),
  },
  lead: {
    from: sql`lead x`,
    columns: sql`x.name as title, x.company as sub, x.created_at as at`,
    person: OWNER,
    opens: [inPoolOr('lead'), SELF],
    sort: CREATED,
    visible: ({ caller }) => isVisible(caller, 'lead', 'x'),
    shows: { sub: ['lead', 'company'] },
  },
  bussiness: {
    from: sql`bussiness x ${CUSTOMER}`,
    columns: sql`x.name as title, c.name as sub, x.created_at as at`,
    person: OWNER,
    opens: [sql`'bussiness'`, SELF],
    sort: CREATED,
    visible: ({ caller }) => isVisible(caller, 'bussiness', 'x'),
    shows: { value: ['bussiness', 'amount'] },
  },
  follow: {
    from: sql`follow x ${CUSTOMER}`,
    columns: sql`coalesce(c.name, (select l.name from lead l where l.tenant_id = x.tenant_id and l.id = x.lead_id),
        (select o.title from record o where o.tenant_id = x.tenant_id and o.module = x.record_module and o.id = x.record_id), '') as title,
      x.content as sub, x.followed_at as at, ${isFollowInPool('x')} as in_pool`,
    person: sql`x.author_id`,
    opens: [sql`'follow'`, SELF],
    sort: { column: 'followed_at', type: 'timestamptz', nullable: false },
    visible: (ctx) => isFollowSeen(ctx, 'x', 'of a page'),
  },
  contract: {
    from: sql`contract x ${CUSTOMER}`,
    columns: sql`x.name as title, c.name as sub, x.sign_date as at`,
    person: OWNER,
    opens: [sql`'contract'`, SELF],
    sort: { column: 'sign_date', type: 'date', nullable: false },
    visible: ({ caller }) => isVisible(caller, 'contract', 'x'),
    shows: { value: ['contract', 'amount'] },
  },
  payment: {
    from: sql`payment x ${CONTRACT}`,
    columns: sql`x.payment_no as title, k.name as sub, x.paid_at as at`,
    person: OWNER,
    opens: [sql`'contract'`, sql`k.id`],
    sort: { column: 'paid_at', type: 'date', nullable: false },
    visible: ({ caller }) => isVisible(caller, 'contract', 'k'),
    shows: { value: ['payment', 'amount'] },
  },
  payment_plan: {
    from: sql`payment_plan x ${CONTRACT}`,
    columns: sql`k.name as title, k.contract_no as sub, x.plan_date as at`,
    person: sql`k.owner_id`,
    opens: [sql`'contract'`, sql`k.id`],
    sort: { column: 'plan_date', type: 'date', nullable: false },
    visible: ({ caller }) => isVisible(caller, 'contract', 'k'),
    shows: { value: ['plan', 'plan_amount'] },
  },
  phone_call: {
    from: sql`phone_call x
      left join customer c on x.target_type = 'customer' and c.tenant_id = x.tenant_id and c.id = x.target_id
      left join lead l on x.target_type = 'lead' and l.tenant_id = x.tenant_id and l.id = x.target_id
      left join bussiness b on x.target_type = 'bussiness' and b.tenant_id = x.tenant_id and b.id = x.target_id
      left join contract k on x.target_type = 'contract' and k.tenant_id = x.tenant_id and k.id = x.target_id
      left join contact t on x.target_type = 'contact' and t.tenant_id = x.tenant_id and t.id = x.target_id
      left join customer tc on tc.tenant_id = t.tenant_id and tc.id = t.customer_id`,
    columns: sql`coalesce(c.name, l.name, b.name, k.name, t.name, '') as title, coalesce(tc.name, '') as sub, x.started_at as at`,
    person: sql`x.user_id`,
    opens: [
      sql`case x.target_type when 'contact' then 'customer' else x.target_type end`,
      sql`coalesce(tc.id, x.target_id)`,
    ],
    sort: { column: 'started_at', type: 'timestamptz', nullable: false },
    visible: ({ caller }) => sql<boolean>`coalesce(case x.target_type
      when 'customer' then ${isVisible(caller, 'customer', 'c')} and c.owner_id is not null
      when 'lead' then ${isVisible(caller, 'lead', 'l')} and l.owner_id is not null
      when 'bussiness' then ${isVisible(caller, 'bussiness', 'b')}
      when 'contract' then ${isVisible(caller, 'contract', 'k')}
      else ${isVisible(caller, 'customer', 'tc')} and tc.owner_id is not null end, false)`,
  },
}

/** Customers that came into a pool, by the time at which they did. */
export function pooledCustomers(question: StatQuestion): RowKind {
  return {
    ...KINDS.customer,
    from: sql`(select c.*, ${lastPublicMove(question, sql`c.id`)} as pooled_at from customer c) x`,
    columns: sql`x.name as title, x.customer_no as sub, x.pooled_at as at`,
    sort: { column: 'pooled_at', type: 'timestamptz', nullable: false },
  }
}
