import { withOwnFields } from '../records/ext-fields.ts'
import { type RecordKind, standardRoutes, writer } from '../records/standard-routes.ts'
import type { Resource } from '../resource.ts'
import { PAYMENT_LIST, type PaymentRow, paymentCard, paymentOptions } from './list-spec.ts'
import { paymentDetail } from './payment.ts'
import {
  createPayment,
  removePayment,
  restorePayment,
  reversePayment,
  submitPayment,
  updatePayment,
  withdrawPayment,
} from './write-payment.ts'

const PAYMENT: RecordKind<PaymentRow> = {
  name: 'payment',
  module: 'payment',
  list: (_, asking) => withOwnFields(PAYMENT_LIST, 'payment', asking),
  card: paymentCard,
  detail: paymentDetail,
  create: createPayment,
  update: updatePayment,
  remove: removePayment,
  restore: restorePayment,
  options: paymentOptions,
  formPage: '/pages/contract/payment/add',
}

/** /mini/payment/… (DOMAIN 8.3, 8.4). */
export const paymentRoutes: Resource = (app, services) => {
  standardRoutes(app, services, PAYMENT)
  const write = writer(app, services, 'payment')
  write('/mini/payment/submit', 'payment:submit', submitPayment)
  write('/mini/payment/withdraw', 'payment:submit', withdrawPayment)
  write('/mini/payment/reverse', 'payment:reverse', reversePayment)
}
