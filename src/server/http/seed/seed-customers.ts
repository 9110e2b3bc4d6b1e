import { newId } from '../../kernel/db/id.ts'
import { expiryOf } from '../../kernel/pools/expiry.ts'
import { POOL_DEFAULTS } from '../../kernel/pools/settings.ts'
import { numberText } from '../../kernel/records/number.ts'
import { searchColumns } from '../../kernel/words/search-columns.ts'
import { websiteHost } from '../../kernel/words/website-host.ts'
import { bulkInsert } from './bulk-insert.ts'
import { daysBetween } from './calendar.ts'
import { type Company, followText, personName } from './companies.ts'
import { atExtremes, CONTACT_EXTREMES, CUSTOMER_EXTREMES, isBare } from './extremes.ts'
import {
  commonColumns,
  createNumbers,
  inPool,
  ownedBy,
  pickSeller,
  type Seller,
  type TenantPlan,
} from './tenant-plan.ts'
import WORDS from './words.json'

/** A customer with the data that later parts of the seed need. */
export interface SeededCustomer {
  readonly id: string
  readonly name: string
  readonly seller: Seller
  readonly isOwned: boolean
  readonly createdAt: Date
  readonly lastFollowAt: Date | null
  readonly contactIds: readonly string[]
  readonly person: string
  /** Has an open opportunity, so that nothing recycles it. */
  readonly isNegotiating: boolean
  readonly isDeal: boolean
}

const SOURCES = [
  ['referral', 22],
  ['search_engine', 12],
  ['website', 8],
  ['exhibition', 10],
  ['activity', 6],
  ['phone', 14],
  ['short_video', 10],
  ['cold_visit', 8],
  ['other', 10],
] as const
const LEVELS = [
  ['A', 10],
  ['B', 30],
  ['C', 45],
  ['D', 15],
] as const
const TAGS = [
  'quick_decision',
  'price_sensitive',
  'service_minded',
  'long_credit',
  'competitor_client',
  'can_refer',
]
const SCALES = ['s1_20', 's21_50', 's51_100', 's101_500', 's501_1000', 's1000_up']
const POOL_REASONS = [
  'no_need',
  'unreachable',
  'low_budget',
  'chose_competitor',
  'other_region',
  'follow_overdue',
  'deal_overdue',
] as const
const MONTHS_18 = 540
/** Customers that are about to be recycled were owned for longer than any rule's number of days without a follow-up. */
const LEAVING_AGE = 40

/** Creates customers, their contacts and ownership history. The first ones belong to `demo` and contain the edge cases (DOMAIN 6.2). */
export async function seedCustomers(
  plan: TenantPlan,
  demo: Seller | undefined,
): Promise<readonly SeededCustomer[]> {
  const numbers = createNumbers(plan.tenantId)
  const owned = plan.size.customers - plan.size.customersInPool
  const companies = Array.from({ length: plan.size.customers }, (_, index) =>
    edgeCompany(plan.nextCompany(), index),
  )
  const seeds = companies.map((companySeed, index) => {
    const twin = companies[TWINS[index] ?? -1]
    const company =
      twin === undefined
        ? companySeed
        : { ...companySeed, name: twin.name.replace('有限公司', '（集团）有限公司') }
    const isOwned = index < owned
    const seller = demo !== undefined && index < DEMO_OWNS ? demo : pickSeller(plan)
    return makeCustomer(plan, { index, isOwned, seller, numbers, company, isTwin: twin !== undefined })
  })
  await bulkInsert(
    plan.trx,
    'customer',
    seeds.map((seed) => seed.row),
  )
  await bulkInsert(
    plan.trx,
    'contact',
    seeds.flatMap((seed) => seed.contacts),
  )
  await bulkInsert(
    plan.trx,
    'owner_record',
    seeds.flatMap((seed) => seed.history),
  )
  await bulkInsert(plan.trx, 'document_counter', numbers.counters())
  return seeds.map((seed) => seed.seeded)
}

/** Three deliberate duplicates (DOMAIN 6.2): customer by index → the customer whose name it has in another spelling, as if confirmed. */
const TWINS: Readonly<Record<number, number>> = { 33: 1, 66: 2, 77: 3 }

/** Minimum number of customers of `demo`; more come by chance. */
export const DEMO_OWNS = 38

