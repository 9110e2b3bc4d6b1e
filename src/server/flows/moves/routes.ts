import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { writer } from '../../kernel/calls/standard-routes.ts'
import { POOL_ENTITIES } from '../../kernel/context/entities.ts'
import { salesPool } from '../pools/pool-kind.ts'
import { release } from '../pools/release.ts'
import { type Conversion, convertRecord } from './convert-record.ts'
import { lockCustomers, setDeal } from './lock.ts'
import { mergeCustomers } from './merge.ts'
import { mergeChoices } from './merge-choices.ts'
import { transfer } from './transfer.ts'

const words = { type: 'string', minLength: 1, maxLength: 64 } as const
const CONVERSION = {
  querystring: {
    type: 'object',
    required: ['of', 'id', 'to'],
    properties: { of: words, id: words, to: words },
  },
} as const

const TWO_IDS = {
  querystring: { type: 'object', required: ['id', 'other'], properties: { id: words, other: words } },
} as const

/** Transfer and release of every owned record; lock, deal and merge of customers (DOMAIN 8.4); conversion of a record into another module. */
export const moveRoutes: Resource = (app, services) => {
  app.get<{ Querystring: Conversion }>('/mini/convert', { schema: CONVERSION }, (request) =>
    runRead(services, callerOf(request), (ctx) => convertRecord(request.query, ctx)),
  )
  for (const entity of POOL_ENTITIES) {
    const write = writer(app, services, entity)
    write(`/mini/${entity}/transfer`, `${entity}:transfer`, (body, ctx) => transfer(entity, body, ctx))
    write(`/mini/${entity}/release`, `${entity}:release`, (body, ctx) =>
      release(salesPool(entity), body, ctx),
    )
  }
  const write = writer(app, services, 'customer')
  write('/mini/customer/lock', 'customer:lock', lockCustomers)
  write('/mini/customer/deal', 'customer:deal', setDeal)
  write('/mini/customer/merge', 'customer:merge', mergeCustomers)
  app.get<{ Querystring: { id: string; other: string } }>(
    '/mini/customer/merge/choices',
    { schema: TWO_IDS, config: { permission: 'customer:merge' } },
    (request) =>
      runRead(services, callerOf(request), (ctx) => mergeChoices(request.query.id, request.query.other, ctx)),
  )
}
