import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isObject, type Json, type JsonObject, objectsIn } from '../../../runtime/core/json.ts'
import { right } from '../business5/deals.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, save, make } = await openOwnTenant()
afterAll(() => server.close())

const option = (value: string, label: string): JsonObject => ({ value, label })
const OPTIONS = [
  option('std', '标准交付'),
  option('custom', '定制交付'),
  option('trial', '试用交付'),
  option('site', '现场交付'),
  option('spare', '备用交付'),
  option('held', '已选交付'),
]
const KIND: JsonObject = { name: 'kind', kind: 'choice', label: '交付类型', options: OPTIONS }
const WAYS: JsonObject = {
  name: 'ways',
  kind: 'choices',
  label: '方式',
  options: [option('air', '空运'), option('sea', '海运')],
}
const is = (value: string): JsonObject => ({ '==': [{ var: 'kind' }, value] })
const NOTE: JsonObject = { name: 'note', kind: 'text', label: '定制说明', required: is('custom') }
const FIELDS = [
  KIND,
  WAYS,
  NOTE,
  { name: 'days', kind: 'integer', label: '天数', default: { rule: { if: [is('trial'), 30, 365] } } },
  { name: 'port', kind: 'text', label: '港口', required: { in: ['sea', { var: 'ways' }] } },
]
const description = (more: JsonObject = {}): JsonObject =>
  aModule({
    name: 'supply',
    label: '供货',
    behaviours: ['owned', 'recycle', 'approval'],
    fields: FIELDS,
    approval: { steps: [{ kind: 'superior', mode: 'any', when: [{ field: 'kind', is: 'site' }] }] },
    ...more,
  })

beforeAll(async () => {
  await save(description())
  await make(admin, 'supply', { title: '一', kind: 'held', ways: ['air'] })
})

/** What a save of the module with that field instead says. */
const change = async (field: JsonObject, more: JsonObject = {}) => {
  const fields = FIELDS.map((one) => (one.name === field.name ? field : one))
  const answer = await admin.post('/engine/web/module/save', {
    description: description({ fields, ...more }),
  })
  return answer.meta
}
const without = (field: JsonObject, value: string): JsonObject => ({
  ...field,
  options: objectsIn(field.options).filter((one) => one.value !== value),
})
const said = (label: string, uses: string): string =>
  `“${label}”正用在${uses}，不能删除或改代码。请先改掉这些地方`

describe('an option that something else asks for', () => {
  it.each<[string, JsonObject, string, string]>([
    ['the rule of a required field', without(KIND, 'custom'), '定制交付', '规则“定制说明”'],
    ['the default of another field', without(KIND, 'trial'), '试用交付', '规则“天数”'],
    ['a rule that looks among several', without(WAYS, 'sea'), '海运', '规则“港口”'],
    ['a step of the approval', without(KIND, 'site'), '现场交付', '审批流“供货”'],
    [
      'a rule, under another code',
      { ...KIND, options: OPTIONS.map((one) => (one.value === 'custom' ? { ...one, value: 'made' } : one)) },
      '定制交付',
      '规则“定制说明”',
    ],
  ])('stays, and %s is named', async (_, field, label, uses) => {
    const sentence = said(label, uses)
    expect(await change(field)).toMatchObject({
      code: 422,
      message: sentence,
      error: { type: 'REFERENCED', fields: { options: sentence } },
    })
  })

  it('goes together with the rule, and one that nobody asks for goes alone', async () => {
    const fields = FIELDS.map((one) =>
      one === KIND ? without(KIND, 'custom') : one === NOTE ? { ...NOTE, required: is('std') } : one,
    )
    const saved = await admin.post('/engine/web/module/save', { description: description({ fields }) })
    expect(saved.meta.code).toBe(200)
    await save(description())
    expect((await change(without(KIND, 'spare'))).code).toBe(200)
    await save(description())
    expect((await change(without(KIND, 'held'))).message).toMatch(/^有 1 条记录选了“已选交付”/)
  })
})

describe('an option of a field at a customer', () => {
  const TYPE: JsonObject = { name: 'type', kind: 'choice', label: '交付类型', options: OPTIONS }
  const PATH = '/pages/customer/my/add'
  const field = async (form: JsonObject, name = '') =>
    admin.post('/engine/web/field/save', { module: 'customer', name, form })
  const form = (options: readonly JsonObject[]): JsonObject => ({
    label: '交付类型',
    kind: 'choice',
    source: 'options',
    options: [...options],
  })

  beforeAll(async () => {
    right(await admin.post('/engine/web/field/save', { module: 'customer', field: TYPE }))
    const when = { required: 'when', when_field: 'ext_type', when_op: 'eq', when_value: 'custom' }
    right(await field({ name: 'note', label: '定制说明', kind: 'text', ...when }))
  })

  const remove = async (value: string) =>
    (await field(form(OPTIONS.filter((one) => one.value !== value)), 'type')).meta

  it('stays on its sheet while a rule names it', async () => {
    expect(await remove('custom')).toMatchObject({
      code: 422,
      error: { type: 'REFERENCED' },
      message: said('定制交付', '规则“定制说明”'),
    })
  })

  it('stays while a written page asks for it', async () => {
    const page = await admin.get(`/engine/web/page/detail?path=${PATH}`)
    const document = withRule(JSON.parse(page.body), { '==': [{ var: 'form.ext_type' }, 'trial'] })
    right(await admin.post('/engine/web/page/publish', { path: PATH, document, base: 0 }))
    expect(await remove('trial')).toMatchObject({ code: 422, message: said('试用交付', '页面“新建客户”') })
  })

  it('goes where nothing asks for it', async () => {
    expect((await remove('spare')).code).toBe(200)
  })
})

/** The document whose first widget with a name shows by that rule. */
function withRule(document: JsonObject, rule: JsonObject): JsonObject {
  const [first, ...others] = objectsIn(document.widgetList)
  const options: Json = { ...(isObject(first?.options) ? first.options : {}), visibleOn: rule }
  return { ...document, widgetList: [{ ...first, options }, ...others] as Json }
}

describe('a value of a dictionary that a rule asks for', () => {
  it('is not deleted, and the rule is named', async () => {
    const items = [
      { value: 'hot', label: '热' },
      { value: 'cold', label: '冷' },
      { value: 'warm', label: '温' },
    ]
    right(await admin.post('/engine/web/dict/save', { id: 'heat', create: true, name: '热度', items }))
    await save(
      aModule({
        name: 'visit',
        label: '走访',
        fields: [
          { name: 'heat', kind: 'choice', label: '热度', dict: 'heat' },
          { name: 'why', kind: 'text', label: '原因', required: { '==': [{ var: 'heat' }, 'cold'] } },
        ],
      }),
    )
    const remove = async (value: string) =>
      (await admin.post('/engine/web/dict/delete', { id: 'heat', values: [value] })).meta
    expect(await remove('cold')).toMatchObject({
      code: 422,
      error: { type: 'REFERENCED' },
      message: '“冷”正用在规则“原因”，不能删除。请先改掉这些地方，或者停用它',
    })
    expect((await remove('warm')).code).toBe(200)
  })
})
