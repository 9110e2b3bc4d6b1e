import { callerOf } from '../../kernel/auth/caller.ts'
import { ONE_ID, type OneId } from '../../kernel/calls/one-id.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { ownedRoutes, salesRoutes } from '../../kernel/calls/sales-routes.ts'
import { type RecordKind, standardRoutes, writer } from '../../kernel/calls/standard-routes.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import { updateRecord } from '../../kernel/records/change-record.ts'
import { salesLog } from '../../kernel/records/history.ts'
import { removeRecord, restoreRecord } from '../../kernel/records/remove-record.ts'
import { type CardRow, customerCard } from './card.ts'
import { CUSTOMER_CHANGE } from './change-customer.ts'
import { createCustomer } from './create-customer.ts'
import { customerDetail } from './detail.ts'
import { CUSTOMER_LIST } from './list-spec.ts'
import { customersNearby, SEARCH_AREA, type SearchArea } from './nearby.ts'
import { customerOptions } from './options.ts'
import { lockCustomerTree } from './parent.ts'
import { customerRelation, saveRelation } from './relation.ts'

const CUSTOMER: RecordKind<CardRow> = {
  name: 'customer',
  module: 'customer',
  list: (_, ctx) => describedList(CUSTOMER_LIST, ctx),
  card: customerCard,
  detail: customerDetail,
  create: createCustomer,
  async update(body, ctx, form) {
    if (typeof body.parent_id === 'string' && body.parent_id !== '') await lockCustomerTree(ctx)
    return updateRecord(CUSTOMER_CHANGE, body, ctx, form)
  },
  remove: (id, ctx) => removeRecord('customer', id, ctx),
  restore: (id, ctx) => restoreRecord('customer', id, ctx),
  options: customerOptions,
  log: (id, cursor, ctx) => salesLog('customer', id, cursor, ctx),
  // The page whose rules a customer must satisfy.
  formPage: '/pages/customer/my/add',
  isJudgedAsPosted: true,
}

/** /mini/customer/…: the standard calls (DOMAIN 8.3) and the tree of customers (8.4). Moves such as transfers are in `flows/moves/routes.ts`. */
export const customerRoutes: Resource = (app, services) => {
  standardRoutes(app, services, CUSTOMER)
  salesRoutes(app, services, {
    entity: 'customer',
    list: CUSTOMER_LIST,
    change: CUSTOMER_CHANGE,
  })
  ownedRoutes(app, services, 'customer')
  app.get<OneId>(
    '/mini/customer/relation',
    { schema: ONE_ID, config: { permission: 'customer:view' } },
    (request) => runRead(services, callerOf(request), (ctx) => customerRelation(request.query.id, ctx)),
  )
  app.post<{ Body: SearchArea }>(
    '/mini/customer/nearby',
    { schema: { body: SEARCH_AREA }, config: { permission: 'customer:view' } },
    (request) => runRead(services, callerOf(request), (ctx) => customersNearby(request.body, ctx)),
  )
  writer(app, services, 'customer')('/mini/customer/relation/save', 'customer:edit', saveRelation)
}
