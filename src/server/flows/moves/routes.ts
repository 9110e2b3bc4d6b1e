import { POOL_ENTITIES } from '../../kernel/asking/entities.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { writer } from '../../kernel/calls/standard-routes.ts'
import { release } from '../pools/release.ts'
import { lockCustomers, setDeal } from './lock.ts'
import { mergeCustomers } from './merge.ts'
import { transfer } from './transfer.ts'

/** Transfer and release of every owned record; lock, deal and merge of customers (DOMAIN 8.4). */
export const moveRoutes: Resource = (app, services) => {
  for (const entity of POOL_ENTITIES) {
    const write = writer(app, services, entity)
    write(`/mini/${entity}/transfer`, `${entity}:transfer`, (body, asking) => transfer(entity, body, asking))
    write(`/mini/${entity}/release`, `${entity}:release`, (body, asking) => release(entity, body, asking))
  }
  const write = writer(app, services, 'customer')
  write('/mini/customer/lock', 'customer:lock', lockCustomers)
  write('/mini/customer/deal', 'customer:deal', setDeal)
  write('/mini/customer/merge', 'customer:merge', mergeCustomers)
}
