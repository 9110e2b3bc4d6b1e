import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import { objectsIn } from '../../schemas/product-pages.ts'
import { right } from '../business5/deals.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const server: TestApp = await openTestApp()
let admin: Client
let demo: Client
beforeAll(async () => {
  admin = await server.as('admin')
  demo = await server.as('demo')
})
afterAll(() => server.close())

const FIELDS: readonly JsonObject[] = [
  { name: 'wechat_group', kind: 'text', label: '微信群名称', filter: true },
  {
    name: 'member_level',
    kind: 'choice',
    label: '会员等级',
    filter: true,
    options: [
      { value: 'gold', label: '金卡' },
      { value: 'plain', label: '普通' },
    ],
  },
  {
    name: 'renew_on',
    kind: 'day',
    label: '续费日期',
    filter: true,
    sort: true,
    required: { '==': [{ var: 'member_level' }, 'gold'] },
  },
]

describe('own fields of the customer', () => {
  let first: string
  beforeAll(async () => {
    for (const field of FIELDS) {
      const saved = await admin.post('/engine/web/field/save', { module: 'customer', field })
      expect(saved.meta.code).toBe(200)
    }
    const ext = { wechat_group: '星海老客户', member_level: 'gold', renew_on: '2026-06-01' }
    first = (
      await demo.post('/mini/customer/create', { name: '青岛海风科技有限公司', mobile: '13800000001', ext })
    ).data.id
    await demo.post('/mini/customer/create', {
      name: '烟台山海贸易有限公司',
      ext: { renew_on: '2026-05-01' },
    })
    await demo.post('/mini/customer/create', { name: '威海朝阳制造有限公司' })
  })

  it('are stored and read as written, under their own names and under those of pages', async () => {
    const { record } = (await demo.get(`/mini/customer/detail?id=${first}`)).data

    expect(record.ext).toEqual({ wechat_group: '星海老客户', member_level: 'gold', renew_on: '2026-06-01' })
    expect(record).toMatchObject({ ext_wechat_group: '星海老客户', ext_renew_on: '2026-06-01' })
  })

  it('are refused if invalid, each by its name', async () => {
    const answer = await demo.post('/mini/customer/create', {
      name: '日照金海物流有限公司',
      ext: { member_level: 'gold', wechat_group: 7, unknown: 1 },
    })

    expect(answer.meta.error?.fields).toEqual({
      'ext.renew_on': '请选择续费日期',
      'ext.wechat_group': expect.stringContaining('微信群名称'),
      'ext.unknown': '不支持的字段',
    })
  })

  it('are required by a rule that reads fields of the product, even in calls without a page', async () => {
    const known = {
      name: 'known_by',
      kind: 'text',
      label: '介绍人',
      required: { '==': [{ var: 'level' }, 'A'] },
    }
    expect((await admin.post('/engine/web/field/save', { module: 'customer', field: known })).meta.code).toBe(
      200,
    )
    const made = await demo.post('/mini/customer/create', { name: '莱阳介绍来的有限公司', level: 'A' })
    const other = await demo.post('/mini/customer/create', { name: '海阳自己来的有限公司', level: 'B' })
    const { id } = other.data
    const patch = async (fields: JsonObject) =>
      (await demo.post('/mini/customer/patch', { ids: [id], ...fields })).data.failed
    const raised = await patch({ level: 'A' })
    const { record } = (await demo.get(`/mini/customer/detail?id=${id}`)).data
    const update = (fields: JsonObject) =>
      demo.post('/mini/customer/update', { id, version: record.version, ...fields })
    const both = await update({ level: 'A', ext: { known_by: '老客户' } })
    await admin.post('/engine/web/field/delete', { module: 'customer', name: 'known_by' })

    expect(made.meta.error?.fields).toEqual({ 'ext.known_by': '请填写介绍人' })
    expect(raised).toMatchObject([{ message: '请填写介绍人' }])
    expect(both.meta.code).toBe(200)
  })

  it('filter and sort the list', async () => {
    const names = async (body: JsonObject) =>
      (await demo.post('/mini/customer/list', body)).data.list.map((row: JsonObject) => row.name)
    const gold = await names({ filters: [{ field: 'ext.member_level', op: 'in', value: ['gold'] }] })
    const group = await names({ filters: [{ field: 'ext.wechat_group', op: 'contains', value: '老客户' }] })
    const soon = await names({
      filters: [{ field: 'ext.renew_on', op: 'between', value: ['2026-05-01', '2026-05-31'] }],
    })
    const sorted = await names({ sort: [{ field: 'ext.renew_on', dir: 'asc' }], limit: 2 })

    expect(gold).toEqual(['青岛海风科技有限公司'])
    expect(group).toEqual(['青岛海风科技有限公司'])
    expect(soon).toEqual(['烟台山海贸易有限公司'])
    expect(sorted).toEqual(['烟台山海贸易有限公司', '青岛海风科技有限公司'])
  })

  it('are changed and cleared like every other field', async () => {
    const { record } = (await demo.get(`/mini/customer/detail?id=${first}`)).data
    const answer = await demo.post('/mini/customer/update', {
      id: first,
      version: record.version,
      ext: { wechat_group: null },
    })

    expect(answer.data.record.ext).toEqual({ member_level: 'gold', renew_on: '2026-06-01' })
  })

  it('are only on the forms of this tenant', async () => {
    const path = '/engine/web/page/detail?path=/pages/customer/my/add'
    const mine = await demo.get(path)
    const other = await (await server.as('yfadmin')).get(path)

    expect(mine.body).toContain('ext_wechat_group')
    expect(mine.body).toContain('{{ form.ext_renew_on }}')
    expect(other.body).not.toContain('ext_wechat_group')
  })

  it('are validated by the page as well: a rule over another own field', async () => {
    const answer = await demo.post('/mini/customer/create', {
      name: '潍坊北海食品有限公司',
      ext: { member_level: 'gold' },
    })

    expect(answer.meta.error?.fields).toMatchObject({ 'ext.renew_on': '请选择续费日期' })
  })

  it('that are retired are kept in old records and required nowhere', async () => {
    await admin.post('/engine/web/field/save', { module: 'customer', field: { ...FIELDS[2], retired: true } })
    const { record } = (await demo.get(`/mini/customer/detail?id=${first}`)).data
    const form = await demo.get('/engine/web/page/detail?path=/pages/customer/my/add')
    const written = await demo.post('/mini/customer/create', {
      name: '东营胜利油品有限公司',
      ext: { member_level: 'gold' },
    })

    expect(record.ext.renew_on).toBe('2026-06-01')
    const detail = await demo.get('/engine/web/page/detail?path=/pages/customer/my/detail')
    expect(detail.body).toMatch(/"label":"续费日期（已停用）","hideEmpty":true,"text":"[^"]*ext_renew_on/)
    expect(form.body).not.toContain('ext_renew_on')
    expect(written.meta.code).toBe(200)
  })
})

