import type { OwnRights } from '../auth/permissions.ts'

/** Entities with an owner or a pool (DOMAIN 1.0). */
export type PoolEntity = 'customer' | 'lead' | 'bussiness'
/** Whatever lies in pools: those, and records of own modules that say `pool`. */
export type PoolName = PoolEntity | OwnRights
/** The records a salesperson works with: those, and the contacts of a customer. */
export type SalesEntity = PoolEntity | 'contact'

export const POOL_ENTITIES: readonly PoolEntity[] = ['customer', 'lead', 'bussiness']

/** Display names of the entities; used as `{what}` in many texts. */
export const ENTITY_TEXT = {
  customer: 'entity.customer',
  lead: 'entity.lead',
  bussiness: 'entity.bussiness',
  contact: 'entity.contact',
} as const