interface Maker {
  readonly index: number
  readonly isOwned: boolean
  readonly seller: Seller
  readonly numbers: ReturnType<typeof createNumbers>
  readonly company: Company
  readonly isTwin: boolean
}

function makeCustomer(plan: TenantPlan, maker: Maker) {
  const { chance, calendar } = plan
  const { index, isOwned, seller, company } = maker
  const ageDays = Math.max(1, Math.floor(MONTHS_18 * chance.next() ** 1.3))
  const isLeaving = index % 4 === 3
  const createdAt = calendar.ago(
    isLeaving ? Math.max(ageDays, LEAVING_AGE) : index % 9 === 0 ? chance.int(0, 25) : ageDays,
  )
  // Half of those about to be recycled have nothing that prevents it: no deal, no open opportunity.
  const isFree = index % 8 === 3
  const isDeal = isOwned && !isFree && chance.isTrue(0.33)
  const isNegotiating = isOwned && !isFree && !isDeal && chance.isTrue(0.35)
  const level = chance.weighted(LEVELS)
  const since = ownerSince(plan, createdAt, isOwned && !isDeal && !isNegotiating, isLeaving)
  const lastFollowAt = lastFollow(plan, {
    index,
    isOwned,
    isDeal: isDeal || isNegotiating,
    level,
    since,
    createdAt,
  })
  const common = commonColumns(plan, seller.userId, createdAt)
  const { contacts, person } = makeContacts(plan, common.id, seller, createdAt, index)
  const way = since > createdAt ? chance.pick(['claimed', 'assigned', 'transferred'] as const) : 'created'
  const enteredAt = calendar.ago(
    chance.int(0, Math.min(60, Math.floor(daysBetween(createdAt, calendar.now)))),
  )
  const owner = isOwned
    ? ownedBy(seller, since, way)
    : inPool(plan.pools.customer, enteredAt, chance.pick(POOL_REASONS), chance.isTrue(0.9) ? seller : null)
  const day = calendar.day(Math.floor(daysBetween(createdAt, calendar.now)))
  const customer_no = numberText('customer', day, maker.numbers.next('customer', day))
  const reach = waysToReach(plan, index)
  const next = isOwned && index % 5 !== 4 ? nextFollow(plan, index) : null
  const row = customerRow(plan, maker, {
    common,
    owner,
    reach,
    customer_no,
    level,
    createdAt,
    lastFollowAt,
    person,
    next,
    isDeal,
    isNegotiating,
    isLocked: index === 5,
    primary: contacts[0]?.id ?? null,
  })
  const seeded: SeededCustomer = {
    id: common.id,
    name: company.name,
    seller,
    isOwned,
    createdAt,
    lastFollowAt,
    contactIds: contacts.map((contact) => contact.id),
    person,
    isNegotiating,
    isDeal,
  }
  return {
    row,
    contacts,
    seeded,
    history: ownerHistory(plan, { ...maker, id: common.id, createdAt, since, way, enteredAt }),
  }
}

interface CustomerFacts {
  readonly common: ReturnType<typeof commonColumns>
  readonly owner: ReturnType<typeof ownedBy> | ReturnType<typeof inPool>
  readonly reach: ReturnType<typeof waysToReach>
  readonly customer_no: string
  readonly level: string
  readonly createdAt: Date
  readonly lastFollowAt: Date | null
  readonly person: string
  readonly next: Date | null
  readonly isDeal: boolean
  readonly isNegotiating: boolean
  readonly isLocked: boolean
  readonly primary: string | null
}

