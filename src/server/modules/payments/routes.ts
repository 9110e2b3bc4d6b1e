import { MAX_MONEY } from '../../../model/kinds/number.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { batchOf, type RecordKind, standardRoutes, writer } from '../../kernel/calls/standard-routes.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import { patching } from '../../kernel/records/checked-write.ts'
import { lockContractsOf } from '../contracts/lock-contracts.ts'
import { submitPayment, withdrawPayment } from './approve-payment.ts'
import { PAYMENT_LIST, type PaymentRow, paymentCard, paymentOptions } from './list-spec.ts'
import { paymentDetail } from './payment.ts'
import { proposePayment } from './propose.ts'
import { reversePayment } from './reverse-payment.ts'
import {
  applyPayment,
  createPayment,
  lockOpenPayment,
  removePayment,
  restorePayment,
  updatePayment,
} from './write-payment.ts'

const PAYMENT: RecordKind<PaymentRow> = {
  name: 'payment',
  module: 'payment',
  list: (_, ctx) => describedList(PAYMENT_LIST, ctx),
  card: paymentCard,
  detail: paymentDetail,
  create: createPayment,
  update: updatePayment,
  remove: removePayment,
  restore: restorePayment,
  options: paymentOptions,
  formPage: '/pages/contract/payment/add',
}

const id = { type: 'string', maxLength: 64 } as const
const PROPOSAL = {
  querystring: {
    type: 'object',
    required: ['contractId'],
    properties: {
      contractId: { ...id, minLength: 1 },
      amount: { type: 'string', maxLength: 20 },
      planId: id,
      id,
    },
  },
} as const
interface ProposalQuery {
  readonly contractId: string
  readonly amount?: string
  readonly planId?: string
  readonly id?: string
}

/** The entered text as an amount; null if it is none yet. */
function amountOf(typed: string): number | null {
  const amount = typed === '' ? Number.NaN : Number(typed)
  return amount >= 0 && amount <= MAX_MONEY ? amount : null
}

/** /mini/payment/… (DOMAIN 8.3, 8.4). */
export const paymentRoutes: Resource = (app, services) => {
  standardRoutes(app, services, PAYMENT)
  app.get<{ Querystring: ProposalQuery }>(
    '/mini/payment/propose',
    { schema: PROPOSAL, config: { permission: 'payment:view' } },
    (request) => {
      const { contractId, amount = '', planId, id } = request.query
      const proposal = { contractId, amount: amountOf(amount), planId: planId || null, id: id || null }
      return runRead(services, callerOf(request), (ctx) => proposePayment(proposal, ctx))
    },
  )
  const write = writer(app, services, 'payment')
  write(
    '/mini/payment/patch',
    'payment:edit',
    batchOf(patching('payment', lockOpenPayment, applyPayment), lockContractsOf('payment')),
  )
  write('/mini/payment/submit', 'payment:submit', submitPayment)
  write('/mini/payment/withdraw', 'payment:submit', withdrawPayment)
  write('/mini/payment/reverse', 'payment:reverse', reversePayment)
}
