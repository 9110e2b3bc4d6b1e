import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MESSAGE_CATEGORIES, type MessageRow } from '../../../src/contract/message.ts'
import { deleteExpired } from '../../../src/server/flows/jobs/expired-rows.ts'
import { type Announcement, announce } from '../../../src/server/kernel/notices/announce.ts'
import { EVENT_RULES, type MessageEvent } from '../../../src/server/kernel/notices/events.ts'
import { isTextCode } from '../../../src/server/kernel/text/text.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { aContract, aCustomer } from './rows.ts'

let server: TestApp
let demo: Client
let manager: Client
beforeAll(async () => {
  server = await openTestApp()
  demo = await server.as('demo')
  manager = await server.as('manager')
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.now = Date.parse('2026-03-16T02:00:00Z')
  await server.database.system(async (trx) => {
    for (const table of ['message', 'message_source', 'message_setting'])
      await sql`delete from ${sql.table(table)}`.execute(trx)
  })
})

const tell = (more: Partial<Announcement> = {}) =>
  server.database.tenant({ tenantId: 'xinghai', userId: 'u-manager' }, (trx) =>
    announce(trx, {
      event: 'record.assigned',
      tenantId: 'xinghai',
      actorId: 'u-manager',
      now: new Date(server.clock.now),
      receivers: ['u-demo'],
      entity: 'customer',
      ids: ['c1'],
      params: { by: '周晓燕', names: '华信软件' },
      ...more,
    }),
  )
/** 22:30 in Shanghai; messages of signing in are gone. @returns a colleague */
async function atNight(): Promise<Client> {
  server.clock.now = Date.parse('2026-03-16T14:30:00Z')
  demo = await server.as('demo')
  const other = await server.as('zhaolei')
  await server.database.system((trx) => sql`delete from message`.execute(trx))
  return other
}
const list = async (client: Client, body: object = {}): Promise<MessageRow[]> =>
  (await client.post('/mini/message/list', { ...body })).data.list
const unread = async (client: Client) => (await client.get('/mini/message/unread-count')).data

