import type { Trx } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/db/id.ts'
import type { Calendar } from './calendar.ts'
import type { createCompanies } from './companies.ts'
import type { Chance } from './random.ts'

/** The size of a demo tenant (DOMAIN 6.1); `…InPool` are included in the number before. */
export interface TenantSize {
  readonly customers: number
  readonly customersInPool: number
  readonly leads: number
  readonly leadsInPool: number
  readonly bussiness: number
  readonly bussinessInPool: number
  readonly contracts: number
  readonly payments: number
  readonly follows: number
}

/** A person who may own records. */
export interface Seller {
  readonly userId: string
  readonly deptId: string
  /** Their share of the records. */
  readonly weight: number
}

/** The context that all parts of a tenant's demo data share. */
export interface TenantPlan {
  readonly trx: Trx
  readonly tenantId: string
  readonly size: TenantSize
  readonly sellers: readonly Seller[]
  readonly pools: Readonly<Record<'customer' | 'lead' | 'bussiness', string>>
  readonly chance: Chance
  readonly calendar: Calendar
  readonly nextCompany: ReturnType<typeof createCompanies>
  readonly nextMobile: () => string
}

/** The columns of every row; the id sorts by creation time. */
export function commonColumns(plan: TenantPlan, by: string | null, at: Date) {
  return {
    tenant_id: plan.tenantId,
    id: newId(),
    created_by: by,
    created_at: at,
    updated_by: by,
    updated_at: at,
    version: 1,
    ext: {},
  }
}

/** A random seller, weighted by share. */
export function pickSeller(plan: TenantPlan): Seller {
  return plan.chance.weighted(plan.sellers.map((seller) => [seller, seller.weight] as const))
}

/** Ownership columns of a record that belongs to `seller`, or is in a pool after they owned it. */
export function ownedBy(
  seller: Seller,
  since: Date,
  way: 'created' | 'claimed' | 'assigned' | 'transferred' | 'converted',
) {
  return {
    owner_id: seller.userId,
    owner_dept_id: seller.deptId,
    owner_since: since,
    obtain_way: way,
    prev_owner_id: null,
    pool_id: null,
    pool_entered_at: null,
    pool_reason: null,
    pool_times: 0,
  }
}

/** Ownership columns of a record in a pool. */
export function inPool(poolId: string, enteredAt: Date, reason: string, before: Seller | null) {
  return {
    owner_id: null,
    owner_dept_id: null,
    owner_since: null,
    obtain_way: 'created' as const,
    prev_owner_id: before?.userId ?? null,
    pool_id: poolId,
    pool_entered_at: enteredAt,
    pool_reason: reason,
    pool_times: before === null ? 0 : 1,
  }
}

/** Document numbers, counted per day, and the resulting values of the counters. */
export function createNumbers(tenantId: string) {
  const counts = new Map<string, number>()
  return {
    next(kind: string, day: string): number {
      const key = `${kind}/${day}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count
    },
    counters() {
      return [...counts].map(([key, last_number]) => {
        const [kind = '', day = ''] = key.split('/')
        return { tenant_id: tenantId, kind, day, last_number }
      })
    },
  }
}
