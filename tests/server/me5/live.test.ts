import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Announcement, announce } from '../../../src/server/kernel/notices/announce.ts'
import { openTwoServers, type Server } from './two-servers.ts'

const clock = { now: Date.parse('2026-03-16T02:00:00Z') }
let close: () => Promise<void>
let here: Server
let there: Server
beforeAll(async () => {
  const opened = await openTwoServers(clock)
  close = opened.close
  ;[here, there] = opened.servers
})
afterAll(() => close())

const told = (more: Partial<Announcement> = {}): Announcement => ({
  event: 'record.assigned',
  tenantId: 'xinghai',
  actorId: 'u-manager',
  now: new Date(clock.now),
  receivers: ['u-demo'],
  entity: 'customer',
  ids: ['c1'],
  params: { by: '周晓燕', names: '华信' },
  ...more,
})
const tell = (server: Server, announcement: Announcement) =>
  server.database.tenant({ tenantId: announcement.tenantId, userId: 'u-manager' }, (trx) =>
    announce(trx, announcement),
  )

describe('the live stream', () => {
  it('reports a change on one server to the other within a second', async () => {
    const live = await there.stream(await there.signIn('demo'))
    await live.until((event) => event.kind === 'unread')

    const delays: number[] = []
    for (let round = 0; round < 10; round++) {
      const begun = Date.now()
      await tell(here, told({ params: { by: '周晓燕', names: `第${round}` } }))
      delays.push(
        (await live.until(
          (event) => event.kind === 'message' && event.message.content.includes(`第${round}`),
        )) - begun,
      )
    }

    live.close()
    expect(Math.max(...delays)).toBeLessThan(1000)
  })

  it('reports a to-do that a colleague assigned on the other server', async () => {
    const live = await there.stream(await there.signIn('demo'))
    await live.until((event) => event.kind === 'unread')
    const manager = await here.signIn('manager')

    const begun = Date.now()
    await here.post('/mini/todo/create', manager, {
      title: '准备报价',
      due_at: '2026-03-18',
      assignee_id: 'u-demo',
    })
    const at = await live.until(
      (event) => event.kind === 'message' && event.message.event === 'todo.assigned',
    )
    await live.until((event) => event.kind === 'todo')

    live.close()
    expect(at - begun).toBeLessThan(1000)
  })

  it('reports nothing of a transaction that was rolled back, and nothing to other users and tenants', async () => {
    const mine = await there.stream(await there.signIn('demo'))
    const others = await there.stream(await there.signIn('zhaolei'))
    const strangers = await there.stream(await there.signIn('yfadmin'))
    for (const live of [mine, others, strangers]) await live.until((event) => event.kind === 'unread')

    const failed = here.database.tenant({ tenantId: 'xinghai', userId: 'u-manager' }, async (trx) => {
      await announce(trx, told({ params: { names: '不该出现' } }))
      throw new Error('taken back')
    })
    await expect(failed).rejects.toThrow('taken back')
    await tell(here, told({ params: { names: '只给我' } }))
    await mine.until((event) => event.kind === 'message' && event.message.content.includes('只给我'))

    const heard = (live: typeof mine) => JSON.stringify(live.events)
    expect(heard(mine)).not.toContain('不该出现')
    expect(heard(others)).not.toContain('只给我')
    expect(heard(strangers)).not.toContain('只给我')
    for (const live of [mine, others, strangers]) live.close()
  })

  it('catches up on missed events, from the last one a client saw', async () => {
    const token = await there.signIn('demo')
    const first = await there.stream(token)
    clock.now += 60_000
    await first.until((event) => event.kind === 'unread')
    await tell(here, told({ now: new Date(clock.now), params: { names: '断线之前' } }))
    await first.until((event) => event.kind === 'message')
    const last = first.events.at(-1)?.lastId ?? ''
    first.close()
    clock.now += 60_000
    await tell(here, told({ now: new Date(clock.now), params: { names: '断线期间' } }))

    const again = await here.stream(token, last)

    await again.until((event) => event.kind === 'message' && event.message.content.includes('断线期间'))
    again.close()
    const fresh = await here.stream(token)
    await fresh.until((event) => event.kind === 'unread')
    await new Promise((done) => setTimeout(done, 200))
    expect(fresh.events.map((event) => event.kind)).toEqual(['unread'])
    fresh.close()
  })

  it('reports changed rights, and only to users whose rights changed', async () => {
    const service = await there.stream(await there.signIn('jiangnan'))
    const seller = await there.stream(await there.signIn('zhaolei'))
    for (const live of [service, seller]) await live.until((event) => event.kind === 'unread')
    const admin = await here.signIn('admin')
    const { data } = await here.post('/engine/web/role/list', admin, {})
    const role = (data as { list: Record<string, unknown>[] }).list.find(({ code }) => code === 'service')
    const scopes = { ...(role?.scopes as object), customer: 'dept' }
    const { meta } = await here.post('/engine/web/role/save', admin, { ...role, scopes })

    await service.until((event) => event.kind === 'rights')
    await tell(here, told({ receivers: ['u-zhaolei'] }))
    await seller.until((event) => event.kind === 'message')
    for (const live of [service, seller]) live.close()
    expect([meta.code, seller.events.filter(({ kind }) => kind === 'rights')]).toEqual([200, []])
  })

  it('ends at once when its user signs out, on whichever server, and so do their page streams', async () => {
    const token = await there.signIn('demo')
    const open = (path: string) => fetch(there.url + path, { headers: { authorization: token } })
    const streams = await Promise.all([open('/mini/message/stream'), open('/engine/web/page/stream')])

    await here.post('/mini/login/logout', token, {})
    const ends = streams.map((stream) => stream.text())

    const left = await Promise.race([
      Promise.all(ends),
      new Promise((done) => setTimeout(() => done('still open'), 2000)),
    ])
    expect(left).not.toBe('still open')
  })

  it('of pages is open to users who are not signed in, within limits', async () => {
    const streams = await Promise.all(
      Array.from({ length: 31 }, () => fetch(`${here.url}/engine/web/page/stream`)),
    )
    const kinds = streams.map((stream) => stream.headers.get('content-type')?.split(';')[0])
    const [refused] = streams.filter((_, i) => kinds[i] === 'application/json')
    const token = await here.signIn('demo')
    const signedIn = await fetch(`${here.url}/engine/web/page/stream`, { headers: { authorization: token } })

    expect(kinds.filter((kind) => kind === 'text/event-stream')).toHaveLength(30)
    expect(refused?.status).toBe(429)
    expect(await refused?.json()).toMatchObject({ meta: { code: 429 } })
    expect(signedIn.headers.get('content-type')).toContain('text/event-stream')
    for (const stream of [...streams, signedIn]) if (stream !== refused) await stream.body?.cancel()
  })

  it('reports the end of the session, and ends with it', async () => {
    const token = await there.signIn('demo')
    const live = await there.stream(token)
    await live.until((event) => event.kind === 'unread')
    const before = live.events.length

    await here.post('/mini/login/logout', token, {})
    await live.until((event) => event.kind === 'signed-out')
    await tell(here, told({ params: { names: '退出以后' } }))
    await new Promise((done) => setTimeout(done, 300))

    expect(live.events.slice(before).map((event) => event.kind)).toEqual(['signed-out'])
  })
})
