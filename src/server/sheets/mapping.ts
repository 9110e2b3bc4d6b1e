import type { Json } from '../../../runtime/core/json.ts'
import { refuse } from '../envelope.ts'
import { text } from '../text.ts'
import type { InputColumn, SheetEntity } from './columns.ts'
import { COLUMNS_MOST } from './read-sheet.ts'

/** The field that each column of a file goes into, by the column's place; null for one that is left out. */
export type Mapping = readonly (string | null)[]

/** What people call a field in files of their own, beside its label. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  mobile: ['手机号', '手机号码', '移动电话', '联系手机'],
  telephone: ['电话', '座机', '固定电话', '公司电话', '联系电话', '电话号码'],
  email: ['邮件', '电子邮箱', '电子邮件', 'E-mail'],
  wechat: ['微信号'],
  region: ['地区', '所在地区', '省市区', '所在地'],
  address: ['地址', '公司地址', '联系地址', '详细地址'],
  level: ['级别', '等级', '评级'],
  source: ['来源'],
  industry: ['行业'],
  scale: ['规模', '公司规模'],
  website: ['网站', '官网', '公司网址'],
  credit_code: ['信用代码', '税号', '纳税人识别号'],
  contact_name: ['联系人姓名', '首要联系人'],
  contact_mobile: ['联系人电话'],
  position: ['职位', '岗位'],
  department: ['所在部门'],
  demand: ['需求'],
  remark: ['备注说明', '说明'],
}
const NAMES: Readonly<Record<SheetEntity, Readonly<Record<string, readonly string[]>>>> = {
  customer: { name: ['客户', '公司名称', '企业名称', '单位名称', '公司'] },
  contact: {
    name: ['姓名', '联系人', '名字'],
    customer_name: ['客户', '公司名称', '企业名称', '所属客户', '公司'],
  },
  lead: { name: ['线索', '标题'], company: ['企业名称', '单位名称', '公司'] },
}

const plain = (title: string): string => title.replace(/[*＊\s:：()（）]/g, '').toLowerCase()

/**
 * Guesses by the titles of a file: labels and names first, then what else a field is called, then a label within a title. Each
 * field is found once.
 */
export function guessMapping(
  titles: readonly string[],
  columns: readonly InputColumn[],
  entity: SheetEntity,
): Mapping {
  const found = new Map<number, string>()
  const taken = new Set<string>()
  const longestFirst = [...columns].sort((one, other) => other.label.length - one.label.length)
  const isTitle = (title: string, { label, name }: InputColumn) => title === plain(label) || title === name
  const isAlso = (title: string, { name }: InputColumn) =>
    [...(NAMES[entity][name] ?? []), ...(ALSO[name] ?? [])].some((word) => title === plain(word))
  const isWithin = (title: string, { label }: InputColumn) => title.includes(plain(label))
  for (const isMeant of [isTitle, isAlso, isWithin])
    for (const [at, title] of titles.map(plain).entries()) {
      const column = longestFirst.find((one) => !taken.has(one.name) && isMeant(title, one))
      if (title === '' || found.has(at) || column === undefined) continue
      found.set(at, column.name)
      taken.add(column.name)
    }
  return titles.map((_, at) => found.get(at) ?? null)
}

/** A mapping as somebody chose it. @throws Refusal 400 for what is none */
export function readMapping(given: Json, columns: readonly InputColumn[]): Mapping {
  const known = new Set(columns.map(({ name }) => name))
  const mapping = (Array.isArray(given) ? given.slice(0, COLUMNS_MOST) : ['']).map((field) =>
    field === null || field === '' ? null : String(field),
  )
  const isFit = Array.isArray(given) && mapping.every((field) => field === null || known.has(field))
  return isFit ? mapping : refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'mapping' })
}

/** Labels of the required fields that no column goes into. */
export const missingOf = (mapping: Mapping, columns: readonly InputColumn[]): readonly string[] =>
  columns
    .filter(({ name, field }) => field.required === true && !mapping.includes(name))
    .map(({ label }) => label)

/** Labels of the fields that more than one column goes into. */
export const repeatedOf = (mapping: Mapping, columns: readonly InputColumn[]): readonly string[] =>
  columns.filter(({ name }) => mapping.indexOf(name) !== mapping.lastIndexOf(name)).map(({ label }) => label)

/** @throws Refusal 400 naming the required fields that have no column, or a field that has two */
export function refuseUnfit(mapping: Mapping, columns: readonly InputColumn[]): void {
  const missing = missingOf(mapping, columns)
  if (missing.length > 0) refuse(400, 'VALIDATION', text('sheet.no-column', { names: missing.join('、') }))
  const repeated = repeatedOf(mapping, columns)
  if (repeated.length > 0)
    refuse(400, 'VALIDATION', text('sheet.mapped-twice', { names: repeated.join('、') }))
}
