import { sql } from 'kysely'
import type { BussinessCard } from '../../../contract/bussiness.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { filled } from '../../kernel/lists/keyset.ts'
import { keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import {
  OWNED_FILTERS,
  OWNED_SORTS,
  ownedBranches,
  ownedFound,
  ownedTabs,
  ownerAndStar,
} from '../../kernel/lists/owned-list.ts'
import { statCondition } from '../../kernel/lists/stat-rows.ts'
import { remainingDays } from '../../kernel/pools/expiry.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { dayText, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import { type MaskableRow, maskOf, maskRow, poolMasks } from '../../kernel/visibility/masking.ts'
import { isInScope, isVisible, isVisibleOwned, isWritable } from '../../kernel/visibility/predicate.ts'
import { type BussinessState, bussinessActions } from './actions.ts'

const SORTS = {
  ...OWNED_SORTS,
  amount: filled('amount', 'numeric'),
  expected_date: filled('expected_date', 'date'),
  win_rate: filled('win_rate', 'numeric'),
  stage_since: filled('stage_since', 'timestamptz'),
}

const DAY_MS = 86_400_000
/** 停滞: days without a change of stage from which on an opportunity counts as stalled (DOMAIN 1.5). */
const STALLED_DAYS = 14

const today = ({ now, zone }: CallContext, days = 0) => dayText(startOfDay(wallTimeOf(now, zone), days))

/** The first days of this month and of the next. */
function monthOf({ now, zone }: CallContext): readonly [string, string] {
  const wall = new Date(wallTimeOf(now, zone))
  const first = (months: number) => dayText(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + months, 1))
  return [first(0), first(1)]
}

/** The list of opportunities that have an owner (DOMAIN 1.5, 1.15). */
export const BUSSINESS_LIST: ListSpec = {
  entity: 'bussiness',
  row: 'b',
  table: sql`bussiness b`,
  from: (ctx) => sql`bussiness b
    left join customer c on c.tenant_id = b.tenant_id and c.id = b.customer_id
    ${ownerAndStar('bussiness', 'b', 'b', ctx)}`,
  columns: (
    { caller },
    isCounted,
  ) => sql`b.id, b.name, b.customer_id, c.name as customer_name, b.amount, b.weighted, b.flow_id, b.stage_id,
    b.win_rate, b.status, b.expected_date, b.stage_since, b.type, b.last_follow_at, b.next_follow_at, b.expire_at,
    b.owner_id, o.name as owner_name, b.created_at, s.record_id is not null as starred, ${poolMasks('b')},
    ${isInScope(caller, 'bussiness', 'b')} as in_scope, ${isWritable(caller, 'bussiness', 'b')} as can_write,
    ${isCounted ? isVisible(caller, 'bussiness', 'b') : sql`true`} as visible`,
  visible: ({ caller }) => isVisibleOwned(caller, 'bussiness', 'b'),
  scoped: true,
  found: ownedFound('bussiness', 'b'),
  branches: ownedBranches('bussiness', 'b', ['open', 'this_month', 'past_due', 'stalled', 'won', 'lost'], {
    owner: [
      'amount asc',
      'amount desc',
      'expected_date asc',
      'expected_date desc',
      'win_rate asc',
      'win_rate desc',
      'stage_since asc',
      'stage_since desc',
    ],
    dept: ['expected_date asc', 'expected_date desc'],
  }),
  filters: { ...OWNED_FILTERS, status: { kind: 'number', column: 'status' } },
  sorts: SORTS,
  defaultSort: [{ by: SORTS.last_follow_at, dir: 'desc' }],
  tabs: {
    ...ownedTabs('bussiness', 'b'),
    open: { where: () => sql<boolean>`(b.owner_id is not null and b.status = 1)` },
    this_month: {
      where: (ctx) => {
        const [from, to] = monthOf(ctx)
        return sql<boolean>`(b.owner_id is not null and b.status = 1
          and b.expected_date >= ${from}::date and b.expected_date < ${to}::date)`
      },
      sort: [{ by: SORTS.expected_date, dir: 'asc' }],
    },
    past_due: {
      where: (ctx) =>
        sql<boolean>`(b.owner_id is not null and b.status = 1 and b.expected_date < ${today(ctx)}::date)`,
      sort: [{ by: SORTS.expected_date, dir: 'asc' }],
    },
    stalled: {
      where: ({ now }) => sql<boolean>`(b.owner_id is not null and b.status = 1
        and b.stage_since < ${new Date(now.getTime() - STALLED_DAYS * DAY_MS)})`,
      sort: [{ by: SORTS.stage_since, dir: 'asc' }],
    },
    won: { where: () => sql<boolean>`(b.owner_id is not null and b.status = 2)` },
    lost: { where: () => sql<boolean>`(b.owner_id is not null and b.status in (3, 4))` },
  },
  defaultTab: 'all',
  keyword: (keyword, { caller }) => sql<boolean>`(${keywordCondition('b', keyword, 'bussiness_no')}
    or b.customer_id = any(array(select x.id from customer x where x.tenant_id = ${caller.tenantId}
      and x.deleted_at is null and ${keywordCondition('x', keyword, 'customer_no', sql<boolean>`false`)})))`,
  keywordOfRow: (keyword) => sql<boolean>`(${keywordCondition('b', keyword, 'bussiness_no')}
    or exists (select 1 from customer x where x.tenant_id = b.tenant_id and x.id = b.customer_id
      and x.deleted_at is null and ${keywordCondition('x', keyword, 'customer_no', sql<boolean>`false`)}))`,
  stat: (ctx, stat) => statCondition(ctx, stat, 'bussiness', 'b'),
}

/** A row of the opportunity list, as queried. */
export interface BussinessRow extends BussinessState, MaskableRow {
  readonly owner_id: string | null
  readonly expected_date: string
  readonly stage_since: Date
  readonly expire_at: Date | null
  /** False for a row that is only listed because a figure of the statistics counts it. */
  readonly visible: boolean
}

/** Columns that only decide what is shown of the others. */
const UNSHOWN: ReadonlySet<string> = new Set([
  'in_scope',
  'can_write',
  'pool_masks',
  'expire_at',
  'stage_since',
  'visible',
])

/** True for an open opportunity whose expected day has passed. */
export const isPastDue = (
  { status, expected_date }: { readonly status?: unknown; readonly expected_date?: unknown },
  ctx: CallContext,
): boolean => status === 1 && typeof expected_date === 'string' && expected_date < today(ctx)

/** The card of an opportunity (DOMAIN 1.15). */
export function bussinessCard(row: BussinessRow, ctx: CallContext): BussinessCard {
  const { caller, now, zone } = ctx
  const drawn = wireRow(maskRow(row, maskOf(caller, 'bussiness', row)), zone, UNSHOWN)
  return Object.assign(drawn as unknown as BussinessCard, {
    overdue: isPastDue(row, ctx),
    stage_days: Math.floor((now.getTime() - row.stage_since.getTime()) / DAY_MS),
    left_days: remainingDays(row.expire_at, now),
    actions: row.visible ? (bussinessActions(caller, row) as BussinessCard['actions']) : [],
  })
}
