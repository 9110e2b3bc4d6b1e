import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { right } from '../business5/deals.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, demo, give, make, save } = await openOwnTenant([
  aModule({ number: 'GD{yyyyMMdd}{000}', tile: { label: '新增工单' } }),
  aModule({ name: 'secret', label: '内部事项', tile: { label: '新增事项' } }),
  aModule({ name: 'note', label: '便签', behaviours: [], tile: { label: '新增便签' } }),
])
let mine = ''
let theirs = ''
beforeAll(async () => {
  await give('sales', 'ticket')
  await give('sales', 'note')
  mine = await make(demo, 'ticket', { title: '打印机卡纸' })
  theirs = await make(admin, 'ticket', { title: '打印机漏粉' })
  await make(admin, 'secret', { title: '打印机报废' })
})
afterAll(() => server.close())

const search = async (client: Client, keyword: string, types = ''): Promise<readonly JsonObject[]> =>
  right(
    await client.get(
      `/mini/search/global?${new URLSearchParams({ keyword, ...(types === '' ? {} : { types }) })}`,
    ),
  ).groups
const titles = (groups: readonly JsonObject[]): readonly string[] =>
  groups.flatMap(({ list }) => (list as JsonObject[]).map(({ title }) => String(title))).sort()

describe('the global search', () => {
  it('finds records of own modules by the fields that the caller sees, in a group per module', async () => {
    const groups = await search(demo, '打印机')

    expect(groups).toMatchObject([{ type: 'm/ticket', title: '售后工单', total: 1 }])
    expect(groups[0]?.list).toMatchObject([
      {
        id: mine,
        title: '打印机卡纸',
        sub: 'GD20260316001',
        route: `/pages/m/ticket/detail?id=${mine}`,
      },
    ])
    expect(titles(await search(admin, '打印机'))).toEqual(['打印机卡纸', '打印机报废', '打印机漏粉'].sort())
  })

  it('finds them by initials and by number, and in one module only', async () => {
    expect(titles(await search(admin, 'dyjlf'))).toEqual(['打印机漏粉'])
    expect(titles(await search(admin, 'GD20260316002'))).toEqual(['打印机漏粉'])
    expect(titles(await search(admin, '打印机', 'm/secret'))).toEqual(['打印机报废'])
    expect(await search(demo, '打印机', 'm/secret')).toEqual([])
    expect(titles(await search(demo, '打印机', 'm'))).toEqual(['打印机卡纸'])
    expect(await search(await server.as('yfadmin'), '打印机')).toEqual([])
  })

  it('finds nothing in the recycle bin', async () => {
    const id = await make(demo, 'ticket', { title: '扫描仪' })
    right(await demo.post('/mini/m/ticket/delete', { ids: [id] }))

    expect(await search(demo, '扫描仪')).toEqual([])
  })
})

describe('the tile of an own module on the home page', () => {
  const tiles = async (client: Client, query: string): Promise<readonly JsonObject[]> =>
    right(await client.get(`/mini/home/overview?${query}`)).own
  /** The product's own modules have tiles as well. */
  const isMade = ({ name }: JsonObject): boolean => ['m.note', 'm.secret', 'm.ticket'].includes(String(name))
  const behind = async (client: Client, body: JsonObject) =>
    right(await client.post('/mini/stats/detail', { key: 'm.ticket', period: 'this_month', ...body }))

  it('counts the new records of the period: the user’s own or those of their scope', async () => {
    const own = await tiles(admin, 'period=this_month&scope=mine')
    const team = await tiles(admin, 'period=this_month&scope=team')
    const before = await tiles(admin, 'period=last_month&scope=team')

    expect(own).toContainEqual({
      name: 'm.ticket',
      label: '新增工单',
      value: [0, 1, null],
      compare: true,
      unit: '条',
    })
    expect(team.filter(isMade).map(({ name, value }) => [name, value])).toEqual([
      ['m.note', [0, 0, null]],
      ['m.secret', [0, 1, null]],
      ['m.ticket', [0, 2, null]],
    ])
    expect(before.find(isMade)?.value).toEqual([0, 0, null])
  })

  it('is shown to users who may see the module', async () => {
    const shown = await tiles(demo, 'period=this_month')

    expect(shown.filter(isMade).map(({ name }) => name)).toEqual(['m.note', 'm.ticket'])
  })

  it('opens the records that it counts', async () => {
    const detail = await behind(admin, { scope: 'team' })
    const one = await behind(demo, { scope: 'mine' })

    expect(detail).toMatchObject({ key: 'm.ticket', label: '新增工单', number: 2, count: 2, hasMore: false })
    expect(detail.list.map(({ id }: JsonObject) => id).sort()).toEqual([mine, theirs].sort())
    expect(one.list).toMatchObject([{ title: '打印机卡纸', url: `/pages/m/ticket/detail?id=${mine}` }])
    expect((await demo.post('/mini/stats/detail', { key: 'm.secret' })).meta.code).toBe(400)
  })

  it('counts records by author if there are no owners', async () => {
    await make(demo, 'note', { title: '记一笔' })
    const mineOf = async (client: Client) =>
      (await tiles(client, 'period=this_month&scope=mine')).find(({ name }) => name === 'm.note')?.value

    expect(await mineOf(demo)).toEqual([0, 1, null])
    expect(await mineOf(admin)).toEqual([0, 0, null])
  })

  it('is removed with its module', async () => {
    right(await admin.post('/engine/web/module/delete', { name: 'note' }))
    const names = async () => (await tiles(admin, 'period=this_month')).map(({ name }) => name)
    const gone = await names()
    await save(aModule({ name: 'note', label: '便签', behaviours: [], tile: { label: '新增便签' } }))

    expect(gone).not.toContain('m.note')
    expect(await names()).toContain('m.note')
  })
})
