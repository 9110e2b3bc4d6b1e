import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isObject, type JsonObject } from '../../runtime/core/json.ts'
import { labelText } from '../../src/model/labels.ts'
import { readJsonFolder } from '../../src/server/kernel/pages/read-files.ts'
import { referredFrom } from '../../src/server/kernel/pages/referred.ts'
import { objectsIn } from './product-pages.ts'

const SCHEMAS = join(import.meta.dirname, '../../schemas')

/** Short forms, where what is around says the rest, and questions of a form that are told apart by what they are about. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['contact.name 姓名', 'the form and the sheet are about one contact'],
  ['contact.mobile 手机', 'the form and the sheet are about one contact'],
  ['contact.telephone 电话', 'the form is about one contact'],
  ['contact.region 省/市/区', 'the field says what it holds'],
  ['contact.address 详细地址', 'beside 省/市/区'],
  ['customer.address 地址', 'a pool has no region beside it'],
  ['customer.credit_code 信用代码', 'too long for a phone beside its value'],
  ['customer.attachments 照片', 'a scanned card takes pictures only'],
  ['lead.expected_date 预计采购', 'its value is a day'],
  ['bussiness.expected_date 预计成交', 'its value is a day'],
  ['bussiness.stage_id 销售阶段', 'other stages are on the same page'],
  ['bussiness.contact_ids 关键联系人', 'a question of the stage'],
  ['contract.bussiness_id 商机', 'a row that opens it'],
  ['contract.attachments 扫描件', 'a question of the form'],
  ['activity.attachments 图片资料', 'a form takes pictures only'],
  ['plan.remind_days 提前提醒（天）', 'the unit is part of the question'],
  ['todo.title 待办事项', 'a question of the form'],
  ['todo.assignee_id 执行人', 'a question of the form'],
  ['follow.content 拜访情况', 'a visit is a follow-up'],
  ['follow.images 现场照片', 'a visit is a follow-up'],
  ['contact.birthday_lunar 按农历', 'beside 生日'],
  ['customer.next_follow_at 下次跟进', 'its value is a time'],
  ['lead.next_follow_at 下次跟进', 'its value is a time'],
  ['bussiness.next_follow_at 下次跟进', 'its value is a time'],
  ['follow.next_follow_at 下次跟进', 'its value is a time'],
  ['follow.mention_ids 提醒同事', 'a question of the form'],
  ['payment.amount 记入金额', 'a part of the payment'],
])

/** What is bound in the row of a detail by hand: `bind: price`, or a text of `data.detail.record.price`. */
const BOUND = /^(?:\{\{ )?data\.detail\.record\.(\w+)\b/

it('a field has one name: a page calls it as its module does, or by a short form that is listed', async () => {
  const modules = await readJsonFolder(SCHEMAS, 'modules')
  const { module } = referredFrom(new Map(), modules)
  const nameOf = (field: string): string | undefined => {
    const [owner = '', name] = field.split('.')
    const found = module(owner)?.fields.find((one) => one.name === name)
    return found && labelText(found.label)
  }
  const files = [...(await readJsonFolder(SCHEMAS, 'pages')), ...(await readJsonFolder(SCHEMAS, 'fragments'))]
  const ofDetails = new Map(
    [...modules.keys()].flatMap((name) => {
      const pages = module(name)?.pages
      return isObject(pages) && typeof pages.detail === 'string' ? [[pages.detail, name] as const] : []
    }),
  )
  const called = files.flatMap(([path, { content }]) =>
    [...objectsIn(content)].flatMap((item): readonly string[] => {
      const label = item.label ?? (isObject(item.options) ? item.options.label : undefined)
      const field = fieldOf(item, ofDetails.get(`/pages/${path}`))
      return typeof label === 'string' && field !== undefined ? [`${field} ${label}`] : []
    }),
  )
  const other = called.filter((one) => {
    const [field = '', label] = one.split(' ')
    const name = nameOf(field)
    return name !== undefined && name !== label
  })

  expect([ofDetails.size > 5, called.length > 40]).toEqual([true, true])
  expect([...new Set(other)].filter((one) => !SHORT.has(one))).toEqual([])
  expect([...SHORT.keys()].filter((one) => !other.includes(one))).toEqual([])
})

function fieldOf(item: JsonObject, module: string | undefined): string | undefined {
  for (const named of [item.of, item.field])
    if (typeof named === 'string' && /^\w+\.\w+$/.test(named)) return named
  if (module === undefined || !isObject(item) || item.items !== undefined) return undefined
  const { bind, text } = item
  const bound = typeof bind === 'string' && /^\w+$/.test(bind) ? bind : BOUND.exec(String(text))?.[1]
  return bound === undefined ? undefined : `${module}.${bound}`
}
