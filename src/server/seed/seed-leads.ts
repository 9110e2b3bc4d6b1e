import { searchColumns } from '../search/search-columns.ts'
import { bulkInsert } from './bulk-insert.ts'
import { personName } from './companies.ts'
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

/** Makes leads; converted ones point at a customer of the tenant (CRM 6.2). */
export async function seedLeads(plan: TenantPlan, customers: readonly SeededCustomer[]): Promise<void> {
  const { chance, calendar, size } = plan
  const rows = Array.from({ length: size.leads }, (_, index) => {
    const isOwned = index < size.leads - size.leadsInPool
    const seller = pickSeller(plan)
    const company = plan.nextCompany()
    const createdAt = calendar.ago(chance.int(1, 200))
    const status = isOwned ? chance.weighted(STATUS) : chance.pick([10, 20])
    const customer = status === 40 ? chance.pick(customers.filter((it) => it.isOwned)) : null
    const mobile = plan.nextMobile()
    const wasFollowed = status !== 10
    const owner = isOwned
      ? ownedBy(seller, calendar.ago(chance.int(0, 6)), 'assigned')
      : inPool(
          plan.pools.lead,
          calendar.ago(chance.int(0, 30)),
          'follow_overdue',
          chance.isTrue(0.6) ? seller : null,
        )
    return {
      ...commonColumns(plan, seller.userId, createdAt),
      ...owner,
      name: company.name,
      company: company.name,
      contact_name: personName(chance),
      mobile,
      position: chance.pick(WORDS.positions),
      source: chance.pick(SOURCES),
      level: chance.weighted([
        ['hot', 20],
        ['warm', 50],
        ['cold', 30],
      ]),
      industry: company.industry,
      region: company.region,
      demand: chance.pick(WORDS.demands),
      budget: Math.round(chance.logNormal(48_000, 1) / 1000) * 1000,
      status,
      invalid_reason:
        status === 50 ? chance.pick(['bad_number', 'no_answer', 'no_need', 'not_target']) : null,
      converted_at: customer === null ? null : calendar.ago(chance.int(0, 60)),
      converted_by: customer === null ? null : seller.userId,
      customer_id: customer?.id ?? null,
      score: chance.int(40, 100),
      attachments: [],
      follow_status: wasFollowed ? 'followed' : 'none',
      last_follow_at: wasFollowed ? calendar.ago(chance.int(0, 6)) : null,
      last_follow_by: wasFollowed ? seller.userId : null,
      next_follow_at: isOwned && status < 40 ? calendar.ahead(chance.int(0, 10)) : null,
      ...searchColumns({ kind: 'company', name: company.name, phones: [mobile] }),
    }
  })
  await bulkInsert(plan.trx, 'lead', rows)
}
