import { updateRecord } from '../records/change-record.ts'
import { salesLog } from '../records/history.ts'
import { removeRecord, restoreRecord } from '../records/remove-record.ts'
import { ownedRoutes, salesRoutes } from '../records/sales-routes.ts'
import { type RecordKind, standardRoutes } from '../records/standard-routes.ts'
import type { Resource } from '../resource.ts'
import { type CardRow, customerCard } from './card.ts'
import { CUSTOMER_CHANGE } from './change-customer.ts'
import { createCustomer } from './create-customer.ts'
import { customerDetail } from './detail.ts'
import { PATCH_FIELDS } from './fields.ts'
import { CUSTOMER_LIST } from './list-spec.ts'
import { customerOptions } from './options.ts'

const CUSTOMER: RecordKind<CardRow> = {
  name: 'customer',
  module: 'customer',
  list: () => CUSTOMER_LIST,
  card: customerCard,
  detail: customerDetail,
  create: createCustomer,
  update: (body, asking, form) => updateRecord(CUSTOMER_CHANGE, body, asking, form),
  remove: (id, asking) => removeRecord('customer', id, asking),
  restore: (id, asking) => restoreRecord('customer', id, asking),
  options: ({ keyword, ids, filter }, asking) => customerOptions(keyword, ids, filter, asking),
  log: (id, cursor, asking) => salesLog('customer', id, cursor, asking),
  // The page whose rules a customer must satisfy (DESIGN 6).
  formPage: '/pages/customer/my/add?module=customer',
}

/** /mini/customer/…: the standard calls (CRM 8.3); its moves are in `moves/routes.ts`. */
export const customerRoutes: Resource = (app, services) => {
  standardRoutes(app, services, CUSTOMER)
  salesRoutes(app, services, {
    entity: 'customer',
    list: CUSTOMER_LIST,
    change: CUSTOMER_CHANGE,
    patchFields: PATCH_FIELDS,
  })
  ownedRoutes(app, services, 'customer')
}