describe('messages', () => {
  it('describe an event and link to the record', async () => {
    await tell()
    await tell({ ids: ['c1', 'c2'], entity: 'lead' })

    const [many, one] = await list(demo)

    expect(one).toMatchObject({
      category: 'customer',
      title: '有新的客户分配给你',
      content: '周晓燕将 1 个客户分配给你：华信软件',
      url: '/pages/customer/my/detail?id=c1',
      sender_name: '周晓燕',
      read: false,
    })
    expect(many).toMatchObject({ category: 'lead', url: '/pages/customer/leads/index' })
  })

  it('have texts for every event', () => {
    const missing = (Object.keys(EVENT_RULES) as MessageEvent[]).flatMap((event) =>
      ['title', 'content', 'label']
        .map((part) => `message.${event}.${part}`)
        .filter((code) => !isTextCode(code)),
    )

    expect(missing).toEqual([])
  })

  it('are not sent to the actor, to outsiders, to users who left, or twice for one key', async () => {
    await tell({ receivers: ['u-manager', 'u-guopeng', 'u-demo', 'u-demo'], sourceKey: 'k' })
    await tell({ sourceKey: 'k' })
    await demo.post('/mini/message/delete', { ids: (await list(demo)).map((row) => row.id) })
    await tell({ sourceKey: 'k' })

    expect(await list(demo)).toEqual([])
    expect(await list(manager)).toEqual([])
    const { rows } = await server.database.system((trx) =>
      sql<{ n: number }>`select count(*) as n from message`.execute(trx),
    )
    expect(rows[0]?.n).toBe(1)
  })

  it('of a group are merged while unread, even if they arrive at the same time', async () => {
    await Promise.all([1, 2, 3].map((n) => tell({ groupKey: 'g', params: { names: `第${n}` } })))
    const [merged] = await list(demo)
    await demo.post('/mini/message/read', { ids: [merged?.id ?? ''] })
    await tell({ groupKey: 'g' })

    expect(merged?.merged).toBe(3)
    expect((await list(demo)).map((row) => row.merged)).toEqual([1, 3])
  })

  it('are counted per category, and marked as read one by one, by category, or all', async () => {
    for (const entity of ['customer', 'customer', 'lead', 'contract'] as const) await tell({ entity })
    await tell({ event: 'contract.submit', entity: 'contract', params: { title: '合同' } })
    const before = await unread(demo)
    const perTab = await Promise.all(
      MESSAGE_CATEGORIES.map(async (tab) => [tab, (await list(demo, { tab })).length] as const),
    )
    const [first] = await list(demo, { tab: 'customer' })

    const one = (await demo.post('/mini/message/read', { ids: [first?.id ?? ''] })).data
    const category = (await demo.post('/mini/message/read', { category: 'approval' })).data
    const all = (await demo.post('/mini/message/read', { all: true })).data

    expect(before.byCategory).toEqual(Object.fromEntries(perTab))
    expect([before.total, one.total, category.total, all.total]).toEqual([5, 4, 3, 0])
    expect(await list(demo, { tab: 'unread' })).toEqual([])
    expect((await demo.post('/mini/message/read', { category: 'gossip' })).meta.code).toBe(400)
    expect((await demo.post('/mini/message/read', {})).meta.code).toBe(400)
  })

  it('can be read, deleted or counted only by their receiver', async () => {
    await tell()
    const [mine] = await list(demo)
    const ids = [mine?.id ?? '']
    const stranger = await server.as('yfadmin')

    for (const client of [manager, stranger]) {
      await client.post('/mini/message/read', { ids })
      await client.post('/mini/message/delete', { ids })
      expect(await list(client)).toEqual([])
    }

    expect((await unread(demo)).total).toBe(1)
    expect((await unread(stranger)).total).toBe(0)
  })

  it('are switched off by event, except approvals; some are off by default', async () => {
    const saved = await demo.post('/mini/message/setting', {
      events: { 'record.assigned': false, 'pool.new': true },
    })
    const one = await demo.post('/mini/message/setting', { event: 'todo.done', on: false })
    const fixed = await demo.post('/mini/message/setting', { events: { 'contract.submit': false } })
    const wrong = [
      await demo.post('/mini/message/setting', { events: { gossip: true } }),
      await demo.post('/mini/message/setting', { quietFrom: '25:00' }),
    ]
    await tell()
    await tell({ event: 'pool.new', params: { pool: '公海', names: '' } })
    await tell({ event: 'contract.submit', entity: 'contract' })
    await tell({ event: 'pool.new', receivers: ['u-zhaolei'] })

    expect(one.data.events).toContainEqual(expect.objectContaining({ event: 'todo.done', on: false }))
    const on = new Map(saved.data.events.map((it: { event: string; on: boolean }) => [it.event, it.on]))
    expect([on.get('record.assigned'), on.get('pool.new'), on.get('follow.due')]).toEqual([false, true, true])
    expect([fixed, ...wrong].map((answer) => answer.meta.code)).toEqual([400, 400, 400])
    expect((await list(demo)).map((row) => row.event).sort()).toEqual(['contract.submit', 'pool.new'])
    expect(await list(await server.as('zhaolei'))).toEqual([])
  })

  it('wait for the end of quiet hours, unless they are urgent or the user has none', async () => {
    await atNight()
    await tell()
    await tell({ event: 'contract.submit', entity: 'contract' })
    const shown = [(await list(demo)).map((row) => row.event), (await unread(demo)).total]

    server.clock.now = Date.parse('2026-03-17T00:00:00Z')
    const inTheMorning = await list(demo)

    expect(shown).toEqual([['contract.submit'], 1])
    expect(inTheMorning[0]).toMatchObject({ event: 'record.assigned', created_at: '2026-03-17 08:00:00' })
  })

  it('that wait follow changed quiet hours: they come when these end, or at once if there are none', async () => {
    const other = await atNight()
    const times = async (client = demo) => (await list(client)).map((row) => row.created_at)
    await tell({ receivers: ['u-demo', 'u-zhaolei'] })
    await demo.post('/mini/message/setting', { quietTo: '06:00' })
    server.clock.now = Date.parse('2026-03-16T21:59:00Z')
    const before = await times()
    server.clock.now = Date.parse('2026-03-16T22:00:00Z')
    const after = await times()

    await atNight()
    await tell({ receivers: ['u-demo', 'u-zhaolei'] })
    await demo.post('/mini/message/setting', { quiet: false })
    await tell({ event: 'follow.by_other', entity: 'customer' })

    expect([before, after]).toEqual([[], ['2026-03-17 06:00:00']])
    expect(await times()).toEqual(['2026-03-16 22:30:00', '2026-03-16 22:30:00'])
    expect(await times(other)).toEqual([])
  })

  it('are kept for 180 days', async () => {
    const day = 86_400_000
    await tell({ now: new Date(server.clock.now - 181 * day) })
    await tell({ now: new Date(server.clock.now - 179 * day) })
    const clean = () => deleteExpired(server.database, server.config.keeping, server.clock.now)

    await clean()
    expect(await list(demo)).toHaveLength(1)
    await clean()
    expect(await list(demo)).toHaveLength(1)
  })
})

describe('actions of colleagues', () => {
  it('notify approvers of a contract, then its owner, and create and close the to-do', async () => {
    await server.database.system(async (trx) => {
      await aCustomer(trx, { id: 'ac', name: '审批客户' })
      await aContract(trx, { id: 'ak', customer: 'ac', status: 0, amount: 5000 })
    })

    const submitted = await demo.post('/mini/contract/submit', { id: 'ak' })
    const waiting = (await manager.post('/mini/todo/list', { tab: 'approval' })).data.list
    const asked = await list(manager)
    const acted = await manager.post('/mini/approval/act', {
      id: waiting[0]?.approval_id,
      action: 'approve',
      opinion: '同意',
    })

    expect([submitted.meta.code, acted.meta.code]).toEqual([200, 200])
    expect(asked.map((row) => [row.event, row.url])).toEqual([
      ['contract.submit', `/pages/work/approval/detail?id=${waiting[0]?.approval_id}`],
    ])
    expect((await list(demo)).map((row) => row.event)).toEqual(['contract.approved'])
    expect((await manager.post('/mini/todo/list', { tab: 'approval' })).data.list).toEqual([])
  })
})