/** The columns of a customer. Their order matters: random values are drawn one after another. */
function customerRow(
  plan: TenantPlan,
  { index, seller, company, isTwin, isOwned }: Maker,
  facts: CustomerFacts,
) {
  const { chance, calendar } = plan
  const { common, owner, reach, customer_no, level, createdAt, lastFollowAt, person } = facts
  const { next, isDeal, isNegotiating, isLocked, primary } = facts
  const { mobile, telephone, website } = reach
  return {
    ...common,
    ...owner,
    name: company.name,
    short_name: company.shortName,
    customer_no,
    customer_type: chance.weighted([
      ['end_user', 70],
      ['channel', 12],
      ['agent', 8],
      ['partner', 6],
      ['other', 4],
    ]),
    level,
    source: chance.weighted(SOURCES),
    industry: company.industry,
    industry_path: [company.industry],
    scale: chance.pick(SCALES),
    stage: isDeal
      ? chance.pick(['deal', 'repurchase'])
      : chance.pick(['potential', 'first_contact', 'intent', 'quoted']),
    mobile,
    telephone,
    email: chance.isTrue(0.3) ? `contact${index}@example.cn` : null,
    website,
    website_host: websiteHost(website),
    credit_code: chance.isTrue(0.6) ? company.creditCode : null,
    region: company.region,
    address: company.address,
    lng: company.place?.[0] ?? null,
    lat: company.place?.[1] ?? null,
    tags: chance.isTrue(0.5) ? [chance.pick(TAGS)] : [],
    wechat: null,
    remark: chance.pick(WORDS.remarks) || null,
    ...atExtremes(index, CUSTOMER_EXTREMES),
    attachments: [],
    primary_contact_id: primary,
    deal_status: isDeal ? 1 : 0,
    deal_at: isDeal
      ? calendar.ago(chance.int(0, Math.max(0, Math.floor(daysBetween(createdAt, calendar.now)))))
      : null,
    deal_count: isDeal ? (chance.isTrue(0.3) ? 2 : 1) : 0,
    lock_status: isLocked,
    follow_status: lastFollowAt === null || !isOwned ? 'none' : 'followed',
    last_follow_at: lastFollowAt,
    last_follow_by: lastFollowAt === null ? null : seller.userId,
    last_follow_content: lastFollowAt === null ? null : followText(chance, person, null).slice(0, 120),
    next_follow_at: next,
    expire_at:
      expiryOf(
        'customer',
        {
          ...owner,
          level,
          is_done: isDeal,
          is_locked: isLocked,
          last_follow_at: lastFollowAt,
          stage_since: null,
          has_open_bussiness: isNegotiating,
        },
        POOL_DEFAULTS.customer,
        null,
      )?.at ?? null,
    dup_allowed: isTwin,
    ...searchColumns({
      kind: 'company',
      name: company.name,
      shortName: isBare(index) ? null : company.shortName,
      number: customer_no,
      phones: [mobile, telephone],
    }),
  }
}

/** Phone numbers and website, if the customer has them. */
function waysToReach(plan: TenantPlan, index: number) {
  const { chance } = plan
  const hasPhone = index !== 7
  const ownMobile = hasPhone && chance.isTrue(0.5) ? plan.nextMobile() : null
  const ownTelephone =
    hasPhone && chance.isTrue(0.4)
      ? `0755-${chance.int(2, 8)}${String(chance.int(0, 999_999)).padStart(6, '0')}`
      : null
  const ownWebsite = chance.isTrue(0.3) ? `https://www.example-${index}.cn` : null
  const none = { mobile: null, telephone: null, website: null }
  return isBare(index) ? none : { mobile: ownMobile, telephone: ownTelephone, website: ownWebsite }
}

/** Forty-character names and names in mixed scripts are among the first. */
function edgeCompany(company: Company, index: number): Company {
  const long = WORDS.longNames[index - 10]
  const mixed = WORDS.mixedNames[index - 20]
  return { ...company, name: long ?? mixed ?? company.name }
}

/** A date of receipt late enough that the recycling rules have not applied yet. */
function ownerSince(plan: TenantPlan, createdAt: Date, isRecyclable: boolean, isLeaving: boolean): Date {
  if (!isRecyclable) return createdAt
  const latest = plan.calendar.ago(plan.chance.int(isLeaving ? LEAVING_AGE : 2, 80))
  return latest > createdAt ? latest : createdAt
}

/** The last follow-up, none of which is older than its customer. */
function lastFollow(plan: TenantPlan, it: Parameters<typeof followedLast>[1]): Date | null {
  const at = followedLast(plan, it)
  return at === null || at > it.createdAt ? at : it.createdAt
}