describe('a value with a duplicate warning', () => {
  const code = { name: 'outer_code', kind: 'text', label: '外部编号', unique: 'warn' }
  const kind = {
    name: 'outer_kind',
    kind: 'choice',
    label: '外部类别',
    dict: 'customer_level',
    unique: 'warn',
  }
  const ticket = {
    name: 'asked',
    label: '问过的',
    title: 'title',
    behaviours: ['history', 'recycle'],
    fields: [{ name: 'title', kind: 'text', label: '标题' }, code],
  }
  beforeAll(async () => {
    for (const module of ['customer', 'contract'])
      for (const field of [code, kind]) right(await admin.post('/engine/web/field/save', { module, field }))
    right(await admin.post('/engine/web/module/save', { description: ticket }))
  })
  const customers = (name: string, ext: JsonObject, more: JsonObject = {}) =>
    demo.post('/mini/customer/create', { name, ext, ...more })

  it('needs a confirmation when a record is created or changed, and is stored with it', async () => {
    const first = right(await customers('编号相同一号有限公司', { outer_code: 'X-1', outer_kind: 'A' }))
    const asked = await customers('编号相同二号有限公司', { outer_code: 'X-1', outer_kind: 'A' })
    const none = right(await demo.post('/mini/customer/list', { keyword: '编号相同二号' })).list
    const second = right(
      await customers('编号相同二号有限公司', { outer_code: 'X-1' }, { confirm: ['REPEATED'] }),
    )
    const third = right(await customers('编号相同三号有限公司', { outer_code: 'X-2' }))
    const change = (id: string, version: number, fields: JsonObject) =>
      demo.post('/mini/customer/update', { id, version, ...fields })
    const same = await change(second.id, second.version, { level: 'A', ext: { outer_code: 'X-1' } })
    const changed = await change(third.id, third.version, { ext: { outer_code: 'X-1' } })
    const kept = await change(third.id, third.version, { ext: { outer_code: 'X-1' }, confirm: ['REPEATED'] })

    expect(first.id).not.toBe('')
    expect(asked.meta).toMatchObject({
      code: 409,
      message: '已有记录的外部编号是“X-1”\n已有记录的外部类别是“重点客户”\n仍要保存吗？',
      error: { type: 'DUPLICATE' },
    })
    expect(asked.data).toEqual({ confirm: 'REPEATED', fields: ['ext.outer_code', 'ext.outer_kind'] })
    expect(none).toEqual([])
    expect([same.meta.code, changed.meta.code, kept.meta.code]).toEqual([200, 409, 200])
    expect(right(await demo.get(`/mini/customer/detail?id=${third.id}`)).record.ext).toEqual({
      outer_code: 'X-1',
    })
  })

  it('is reported after faults, and together with the questions of the product', async () => {
    const wrong = await customers('', { outer_code: 'X-1' })
    const phone = { mobile: '13855550001' }
    right(await customers('同号一号有限公司', {}, phone))
    const one = await customers('同号二号有限公司', { outer_code: 'X-1' }, phone)
    const two = await customers(
      '同号二号有限公司',
      { outer_code: 'X-1' },
      { ...phone, confirm: ['DUPLICATE_PHONE'] },
    )
    const both = { ...phone, confirm: ['DUPLICATE_PHONE', 'REPEATED'] }
    const done = await customers('同号二号有限公司', { outer_code: 'X-1' }, both)

    expect(wrong.meta.code).toBe(400)
    expect([one.data.confirm, two.data.confirm, done.meta.code]).toEqual(['DUPLICATE_PHONE', 'REPEATED', 200])
  })

  it('is not compared with the recycle bin, nor in batch changes', async () => {
    const gone = right(await customers('编号已删有限公司', { outer_code: 'X-9' }))
    right(await admin.post('/mini/customer/delete', { ids: [gone.id] }))
    const again = right(await customers('编号再用有限公司', { outer_code: 'X-9' }))
    const field = { ...code, patch: true }
    right(await admin.post('/engine/web/field/save', { module: 'customer', field }))
    const patched = await demo.post('/mini/customer/patch', { ids: [again.id], ext: { outer_code: 'X-1' } })

    expect(right(patched).failed).toEqual([])
  })

  it('needs a confirmation in own modules, and another one if the duplicate is another record', async () => {
    const make = (outer_code: string, more: JsonObject = {}) =>
      admin.post('/mini/m/asked/create', { title: outer_code, outer_code, ...more })
    right(await make('T-1'))
    const asked = await make('T-1')
    const kept = await make('T-1', { confirm: ['REPEATED'] })
    const other = right(await make('T-2'))
    const moved = await admin.post('/mini/m/asked/update', {
      id: other.id,
      version: other.version,
      outer_code: 'T-1',
    })

    expect([asked.meta.code, asked.data.confirm, kept.meta.code]).toEqual([409, 'REPEATED', 200])
    expect(moved.meta.code).toBe(409)
  })

  it('asks its question on every page that sends such a record, and on no other', async () => {
    const asks = async (path: string) => {
      const document: JsonObject = JSON.parse((await admin.get(`/engine/web/page/detail?path=${path}`)).body)
      const all = [...objectsIn(document)]
      const found = all.filter((one) => ownValue(one.ask, 'REPEATED') !== undefined)
      const sent = all.filter(({ name, value }) => name === 'confirm' && value === 'data.confirm')
      return [found.length, sent.length]
    }

    // One `save` action, sent to one of two sources.
    expect(await asks('/pages/customer/my/add')).toEqual([1, 2])
    expect(await asks('/pages/contract/add')).toEqual([expect.any(Number), 2])
    expect((await asks('/pages/contract/add'))[0]).toBeGreaterThan(1)
    expect(await asks('/pages/m/asked/add')).toEqual([1, 2])
    expect(await asks('/pages/activity/add')).toEqual([0, 0])
  })
})

