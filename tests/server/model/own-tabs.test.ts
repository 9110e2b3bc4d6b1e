import { afterAll, describe, expect, it } from 'vitest'
import { isObject, type Json, type JsonObject, valueAt } from '../../../runtime/core/json.ts'
import { right } from '../business5/deals.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const STATUS: JsonObject = {
  name: 'status',
  kind: 'choice',
  label: '状态',
  options: [
    { value: 'open', label: '待处理' },
    { value: 'done', label: '已解决' },
  ],
}
const TICKET = aModule({
  fields: [STATUS, { name: 'score', kind: 'integer', label: '分', sort: true }],
  statuses: { field: 'status', moves: { open: ['done'], done: [] } },
})
const { server, admin, demo, give, make, save } = await openOwnTenant([TICKET])
afterAll(() => server.close())

const tabs = async (): Promise<readonly JsonObject[]> => {
  const { body } = await admin.get('/engine/web/page/detail?path=/pages/m/ticket/index')
  const widgets = valueAt(JSON.parse(body) as Json, 'widgetList')
  const found = (Array.isArray(widgets) ? widgets : []).find((one) => valueAt(one, 'options.name') === 'tab')
  const items = valueAt(found, 'options.optionItems')
  return (Array.isArray(items) ? items : []).filter(isObject)
}

describe('the quick tabs of an own module', () => {
  it('are owners and statuses, or those that its description lists, in that order', async () => {
    expect((await tabs()).map(({ label }) => label)).toEqual([
      '全部',
      '我负责的',
      '下属的',
      '待处理',
      '已解决',
    ])
    await save({ ...TICKET, tabs: ['status_open', 'mine'] })
    expect((await tabs()).map(({ label }) => label)).toEqual(['待处理', '我负责的'])
    await save(TICKET)
  })

  it('are refused if the list has none of that name, with the nearest name', async () => {
    const { meta, data } = await admin.post('/engine/web/module/save', {
      description: { ...TICKET, tabs: ['all', 'statusopen', 'today'] },
    })
    expect(meta.code).toBe(400)
    expect(data.problems.map(({ at, hint }: JsonObject) => [at, hint])).toEqual([
      ['/tabs/1', expect.stringContaining('status_open')],
      ['/tabs/2', expect.anything()],
    ])
  })

  it('show records of others as far as the user’s scope allows, in every order', async () => {
    await give('sales', 'ticket')
    await give('sales_manager', 'ticket')
    const manager = await server.as('manager')
    const made = await Promise.all([
      make(demo, 'ticket', { title: '销售的', score: 1 }),
      make(manager, 'ticket', { title: '主管的', score: 2 }),
      make(admin, 'ticket', { title: '管理员的' }),
    ])
    expect(new Set(made).size).toBe(3)

    const found = async (client: Client, tab: string, sort?: JsonObject): Promise<readonly string[]> =>
      right(await client.post('/mini/m/ticket/list', { tab, ...(sort ? { sort: [sort] } : {}) }))
        .list.map((row: JsonObject) => row.title)
        .sort()
    const expected: Readonly<Record<string, readonly string[]>> = {
      self: [],
      self_sub: ['销售的'],
      dept_sub: ['销售的'],
      all: ['管理员的', '销售的'].sort(),
    }
    for (const [scope, titles] of Object.entries(expected)) {
      await give('sales_manager', 'ticket', { scope })
      const asked = await server.as('manager')
      for (const sort of [
        undefined,
        ...['created_at', 'score', 'py'].map((by) => ({ field: by, dir: 'asc' })),
      ])
        expect([scope, await found(asked, 'team', sort)]).toEqual([scope, titles])
      const counts = right(await asked.post('/mini/m/ticket/count', { tabs: ['all', 'mine', 'team'] }))
      expect(counts).toMatchObject({ all: titles.length + 1, mine: 1, team: titles.length })
    }
  })
})