function followedLast(
  { calendar, chance }: TenantPlan,
  it: { index: number; isOwned: boolean; isDeal: boolean; level: string; since: Date; createdAt: Date },
): Date | null {
  const rules = POOL_DEFAULTS.customer.recycle_no_follow_days
  const limit = rules[it.level] ?? rules.default ?? 0
  const sinceDays = Math.floor(daysBetween(it.since, calendar.now))
  if (!it.isOwned) return chance.isTrue(0.8) ? calendar.ago(chance.int(20, 200)) : null
  if (it.isDeal) return calendar.ago(chance.int(0, Math.min(60, Math.max(0, sinceDays))))
  // Every fourth is about to be recycled: tomorrow or the day after, independent of the time of seeding.
  const days = it.index % 4 === 3 ? limit - 1 - (it.index % 2) : chance.int(0, limit - 5)
  return sinceDays <= 1 ? null : calendar.ago(Math.min(Math.max(0, days), sinceDays - 1))
}

/** Overdue, today and the following days, in turn (DOMAIN 6.2). */
function nextFollow({ calendar, chance }: TenantPlan, index: number): Date {
  const turn = index % 5
  if (turn === 0) return calendar.ago(chance.int(1, 7))
  return turn === 1 ? calendar.ahead(0) : calendar.ahead(chance.int(1, 14))
}

function makeContacts(plan: TenantPlan, customerId: string, seller: Seller, at: Date, index: number) {
  const { chance } = plan
  const count = chance.weighted([
    [1, 55],
    [2, 30],
    [3, 15],
  ])
  const contacts = Array.from({ length: count }, (_, place) => {
    const name = personName(chance)
    const mobile = index === 7 ? null : plan.nextMobile()
    const { name_norm: _norm, ...search } = searchColumns({ kind: 'person', name, phones: [mobile] })
    return {
      ...commonColumns(plan, seller.userId, at),
      customer_id: customerId,
      name,
      mobile,
      wechat: mobile === null || chance.isTrue(0.3) ? `wx_${index}_${place}` : null,
      gender: chance.pick(['male', 'female']),
      department: chance.pick(WORDS.departments),
      position: chance.pick(WORDS.positions),
      role: chance.pick(['decision_maker', 'influencer', 'user', 'buyer', 'tech_evaluator', 'finance']),
      is_key: place === 0 && chance.isTrue(0.5),
      is_primary: place === 0,
      attitude: chance.pick(['support', 'neutral', 'unknown']),
      status: 'active',
      birthday: chance.isTrue(0.3)
        ? `19${chance.int(65, 99)}-${String(chance.int(1, 12)).padStart(2, '0')}-15`
        : null,
      telephone: null,
      email: null,
      qq: null,
      hobby: null,
      region: [],
      address: null,
      remark: null,
      ...atExtremes(index, CONTACT_EXTREMES),
      attachments: [],
      ...search,
    }
  })
  return { contacts, person: contacts[0]?.name ?? '' }
}

function ownerHistory(
  plan: TenantPlan,
  it: Maker & { id: string; createdAt: Date; since: Date; way: string; enteredAt: Date },
): object[] {
  const { chance, tenantId, pools } = plan
  const me = it.seller.userId
  const record = (kind: string, at: Date, rest: object) => ({
    tenant_id: tenantId,
    id: newId(),
    entity: 'customer',
    record_id: it.id,
    from_user: null,
    to_user: null,
    from_pool: null,
    to_pool: null,
    reason: null,
    operator_id: me,
    kind,
    at,
    ...rest,
  })
  const first = it.way === 'created' ? me : pickSeller(plan).userId
  const isCreatedInPool = !it.isOwned && chance.isTrue(0.1)
  const created = isCreatedInPool
    ? record('create', it.createdAt, { to_pool: pools.customer })
    : record('create', it.createdAt, {
        to_user: it.isOwned ? first : me,
        operator_id: it.isOwned ? first : me,
      })
  if (!it.isOwned) {
    const kind = chance.isTrue(0.6) ? 'release' : 'recycle'
    const departure = record(kind, it.enteredAt, {
      from_user: me,
      to_pool: pools.customer,
      reason: chance.pick(POOL_REASONS),
    })
    return isCreatedInPool ? [created] : [created, departure]
  }
  if (it.way === 'created') return [created]
  if (it.way === 'transferred')
    return [created, record('transfer', it.since, { from_user: first, to_user: me })]
  const kind = it.way === 'claimed' ? 'claim' : 'assign'
  return [created, record(kind, it.since, { to_user: me, from_pool: pools.customer })]
}
