import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, demo, give, make } = await openOwnTenant([
  aModule({ behaviours: ['owned', 'follow', 'recycle', 'star', 'team'] }),
  aModule({ name: 'plain', label: '便签' }),
])
let people: readonly JsonObject[] = []
let zengke: Client
beforeAll(async () => {
  people = (await admin.post('/engine/web/user/list', {})).data.list
  for (const module of ['ticket', 'plain']) await give('sales', module)
  zengke = await server.as('zengke')
})
afterAll(() => server.close())

const titles = async (client: Client, module: string, body: JsonObject = {}): Promise<readonly string[]> =>
  (await client.post(`/mini/m/${module}/list`, body)).data.list.map((row: JsonObject) => row.title)
const detailOf = async (client: Client, module: string, id: string) =>
  (await client.get(`/mini/m/${module}/detail?id=${id}`)).data

const idOf = (account: string): string => String(people.find((one) => one.account === account)?.id)

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

describe('colleagues who share a record', () => {
  const share = (client: Client, id: string, level: 'read' | 'write', account = 'zengke') =>
    client.post('/mini/m/ticket/team/save', { id, members: [{ userId: idOf(account), level }] })
  const lists = async () => ({
    all: await titles(zengke, 'ticket'),
    collaborating: await titles(zengke, 'ticket', { tab: 'collaborating' }),
    mine: await titles(zengke, 'ticket', { tab: 'mine' }),
  })

  it('see it whatever their scope, until they are taken off it, and change it as far as it was given to them', async () => {
    const id = await make(demo, 'ticket', { title: '共享的' })
    const before = await zengke.get(`/mini/m/ticket/detail?id=${id}`)
    const none = await lists()
    await share(demo, id, 'read')
    const read = await detailOf(zengke, 'ticket', id)
    const refused = [
      await zengke.post('/mini/m/ticket/update', { id, version: 1, title: '改' }),
      await zengke.post('/mini/m/ticket/transfer', { ids: [id], toUserId: idOf('zengke') }),
      await zengke.post('/mini/m/ticket/delete', { ids: [id] }),
      await share(zengke, id, 'write'),
      await zengke.post('/mini/follow/create', {
        target_type: 'm/ticket',
        target_id: id,
        method: 'call',
        content: '只读',
      }),
    ].map(({ meta, data }) => (meta.code === 200 ? data.failed[0].code : meta.code))
    const shared = await lists()
    await share(demo, id, 'write')
    const write = await detailOf(zengke, 'ticket', id)
    const changed = await zengke.post('/mini/m/ticket/update', { id, version: 1, title: '一起改的' })
    const kept = await zengke.post('/mini/m/ticket/delete', { ids: [id] })

    expect(before.meta.code).toBe(404)
    expect(none).toEqual({ all: [], collaborating: [], mine: [] })
    expect(read.actions).toEqual(['star'])
    expect(refused).toEqual([405, 405, 405, 405, 405])
    expect(shared).toEqual({ all: ['共享的'], collaborating: ['共享的'], mine: [] })
    expect(write.actions).toEqual(['follow', 'edit', 'star'])
    expect(changed.meta.code).toBe(200)
    expect(kept.data.failed).toMatchObject([{ id, code: 405, name: '一起改的' }])
    expect((await demo.get(`/mini/m/ticket/team?id=${id}`)).data).toMatchObject({
      ownerId: idOf('demo'),
      list: [{ user_id: idOf('zengke'), level: 'write' }],
    })

    await demo.post('/mini/m/ticket/team/remove', { id, userIds: [idOf('zengke')] })
    expect(await lists()).toEqual(none)
    expect((await zengke.get(`/mini/m/ticket/detail?id=${id}`)).meta.code).toBe(404)
    const log = (await demo.get(`/mini/m/ticket/log?id=${id}`)).data.list.map((one: JsonObject) => one.text)
    expect(log).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^协作人：空 → .+（只读）$/),
        expect.stringMatching(/^协作人：.+（读写） → 空$/),
      ]),
    )
  })

  it('are told of it, hold the right to see it, and are not its owner', async () => {
    const id = await make(demo, 'ticket', { title: '告知的' })
    await share(demo, id, 'read')
    const { list } = (await zengke.post('/mini/message/list', {})).data
    const refused = [await share(demo, id, 'read', 'finance'), await share(demo, id, 'read', 'demo')]
    const plain = await make(demo, 'plain', { title: '便签' })

    expect(list[0]).toMatchObject({ title: '你已成为售后工单协作人', url: `/pages/m/ticket/detail?id=${id}` })
    expect(refused.map(({ meta }) => meta.code)).toEqual([409, 400])
    const unable = await demo.post('/mini/m/plain/team/save', { id: plain, members: [] })
    expect(unable.meta).toMatchObject({ code: 404, message: '这类记录没有协作人' })
  })

  it('have it in their copy at once, and lose it there', async () => {
    const id = await make(demo, 'ticket', { title: '副本里的' })
    const { next } = (await zengke.post('/mini/sync/changes', { entities: ['record'] })).data
    await share(demo, id, 'read')
    const got = (await zengke.post('/mini/sync/changes', { entities: ['record'], since: next })).data
    await demo.post('/mini/m/ticket/team/remove', { id, userIds: [idOf('zengke')] })
    const lost = (await zengke.post('/mini/sync/changes', { entities: ['record'], since: got.next })).data

    expect(got.reset).toBe(true)
    expect(JSON.stringify(got.changed)).toContain('副本里的')
    expect(lost.reset).toBe(true)
    expect(JSON.stringify(lost.changed)).not.toContain('副本里的')
  })

  it('share it no longer once it is theirs, by transfer and by hand-over', async () => {
    const id = await make(demo, 'ticket', { title: '交出去的' })
    await share(demo, id, 'write')
    await demo.post('/mini/m/ticket/transfer', { ids: [id], toUserId: idOf('zengke') })
    const given = await zengke.get(`/mini/m/ticket/team?id=${id}`)
    await share(zengke, id, 'read', 'demo')
    await admin.post('/engine/web/user/handover', { id: idOf('zengke'), toUserId: idOf('demo') })
    const handed = await demo.get(`/mini/m/ticket/team?id=${id}`)

    expect(given.data).toEqual({ ownerId: idOf('zengke'), list: [] })
    expect(handed.data).toEqual({ ownerId: idOf('demo'), list: [] })
  })

  it('are refused where records have no owner', async () => {
    const description = aModule({ name: 'open', label: '公共', behaviours: ['team'] })
    const { meta, data } = await admin.post('/engine/web/module/save', { description })

    expect(meta.code).toBe(400)
    expect(data.problems).toMatchObject([{ at: '/behaviours/0', message: '只有有负责人的记录才能用“team”' }])
  })
})
