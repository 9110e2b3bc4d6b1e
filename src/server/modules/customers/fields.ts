import { EMAIL, LANDLINE, MOBILE, WEBSITE } from '../../../model/kinds/contact.ts'
import type { InputFields } from '../../kernel/fields/input.ts'

/** Everything a user may write of a customer (DOMAIN 1.1); owner, numbers and totals are the system's. */
export const CUSTOMER_FIELDS = {
  name: { kind: 'text', min: 2, max: 100, label: 'customer.field.name', required: true },
  short_name: { kind: 'text', max: 40, label: 'customer.field.short_name' },
  customer_type: { kind: 'dict', dict: 'customer_type', label: 'customer.field.customer_type' },
  level: { kind: 'dict', dict: 'customer_level', label: 'customer.field.level' },
  source: { kind: 'dict', dict: 'customer_source', label: 'customer.field.source' },
  activity_id: { kind: 'ref', label: 'customer.field.activity_id' },
  industry: { kind: 'dict', dict: 'industry', label: 'customer.field.industry' },
  scale: { kind: 'dict', dict: 'company_scale', label: 'customer.field.scale' },
  stage: { kind: 'dict', dict: 'customer_stage', label: 'customer.field.stage' },
  mobile: { kind: 'text', max: 11, pattern: MOBILE, label: 'customer.field.mobile' },
  telephone: { kind: 'text', max: 20, pattern: LANDLINE, label: 'customer.field.telephone' },
  email: { kind: 'text', max: 80, pattern: EMAIL, label: 'customer.field.email' },
  wechat: { kind: 'text', max: 40, label: 'customer.field.wechat' },
  website: { kind: 'text', max: 200, pattern: WEBSITE, label: 'customer.field.website' },
  credit_code: { kind: 'text', max: 18, pattern: /^[0-9A-Za-z]{18}$/, label: 'customer.field.credit_code' },
  region: { kind: 'region', label: 'customer.field.region' },
  address: { kind: 'text', max: 200, label: 'customer.field.address' },
  lng: { kind: 'number', min: -180, max: 180, label: 'customer.field.lng' },
  lat: { kind: 'number', min: -90, max: 90, label: 'customer.field.lat' },
  parent_id: { kind: 'ref', label: 'customer.field.parent_id' },
  tags: { kind: 'dicts', dict: 'customer_tag', most: 10, label: 'customer.field.tags' },
  next_follow_at: { kind: 'moment', label: 'customer.field.next_follow_at' },
  remark: { kind: 'text', max: 1000, label: 'customer.field.remark' },
  attachments: { kind: 'files', most: 9, label: 'customer.field.attachments' },
} as const satisfies InputFields

/** Fields that `patch` may set on many customers at once (DOMAIN 8.3). */
export const PATCH_FIELDS = {
  level: CUSTOMER_FIELDS.level,
  stage: CUSTOMER_FIELDS.stage,
  source: CUSTOMER_FIELDS.source,
  customer_type: CUSTOMER_FIELDS.customer_type,
  industry: CUSTOMER_FIELDS.industry,
  scale: CUSTOMER_FIELDS.scale,
  tags: CUSTOMER_FIELDS.tags,
  next_follow_at: CUSTOMER_FIELDS.next_follow_at,
} as const satisfies InputFields

/** Everything a user may write of a contact (DOMAIN 1.3). */
export const CONTACT_FIELDS = {
  name: { kind: 'text', max: 40, label: 'contact.field.name', required: true },
  mobile: { kind: 'text', max: 11, pattern: MOBILE, label: 'contact.field.mobile' },
  mobile2: { kind: 'text', max: 11, pattern: MOBILE, label: 'contact.field.mobile2' },
  telephone: { kind: 'text', max: 20, pattern: LANDLINE, label: 'contact.field.telephone' },
  wechat: { kind: 'text', max: 40, label: 'contact.field.wechat' },
  email: { kind: 'text', max: 80, pattern: EMAIL, label: 'contact.field.email' },
  qq: { kind: 'text', max: 20, pattern: /^\d{5,20}$/, label: 'contact.field.qq' },
  gender: { kind: 'dict', dict: 'gender', label: 'contact.field.gender' },
  department: { kind: 'text', max: 40, label: 'contact.field.department' },
  position: { kind: 'text', max: 40, label: 'contact.field.position' },
  role: { kind: 'dict', dict: 'contact_role', label: 'contact.field.role' },
  is_key: { kind: 'flag', label: 'contact.field.is_key' },
  is_primary: { kind: 'flag', label: 'contact.field.is_primary' },
  attitude: { kind: 'dict', dict: 'contact_attitude', label: 'contact.field.attitude' },
  birthday: { kind: 'day', label: 'contact.field.birthday' },
  birthday_lunar: { kind: 'flag', label: 'contact.field.birthday_lunar' },
  hobby: { kind: 'text', max: 200, label: 'contact.field.hobby' },
  region: { kind: 'region', label: 'contact.field.region' },
  address: { kind: 'text', max: 200, label: 'contact.field.address' },
  remark: { kind: 'text', max: 1000, label: 'contact.field.remark' },
} as const satisfies InputFields
