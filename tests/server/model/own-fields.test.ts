import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const server: TestApp = await openTestApp()
let admin: Client
let demo: Client
beforeAll(async () => {
  admin = await server.as('admin')
  demo = await server.as('demo')
}, 60_000)
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

describe('fields that a tenant adds to the customer', () => {
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

  it('are kept and read as they were written, by their own names and by those of pages', async () => {
    const { record } = (await demo.get(`/mini/customer/detail?id=${first}`)).data

    expect(record.ext).toEqual({ wechat_group: '星海老客户', member_level: 'gold', renew_on: '2026-06-01' })
    expect(record).toMatchObject({ ext_wechat_group: '星海老客户', ext_renew_on: '2026-06-01' })
  })

  it('are refused where their description is not met, each by its name', async () => {
    const answer = await demo.post('/mini/customer/create', {
      name: '日照金海物流有限公司',
      ext: { member_level: 'gold', wechat_group: 7, unknown: 1 },
    })

    expect(answer.meta.error?.fields).toEqual({
      'ext.renew_on': '请填写续费日期',
      'ext.wechat_group': expect.stringContaining('微信群名称'),
      'ext.unknown': '不支持的字段',
    })
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

  it('change, and clear, like every other field', async () => {
    const { record } = (await demo.get(`/mini/customer/detail?id=${first}`)).data
    const answer = await demo.post('/mini/customer/update', {
      id: first,
      version: record.version,
      ext: { wechat_group: null },
    })

    expect(answer.data.record.ext).toEqual({ member_level: 'gold', renew_on: '2026-06-01' })
  })

  it('stand on the form of this tenant, and on nobody else’s', async () => {
    const path = '/engine/web/page/detail?path=/pages/customer/my/add'
    const mine = await demo.get(path)
    const other = await (await server.as('yfadmin')).get(path)

    expect(mine.body).toContain('ext_wechat_group')
    expect(mine.body).toContain('{{ form.ext_renew_on }}')
    expect(other.body).not.toContain('ext_wechat_group')
  })

  it('are judged by the page as well: a rule over another own field', async () => {
    const answer = await demo.post('/mini/customer/create', {
      name: '潍坊北海食品有限公司',
      ext: { member_level: 'gold' },
    })

    expect(answer.meta.error?.fields).toMatchObject({ 'ext.renew_on': '请填写续费日期' })
  })

  it('that are retired are kept in old records and asked for nowhere', async () => {
    await admin.post('/engine/web/field/save', { module: 'customer', field: { ...FIELDS[2], retired: true } })
    const { record } = (await demo.get(`/mini/customer/detail?id=${first}`)).data
    const form = await demo.get('/engine/web/page/detail?path=/pages/customer/my/add')
    const written = await demo.post('/mini/customer/create', {
      name: '东营胜利油品有限公司',
      ext: { member_level: 'gold' },
    })

    expect(record.ext.renew_on).toBe('2026-06-01')
    expect(form.body).not.toContain('ext_renew_on')
    expect(written.meta.code).toBe(200)
  })
})
