import { MONEY_MOST } from '../../model/kinds/number.ts'
import type { InputFields } from '../records/input.ts'

/** Everything a user may write of a payment plan (DOMAIN 1.7), besides its contract. */
export const PLAN_FIELDS = {
  plan_amount: {
    kind: 'number',
    min: 0.01,
    max: MONEY_MOST,
    label: 'plan.field.plan_amount',
    required: true,
  },
  plan_date: { kind: 'day', label: 'plan.field.plan_date', required: true },
  method: { kind: 'dict', dict: 'payment_method', label: 'plan.field.method' },
  remind_days: { kind: 'number', min: 0, max: 365, label: 'plan.field.remind_days' },
  remark: { kind: 'text', max: 1000, label: 'plan.field.remark' },
} as const satisfies InputFields

export const PLAN_DIGITS = { plan_amount: 2, remind_days: 0 } as const
/** Plans of one contract, at most. */
export const PLANS_MOST = 60
