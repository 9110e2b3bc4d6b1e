import { EMAIL, LANDLINE, MOBILE } from '../../../model/kinds/contact.ts'
import { MONEY_MOST } from '../../../model/kinds/number.ts'
import type { InputFields } from '../../kernel/fields/input.ts'

/** Everything a user may write of a lead (DOMAIN 1.4); status and conversion are calls of their own. */
export const LEAD_FIELDS = {
  name: { kind: 'text', max: 100, label: 'lead.field.name', required: true },
  company: { kind: 'text', max: 100, label: 'lead.field.company' },
  contact_name: { kind: 'text', max: 40, label: 'lead.field.contact_name' },
  mobile: { kind: 'text', max: 11, pattern: MOBILE, label: 'lead.field.mobile' },
  telephone: { kind: 'text', max: 20, pattern: LANDLINE, label: 'lead.field.telephone' },
  wechat: { kind: 'text', max: 40, label: 'lead.field.wechat' },
  email: { kind: 'text', max: 80, pattern: EMAIL, label: 'lead.field.email' },
  position: { kind: 'text', max: 40, label: 'lead.field.position' },
  source: { kind: 'dict', dict: 'lead_source', label: 'lead.field.source', required: true },
  activity_id: { kind: 'ref', label: 'lead.field.activity_id' },
  level: { kind: 'dict', dict: 'lead_level', label: 'lead.field.level' },
  industry: { kind: 'dict', dict: 'industry', label: 'lead.field.industry' },
  scale: { kind: 'dict', dict: 'company_scale', label: 'lead.field.scale' },
  region: { kind: 'region', label: 'lead.field.region' },
  address: { kind: 'text', max: 200, label: 'lead.field.address' },
  demand: { kind: 'text', max: 1000, label: 'lead.field.demand' },
  products: { kind: 'codes', most: 50, label: 'lead.field.products' },
  budget: { kind: 'number', min: 0, max: MONEY_MOST, label: 'lead.field.budget' },
  expected_date: { kind: 'day', label: 'lead.field.expected_date' },
  next_follow_at: { kind: 'moment', label: 'lead.field.next_follow_at' },
  remark: { kind: 'text', max: 1000, label: 'lead.field.remark' },
  attachments: { kind: 'files', most: 9, label: 'lead.field.attachments' },
} as const satisfies InputFields
