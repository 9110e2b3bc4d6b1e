import { MONEY_MOST } from '../../../model/kinds/number.ts'
import type { InputFields } from '../../kernel/fields/input.ts'

/** Everything a user may write of an opportunity after it exists (DOMAIN 1.5); stage and end are calls of their own. */
export const BUSSINESS_FIELDS = {
  name: { kind: 'text', max: 100, label: 'bussiness.field.name', required: true },
  contact_ids: { kind: 'codes', most: 20, label: 'bussiness.field.contact_ids' },
  amount: { kind: 'number', min: 0, max: MONEY_MOST, label: 'bussiness.field.amount', required: true },
  expected_date: { kind: 'day', label: 'bussiness.field.expected_date', required: true },
  win_rate: { kind: 'number', min: 0, max: 100, label: 'bussiness.field.win_rate' },
  source: { kind: 'dict', dict: 'customer_source', label: 'bussiness.field.source' },
  type: { kind: 'dict', dict: 'bussiness_type', label: 'bussiness.field.type' },
  competitor: { kind: 'texts', most: 10, max: 40, label: 'bussiness.field.competitor' },
  lines: { kind: 'rows', most: 50, label: 'bussiness.field.lines' },
  discount_rate: { kind: 'number', min: 0, max: 100, label: 'bussiness.field.discount_rate' },
  next_step: { kind: 'text', max: 200, label: 'bussiness.field.next_step' },
  next_follow_at: { kind: 'moment', label: 'bussiness.field.next_follow_at' },
  remark: { kind: 'text', max: 1000, label: 'bussiness.field.remark' },
  attachments: { kind: 'files', most: 9, label: 'bussiness.field.attachments' },
} as const satisfies InputFields
