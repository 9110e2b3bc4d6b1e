import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../../../src/model/description.ts'
import { creditCodeCheckDigit } from '../../../src/server/modules/customers/credit-code.ts'
import { FULL_BUSSINESS, FULL_CONTACT, FULL_CUSTOMER, FULL_LEAD } from '../full-records.ts'

const CODE = '91440300MA5F00010'

/** The data from which values of described fields are made. */
export interface Sources {
  /** A record of each module, by module name. */
  readonly ids: Readonly<Record<string, string>>
  /** An active value of each dictionary. */
  readonly codes: Readonly<Record<string, string>>
}

/** Values that do not follow from the kind alone: those of full records, and those that must match each other. */
const GIVEN: Readonly<Record<string, JsonObject>> = {
  customer: {
    ...FULL_CUSTOMER,
    name: '字段齐全客户有限公司',
    mobile: '13812345001',
    credit_code: `${CODE}${creditCodeCheckDigit(CODE)}`,
  },
  contact: { ...FULL_CONTACT, name: '字段齐全的人', mobile: '13812345002', is_primary: true },
  lead: { ...FULL_LEAD, name: '字段齐全线索', mobile: '13812345003' },
  bussiness: {
    ...FULL_BUSSINESS,
    name: '字段齐全商机',
    flow_id: 'default',
    stage_id: 'proposal',
    discount_rate: 100,
  },
  contract: { discount_rate: 100, start_date: '2026-06-01', end_date: '2026-12-31' },
  plan: { plan_amount: 10 },
  payment: { paid_at: '2026-03-12' },
  activity: { online_url: 'https://live.example.cn/1', end_at: '2026-12-03 18:00:00' },
  follow: { target_type: 'customer', followed_at: '2026-03-16 08:00:00' },
  todo: { type: 'custom', priority: 'high', repeat: 'week', due_at: '2026-12-01 10:00:00' },
}

const FILES = [{ name: '附件.pdf', url: '/files/field.pdf', size: 10, ext: 'pdf' }]

/** A value for a field of a module, in the form a page sends. */
export function sampleFor(module: string, field: Field, { ids, codes }: Sources): Json {
  const given = GIVEN[module]?.[field.name]
  if (given !== undefined) return given
  const code = field.dict === undefined ? (field.options?.[0]?.value ?? '') : (codes[field.dict] ?? '')
  const id = ids[field.module ?? ''] ?? ''
  const values: Partial<Record<Field['kind'], Json>> = {
    text: `字段 ${field.name}`,
    'long-text': `第一行\n${field.name}`,
    texts: ['甲', '乙'],
    phone: field.form === 'landline' ? '0755-86012345' : '13812345009',
    email: 'field@example.cn',
    url: 'https://field.example.cn',
    number: 12.5,
    integer: 7,
    money: 88.5,
    percent: 40,
    day: '2026-06-01',
    moment: '2026-12-02 09:30:00',
    flag: true,
    choice: code,
    choices: [code],
    ref: id,
    refs: [id],
    user: 'u-demo',
    users: ['u-demo'],
    region: ['440000', '440300', '440305'],
    location: { lng: 113.95, lat: 22.54, address: '科技园' },
    files: FILES,
    pictures: FILES,
    lines: [{ product_id: ids.product ?? '', price: 100, quantity: 2 }],
  }
  return values[field.kind] ?? null
}

/** A value that is invalid for every field of its kind. */
export function wrongFor({ kind, max = 20_000 }: Field): Json {
  const long = 'x'.repeat(max + 1)
  const values: Partial<Record<Field['kind'], Json>> = {
    text: long,
    'long-text': long,
    phone: '12',
    email: 'nobody',
    url: 'no address',
    day: '2026-02-30',
    moment: 'gestern',
    choice: 'nobody_offers_this',
    ref: 'no id at all!',
    user: 'no id at all!',
  }
  return values[kind] ?? 'wrong'
}
