import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { KindName } from '../../../src/model/description.ts'
import { isSearchable } from '../../../src/model/indexed-fields.ts'
import { kindOf } from '../../../src/model/kinds/index.ts'

/** Sample values of a field of each writable kind, and the text shown for them. */
interface Sample {
  readonly more?: JsonObject
  readonly value: Json
  /** The value as text, where it differs from the value itself. */
  readonly words?: string
}

export interface Ids {
  readonly product: string
  readonly user: string
  readonly dept: string
}

/** A sample of every writable kind; the ids are of the demo tenant. */
export type Samples = Readonly<Partial<Record<KindName, Sample>>>

export const samplesOf = ({ product, user, dept }: Ids): Samples => ({
  text: { value: '星海老客户' },
  'long-text': { value: '第一行\n第二行' },
  phone: { more: { form: 'mobile' }, value: '13812340000' },
  email: { value: 'own@example.cn' },
  url: { value: 'https://own.example.cn' },
  number: { value: 12.5 },
  integer: { value: 7 },
  money: { value: 1234.5 },
  percent: { value: 40 },
  day: { value: '2026-06-01' },
  moment: { value: '2026-06-01 09:30:00' },
  flag: { value: true, words: '是' },
  choice: { more: { dict: 'customer_level' }, value: 'A' },
  choices: {
    more: {
      options: [
        { value: 'gold', label: '金卡会员' },
        { value: 'plain', label: '普通会员' },
      ],
    },
    value: ['gold', 'plain'],
    words: '金卡会员、普通会员',
  },
  ref: { more: { module: 'product' }, value: product, words: '自有字段产品' },
  refs: { more: { module: 'product' }, value: [product], words: '自有字段产品' },
  user: { value: user },
  users: { value: [user] },
  dept: { value: dept },
  region: { value: ['440000', '440300', '440305'] },
  location: { value: { lng: 113.95, lat: 22.54, address: '科技园' }, words: '科技园' },
  texts: { value: ['对手甲', '对手乙'] },
  files: { value: [{ name: '合影.pdf', url: '/files/own.pdf', size: 10, ext: 'pdf' }] },
  lines: {
    more: {
      fields: [
        { name: 'part', kind: 'text', label: '配件', required: true },
        { name: 'n', kind: 'integer', label: '数量' },
        { name: 'price', kind: 'money', label: '单价' },
        { name: 'new', kind: 'flag', label: '全新' },
        { name: 'until', kind: 'day', label: '质保到' },
        { name: 'level', kind: 'choice', label: '级别', dict: 'customer_level' },
        { name: 'state', kind: 'choice', label: '状态', options: [{ value: 'v1', label: '完好' }] },
      ],
    },
    value: [
      { part: '轴承', n: 2, price: 1234.5, new: true, until: '2026-05-01', level: 'A', state: 'v1' },
      { part: '螺丝' },
    ],
    words: '轴承 · 2 · ¥1,234.50 · 是 · 2026-05-01 · 重点客户 · 完好\n螺丝',
  },
  pictures: { value: [{ name: '合影.png', url: '/files/own.png', size: 10, ext: 'png' }] },
})

export const nameOf = (kind: string): string => `own_${kind.replace('-', '_')}`
export const labelOf = (kind: string): string => `自有${kind.replace('-', '')}项`

/** A field of each kind with every attribute its kind allows. */
export function fieldsOf(samples: Samples): readonly JsonObject[] {
  return Object.entries(samples).map(([name, { more = {} }]) => {
    const kind = kindOf(name as KindName)
    return {
      name: nameOf(name),
      kind: name,
      label: labelOf(name),
      card: true,
      patch: true,
      ...(kind.index === null ? {} : { filter: true }),
      ...(kind.sorts === true ? { sort: true } : {}),
      ...(isSearchable({ kind: kind.name }) ? { search: true } : {}),
      ...more,
    }
  })
}

/** A record with every field filled in. */
export const valuesOf = (samples: Samples): JsonObject =>
  Object.fromEntries(Object.entries(samples).map(([kind, { value }]) => [nameOf(kind), value]))
