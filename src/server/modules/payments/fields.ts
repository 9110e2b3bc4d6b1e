import { MONEY_MOST } from '../../../model/kinds/number.ts'
import type { InputFields } from '../../kernel/fields/input.ts'

/** Everything a user may write of a payment (DOMAIN 1.7). */
export const PAYMENT_FIELDS = {
  payment_no: { kind: 'text', max: 40, label: 'payment.field.payment_no' },
  contract_id: { kind: 'ref', label: 'payment.field.contract_id', required: true },
  plan_id: { kind: 'ref', label: 'payment.field.plan_id' },
  amount: { kind: 'number', min: 0.01, max: MONEY_MOST, label: 'payment.field.amount', required: true },
  paid_at: { kind: 'day', label: 'payment.field.paid_at', required: true },
  method: { kind: 'dict', dict: 'payment_method', label: 'payment.field.method', required: true },
  payer: { kind: 'text', max: 100, label: 'payment.field.payer' },
  bank_account: { kind: 'text', max: 60, label: 'payment.field.bank_account' },
  voucher: { kind: 'files', most: 9, label: 'payment.field.voucher' },
  remark: { kind: 'text', max: 1000, label: 'payment.field.remark' },
} as const satisfies InputFields

export const PAYMENT_DIGITS = { amount: 2 } as const
