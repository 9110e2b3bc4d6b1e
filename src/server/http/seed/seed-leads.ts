import { newId } from '../../kernel/db/id.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { searchColumns } from '../../kernel/words/search-columns.ts'
import { completeness } from '../../modules/leads/completeness.ts'
import { bulkInsert } from './bulk-insert.ts'
import { daysBetween } from './calendar.ts'
import { personName } from './companies.ts'
import { atExtremes, LEAD_EXTREMES } from './extremes.ts'
import type { SeededCustomer } from './seed-customers.ts'
import { commonColumns, inPool, ownedBy, pickSeller, type TenantPlan } from './tenant-plan.ts'
import WORDS from './words.json'

const STATUS = [
  [10, 25],
  [20, 30],
  [30, 15],
  [40, 18],
  [50, 12],
] as const
const SOURCES = [
  'referral',
  'search_engine',
  'website',
  'exhibition',
  'activity',
  'phone',
  'short_video',
  'business_card',
  'form_import',
]

/** Creates leads; converted ones refer to a customer of the tenant (DOMAIN 6.2). */
export async function seedLeads(plan: TenantPlan, customers: readonly SeededCustomer[]): Promise<void> {
  const { chance, calendar, size } = plan
  const rows = Array.from({ length: size.leads }, (_, index) => {
    const isOwned = index < size.leads - size.leadsInPool
    const seller = pickSeller(plan)
    const company = plan.nextCompany()
    const status = isOwned ? chance.weighted(STATUS) : chance.pick([10, 20])
    const customer = status === 40 ? chance.pick(customers.filter((it) => it.isOwned)) : null
    const mobile = plan.nextMobile()
    const wasFollowed = status !== 10
    const isMine = isOwned && index % 4 === 0
    // Owned leads are new or have a recent follow-up, otherwise the pool would have them by now (DOMAIN 1.2.1).
    const createdAt = calendar.ago(
      isMine && status < 40 ? chance.int(0, wasFollowed ? 20 : 3) : chance.int(1, 200),
    )
    const since = calendar.ago(
      Math.min(wasFollowed ? chance.int(2, 20) : 0, daysBetween(createdAt, calendar.now)),
    )
    const followedAt = wasFollowed ? calendar.ago(chance.int(0, isOwned ? 4 : 60)) : null
    const wasHad = chance.isTrue(0.6)
    const owner = isOwned
      ? ownedBy(
          seller,
          isMine ? createdAt : since,
          isMine ? 'created' : index % 3 === 0 ? 'claimed' : 'assigned',
        )
      : inPool(
          plan.pools.lead,
          calendar.ago(chance.int(0, 30)),
          chance.pick(['follow_overdue', 'no_need', 'unreachable', 'other_region'] as const),
          wasHad ? seller : null,
        )
    const filled = {
      contact_name: personName(chance),
      mobile,
      position: chance.isTrue(0.7) ? chance.pick(WORDS.positions) : null,
      industry: company.industry,
      scale: chance.isTrue(0.5) ? chance.pick(['s1_20', 's21_50', 's51_100']) : null,
      region: company.region,
      demand: chance.isTrue(0.8) ? chance.pick(WORDS.demands) : null,
      budget: chance.isTrue(0.6) ? Math.round(chance.logNormal(48_000, 1) / 1000) * 1000 : null,
      expected_date: chance.isTrue(0.4) ? calendar.day(-chance.int(5, 120)) : null,
      level: chance.weighted([
        ['hot', 20],
        ['warm', 50],
        ['cold', 30],
      ]),
      telephone: null,
      wechat: null,
      email: null,
      address: null,
      remark: null,
      ...atExtremes(index, LEAD_EXTREMES),
    }
    return {
      ...commonColumns(plan, seller.userId, createdAt),
      ...owner,
      name: company.name,
      company: company.name,
      ...filled,
      source: chance.pick(SOURCES),
      status,
      invalid_reason:
        status === 50 ? chance.pick(['bad_number', 'no_answer', 'no_need', 'not_target']) : null,
      converted_at:
        customer === null ? null : later(createdAt, calendar.ago(chance.int(0, 60)), calendar.now),
      converted_by: customer === null ? null : seller.userId,
      customer_id: customer?.id ?? null,
      score: completeness(filled),
      products: [],
      invalid_at: status === 50 ? later(createdAt, calendar.ago(chance.int(0, 40)), calendar.now) : null,
      attachments: [],
      follow_status: wasFollowed ? 'followed' : 'none',
      last_follow_at: followedAt,
      last_follow_content: followedAt === null ? null : chance.pick(WORDS.demands),
      last_follow_by: wasFollowed ? seller.userId : null,
      next_follow_at: isOwned && status < 40 ? calendar.ahead(chance.int(0, 10)) : null,
      ...searchColumns({ kind: 'company', name: company.name, phones: [mobile] }),
    }
  })
  await bulkInsert(plan.trx, 'lead', rows)
  await bulkInsert(
    plan.trx,
    'owner_record',
    rows.flatMap((row) => historyOf('lead', row, plan)),
  )
  await refreshExpiry(
    'lead',
    rows.map((row) => row.id),
    { trx: plan.trx, tenantId: plan.tenantId },
  )
}

/** The columns of a row that its history is made from. */
export interface OwnedRow {
  readonly id: string
  readonly created_by: string | null
  readonly created_at: Date
  readonly owner_id: string | null
  readonly owner_since: Date | null
  readonly obtain_way: string
  readonly prev_owner_id: string | null
  readonly pool_id: string | null
  readonly pool_entered_at: Date | null
  readonly pool_reason: string | null
}

/** The history of a record: created, and claimed from the pool or returned to it (DOMAIN 1.0). */
export function historyOf(entity: 'lead' | 'bussiness', row: OwnedRow, plan: TenantPlan): object[] {
  const record = (kind: string, at: Date, rest: object) => ({
    tenant_id: plan.tenantId,
    id: newId(),
    entity,
    record_id: row.id,
    from_user: null,
    to_user: null,
    from_pool: null,
    to_pool: null,
    reason: null,
    operator_id: row.created_by,
    kind,
    at,
    ...rest,
  })
  const pool = plan.pools[entity]
  if (row.pool_id !== null) {
    const former = row.prev_owner_id
    if (former === null) return [record('create', row.created_at, { to_pool: pool })]
    const kind = row.pool_reason?.endsWith('_overdue') ? 'recycle' : 'release'
    const departure = {
      from_user: former,
      to_pool: pool,
      reason: row.pool_reason,
      operator_id: kind === 'recycle' ? null : former,
    }
    return [
      record('create', row.created_at, { to_user: former }),
      record(kind, row.pool_entered_at ?? plan.calendar.now, departure),
    ]
  }
  if (row.obtain_way === 'created') return [record('create', row.created_at, { to_user: row.owner_id })]
  const kind = row.obtain_way === 'claimed' ? 'claim' : 'assign'
  return [
    record('create', row.created_at, { to_pool: pool }),
    record(kind, row.owner_since ?? row.created_at, { to_user: row.owner_id, from_pool: pool }),
  ]
}

/** `at` if it is later than `than`, else half way from `than` to now. */
const later = (than: Date, at: Date, now: Date): Date =>
  at > than ? at : new Date((than.getTime() + now.getTime()) / 2)
