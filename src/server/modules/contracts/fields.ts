import { MONEY_MOST } from '../../../model/kinds/number.ts'
import type { InputFields } from '../../kernel/fields/input.ts'

/** Everything a user may write of a contract (DOMAIN 1.6), besides `lines[]` and `plans[]`. */
export const CONTRACT_FIELDS = {
  contract_no: { kind: 'text', max: 40, label: 'contract.field.contract_no' },
  name: { kind: 'text', max: 100, label: 'contract.field.name', required: true },
  customer_id: { kind: 'ref', label: 'contract.field.customer_id', required: true },
  bussiness_id: { kind: 'ref', label: 'contract.field.bussiness_id' },
  type: { kind: 'dict', dict: 'contract_type', label: 'contract.field.type', required: true },
  amount: { kind: 'number', min: 0, max: MONEY_MOST, label: 'contract.field.amount' },
  sign_date: { kind: 'day', label: 'contract.field.sign_date', required: true },
  start_date: { kind: 'day', label: 'contract.field.start_date' },
  end_date: { kind: 'day', label: 'contract.field.end_date' },
  our_signer_id: { kind: 'ref', label: 'contract.field.our_signer_id' },
  customer_signer_id: { kind: 'ref', label: 'contract.field.customer_signer_id' },
  payment_terms: { kind: 'dict', dict: 'payment_terms', label: 'contract.field.payment_terms' },
  discount_rate: { kind: 'number', min: 0, max: 100, label: 'contract.field.discount_rate' },
  remark: { kind: 'text', max: 1000, label: 'contract.field.remark' },
  attachments: { kind: 'files', most: 9, label: 'contract.field.attachments' },
} as const satisfies InputFields

export const CONTRACT_DIGITS = { amount: 2, discount_rate: 2 } as const