describe('a tenant’s changes of a field of the product', () => {
  const FORM = '/engine/web/page/detail?path=/pages/customer/my/add'
  const say = async (module: string, field: JsonObject) =>
    right(await admin.post('/engine/web/field/save', { module, field }))
  const widget = async (client: Client, name: string, page = FORM) => {
    const { widgetList } = JSON.parse((await client.get(page)).body)
    return [...objectsIn(widgetList)].find((one) => ownValue(one.options, 'name') === name)?.options
  }

  it('are shown on its forms: the name, what is required, and the message; not on those of others', async () => {
    const other = await server.as('yfadmin')
    const [before, others] = await Promise.all([demo.get(FORM), other.get(FORM)])
    await say('customer', { name: 'mobile', label: '业务手机' })
    await say('customer', { name: 'level', label: '客户等第', required: true })
    const after = await demo.get(FORM)
    const written = await demo.post('/mini/customer/create', { name: '滨州渤海粮油有限公司' })

    expect(await widget(demo, 'mobile')).toMatchObject({ label: '业务手机', placeholder: '11 位手机号' })
    expect(await widget(demo, 'level')).toMatchObject({
      label: '客户等第',
      required: true,
      requiredHint: '请选择客户等第',
      buttonStyle: true,
    })
    expect(written.meta.error?.fields).toMatchObject({ level: '请选择客户等第' })
    expect(after.headers.etag).not.toBe(before.headers.etag)
    expect((await other.get(FORM)).headers.etag).toBe(others.headers.etag)
    expect(await widget(other, 'mobile')).toMatchObject({ label: '手机' })
  })

  it('take precedence over the product’s page', async () => {
    await say('customer', { name: 'source', label: '获客渠道', help: '第一次怎么认识的', default: 'expo' })
    await say('customer', { name: 'name', label: '企业名称' })
    await say('contact', { name: 'mobile', label: '业务手机' })

    expect(await widget(demo, 'source')).toMatchObject({
      label: '获客渠道',
      hint: '第一次怎么认识的',
      defaultValue: 'expo',
      filterable: true,
    })
    expect(await widget(demo, 'name')).toMatchObject({
      requiredHint: '请填写企业名称',
      placeholder: '公司全称',
    })
    const contact = FORM.replace('customer/my', 'customer/contact')
    expect(await widget(demo, 'mobile', contact)).toMatchObject({ label: '业务手机' })
  })

  it('hide a retired field on the form and remove it from what the form sends', async () => {
    await say('customer', { name: 'website', retired: true })
    const { body } = await demo.get(FORM)

    expect(await widget(demo, 'website')).toMatchObject({ hidden: true })
    expect(body).not.toContain('"website":"{{ form.website }}"')
    expect(body).toContain('"telephone":"{{ form.telephone }}"')
  })

  it('use the tenant’s own fields by the names of pages', async () => {
    const rule = { '==': [{ var: 'member_level' }, 'gold'] }
    await say('customer', { name: 'telephone', required: rule })

    expect(await widget(demo, 'telephone')).toMatchObject({
      requiredOn: { '==': [{ var: 'ext_member_level' }, 'gold'] },
    })
  })
})
