import { bulkInsert } from './bulk-insert.ts'
import { daysBetween } from './calendar.ts'
import { followText } from './companies.ts'
import type { SeededCustomer } from './seed-customers.ts'
import { commonColumns, type TenantPlan } from './tenant-plan.ts'

const METHODS = [
  ['call', 45],
  ['wechat', 25],
  ['visit', 14],
  ['online_meeting', 8],
  ['email', 4],
  ['customer_visit', 4],
] as const
const RESULTS = ['interested', 'follow_again', 'quoted', 'appointed', 'no_answer', 'no_need_now']
/** The customer with the long timeline (DOMAIN 6.2). */
const LONG = { index: 2, entries: 120 }
const MINUTE_MS = 60_000

/** Creates the follow-ups of customers; the newest of each is in its summary. */
export async function seedFollows(plan: TenantPlan, customers: readonly SeededCustomer[]): Promise<void> {
  const followed = customers
    .map((customer, index) => ({ customer, index }))
    .filter(({ customer }) => customer.lastFollowAt !== null)
  const long = plan.size.follows >= 1000 ? LONG.entries : 0
  const rest = plan.size.follows - long
  const counts = followed.map(
    (_, place) =>
      Math.floor((rest * (place + 1)) / followed.length) - Math.floor((rest * place) / followed.length),
  )
  const rows = followed.flatMap(({ customer, index }, place) => {
    const extra = index === LONG.index ? long : 0
    return Array.from({ length: (counts[place] ?? 0) + extra }, (_, nth) => followRow(plan, customer, nth))
  })
  await bulkInsert(plan.trx, 'follow', rows)
}

function followRow(plan: TenantPlan, customer: SeededCustomer, nth: number) {
  const { chance, calendar } = plan
  const newest = customer.lastFollowAt ?? calendar.now
  const span = Math.max(0, Math.floor(daysBetween(customer.createdAt, newest)))
  const earlier = new Date(newest.getTime() - chance.int(0, span) * 86_400_000 - nth * 11 * MINUTE_MS)
  const at =
    nth === 0
      ? newest
      : earlier > customer.createdAt
        ? earlier
        : new Date(customer.createdAt.getTime() + nth * MINUTE_MS)
  const followedAt = new Date(Math.min(at.getTime(), newest.getTime()))
  const createdAt = new Date(followedAt.getTime() + chance.int(0, 4) * MINUTE_MS)
  const common = commonColumns(
    plan,
    customer.seller.userId,
    createdAt > calendar.now ? followedAt : createdAt,
  )
  const method = chance.weighted(METHODS)
  return {
    ...common,
    target_type: 'customer',
    target_id: customer.id,
    customer_id: customer.id,
    contact_ids: customer.contactIds.slice(0, 1),
    method,
    content: followText(chance, customer.person, method),
    result: chance.pick(RESULTS),
    followed_at: followedAt,
    images: [],
    files: [],
    audio: [],
    mention_ids: [],
    source: 'manual',
    comment_count: 0,
    author_id: customer.seller.userId,
  }
}
