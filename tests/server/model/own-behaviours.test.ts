import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, demo, give, make } = await openOwnTenant([
  aModule({ behaviours: ['owned', 'recycle', 'star'] }),
  aModule({ name: 'plain', label: '便签' }),
])
beforeAll(async () => {
  for (const module of ['ticket', 'plain']) await give('sales', module)
})
afterAll(() => server.close())

const titles = async (client: Client, module: string, body: JsonObject = {}): Promise<readonly string[]> =>
  (await client.post(`/mini/m/${module}/list`, body)).data.list.map((row: JsonObject) => row.title)
const detailOf = async (client: Client, module: string, id: string) =>
  (await client.get(`/mini/m/${module}/detail?id=${id}`)).data

describe('a star', () => {
  it('is one person’s own: in their list, their tab and the detail', async () => {
    const id = await make(demo, 'ticket', { title: '打印机' })
    await make(demo, 'ticket', { title: '空调' })
    const set = await demo.post('/mini/m/ticket/star', { ids: [id], on: true })

    expect(set.data).toMatchObject({ ok: [id], failed: [] })
    expect(await titles(demo, 'ticket', { tab: 'starred' })).toEqual(['打印机'])
    expect(await titles(admin, 'ticket', { tab: 'starred' })).toEqual([])
    expect((await demo.post('/mini/m/ticket/count', { tabs: ['starred'] })).data).toEqual({ starred: 1 })
    expect(await detailOf(demo, 'ticket', id)).toMatchObject({ starred: true, record: { starred: true } })
    expect(await detailOf(admin, 'ticket', id)).toMatchObject({ starred: false, record: { starred: false } })
    const { list } = (await demo.post('/mini/m/ticket/list', { keyword: '打印机' })).data
    expect(list).toMatchObject([{ starred: true, actions: expect.arrayContaining(['star']) }])

    await demo.post('/mini/m/ticket/star', { ids: [id], on: false })
    expect(await titles(demo, 'ticket', { tab: 'starred' })).toEqual([])
    expect(JSON.stringify((await demo.get(`/mini/m/ticket/log?id=${id}`)).data.list)).not.toContain('关注')
  })

  it('is set on nothing one does not see, and where records have none', async () => {
    const theirs = await make(admin, 'ticket', { title: '别人的' })
    const plain = await make(demo, 'plain', { title: '便签' })
    const unseen = await demo.post('/mini/m/ticket/star', { ids: [theirs] })
    const unable = await demo.post('/mini/m/plain/star', { ids: [plain] })

    expect(unseen.data).toMatchObject({ ok: [], failed: [{ id: theirs, name: '', code: 404 }] })
    expect(unable.meta).toMatchObject({ code: 404, message: '这类记录不能关注' })
    expect((await detailOf(demo, 'plain', plain)).actions).not.toContain('star')
  })

  it('waits on a phone without network, and is done once', async () => {
    const ops = [
      { clientToken: 'star-0001', path: '/mini/m/ticket/create', body: { title: '离线的' }, tempId: 'tmp:a' },
      { clientToken: 'star-0002', path: '/mini/m/ticket/star', body: { ids: ['tmp:a'], on: true } },
    ]
    const sent = await demo.post('/mini/sync/outbox', { ops })

    expect(sent.data.results.map(({ meta }: { meta: JsonObject }) => meta.code)).toEqual([200, 200])
    expect(await titles(demo, 'ticket', { tab: 'starred' })).toEqual(['离线的'])
  })
})
