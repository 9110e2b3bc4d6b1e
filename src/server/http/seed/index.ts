import { sql } from 'kysely'
import { POOL_ENTITIES } from '../../kernel/context/entities.ts'
import type { Database, Trx } from '../../kernel/db/database.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { seedAccounts } from './accounts.ts'
import { bulkInsert } from './bulk-insert.ts'
import { createCalendar } from './calendar.ts'
import { createCompanies, createMobiles } from './companies.ts'
import { firstPoolId } from './new-tenant.ts'
import { createChance } from './random.ts'
import { DEMO_OWNS, type SeededCustomer, seedCustomers } from './seed-customers.ts'
import { type Deciders, seedDeals } from './seed-deals.ts'
import { seedFollows } from './seed-follows.ts'
import { seedLeads } from './seed-leads.ts'
import { seedPapers } from './seed-papers.ts'
import { seedTrade } from './seed-trade.ts'
import { seedWork } from './seed-work.ts'
import type { Seller, TenantPlan, TenantSize } from './tenant-plan.ts'

/** The size of each demo tenant (DOMAIN 6.1); 空白企业 only has empty pools. */
const SIZES: Readonly<Record<string, TenantSize>> = {
  xinghai: {
    customers: 600,
    customersInPool: 150,
    leads: 400,
    leadsInPool: 160,
    bussiness: 260,
    bussinessInPool: 30,
    contracts: 90,
    payments: 150,
    follows: 3000,
  },
  yunfan: {
    customers: 80,
    customersInPool: 20,
    leads: 60,
    leadsInPool: 20,
    bussiness: 30,
    bussinessInPool: 4,
    contracts: 12,
    payments: 15,
    follows: 300,
  },
}
const FIXED_SEED = 20_260_418
const DEMO = 'u-demo'

/**
 * Fills an empty database with the demo tenants (DOMAIN 6), once: a second call does nothing. The data is the same every time, with dates relative to
 * `now`. Never in production.
 *
 * @returns true if it was filled by this call
 */
export async function seedDemo(database: Database, now: Date = new Date()): Promise<boolean> {
  const isFilled = await database.system(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    const { rows } = await sql`select 1 from tenant limit 1`.execute(trx)
    if (rows.length > 0) return false
    await seedAccounts(trx)
    const tenants = await sql<{
      id: string
      timezone: string
    }>`select id, timezone from tenant order by id`.execute(trx)
    for (const tenant of tenants.rows) await seedTenant(trx, tenant, now)
    return true
  })
  // The embedded database has no autovacuum: without this call the planner has no statistics.
  if (isFilled) await database.owner((trx) => sql`analyze`.execute(trx))
  return isFilled
}

const LOCK = 0x63726d22

async function seedTenant(trx: Trx, tenant: { id: string; timezone: string }, now: Date): Promise<void> {
  const size = SIZES[tenant.id]
  if (size === undefined) return
  const chance = createChance(FIXED_SEED + tenant.id.length)
  const people = await peopleOf(trx, tenant.id)
  const plan: TenantPlan = {
    trx,
    tenantId: tenant.id,
    size,
    sellers: people
      .filter((it) => it.sells)
      .map((it) => ({ ...it, weight: it.userId === DEMO ? 6 : chance.logNormal(22, 0.4) })),
    pools: {
      customer: firstPoolId(tenant.id, 'customer'),
      lead: firstPoolId(tenant.id, 'lead'),
      bussiness: firstPoolId(tenant.id, 'bussiness'),
    },
    chance,
    calendar: createCalendar(now, tenant.timezone, chance),
    nextCompany: createCompanies(chance),
    nextMobile: createMobiles(chance),
  }
  const demo =
    size.customers > 10 * DEMO_OWNS ? plan.sellers.find((seller) => seller.userId === DEMO) : undefined
  const customers = await seedCustomers(plan, demo)
  await seedLeads(plan, customers)
  await seedFollows(plan, customers)
  await seedDeals(plan, customers, decidersOf(people))
  await shareWith(plan, demo, customers)
  await keepToday(plan)
  await seedTrade(plan)
  await seedPapers(plan)
  await seedWork(plan, tenant.timezone, demo !== undefined)
}

interface Person extends Omit<Seller, 'weight'> {
  readonly sells: boolean
  readonly supervisorId: string | null
  readonly role: string
}

async function peopleOf(trx: Trx, tenantId: string): Promise<readonly Person[]> {
  const { rows } = await sql<Person>`
    select m.user_id as "userId", coalesce(m.dept_id, '') as "deptId", m.supervisor_id as "supervisorId", r.code as role,
      r.code in ('sales', 'sales_manager') as sells
    from membership m
    join role_assignment a on a.tenant_id = m.tenant_id and a.user_id = m.user_id
    join role r on r.tenant_id = a.tenant_id and r.id = a.role_id
    where m.tenant_id = ${tenantId} order by m.employee_no`.execute(trx)
  return rows
}

function decidersOf(people: readonly Person[]): Deciders {
  return {
    approverOf: (userId) => people.find((it) => it.userId === userId)?.supervisorId ?? null,
    finance: people.find((it) => it.role === 'finance')?.userId ?? null,
  }
}

const DAY_MS = 86_400_000

/** Lets the recycling rules start on the day of the demo, so that nobody loses a record on the first day (DOMAIN 1.2.3). */
async function keepToday({ trx, tenantId, calendar }: TenantPlan): Promise<void> {
  const until = new Date(calendar.now.getTime() + DAY_MS)
  await sql`update pool set grace_until = ${until} where tenant_id = ${tenantId}`.execute(trx)
  for (const entity of POOL_ENTITIES) {
    const { rows } = await sql<{
      id: string
    }>`select id from ${sql.table(entity)} where tenant_id = ${tenantId}
      and owner_id is not null and expire_at < ${until}`.execute(trx)
    const ids = rows.map((row) => row.id)
    await refreshExpiry(entity, ids, { trx, tenantId })
  }
}

/** The account `demo` is a collaborator on some customers of colleagues and has starred some of its own. */
async function shareWith(
  plan: TenantPlan,
  demo: Seller | undefined,
  customers: readonly SeededCustomer[],
): Promise<void> {
  if (demo === undefined) return
  const others = customers.filter((customer) => customer.isOwned && customer.seller !== demo).slice(0, 4)
  const shared = others.map((other, index) => ({
    tenant_id: plan.tenantId,
    entity: 'customer',
    record_id: other.id,
    user_id: demo.userId,
    level: index % 2 === 0 ? 'read' : 'write',
    created_by: other.seller.userId,
  }))
  const starred = customers.slice(0, 5).map((customer) => ({
    tenant_id: plan.tenantId,
    user_id: demo.userId,
    entity: 'customer',
    record_id: customer.id,
  }))
  await bulkInsert(plan.trx, 'collaborator', shared)
  await bulkInsert(plan.trx, 'star', starred)
}
