import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Resolve } from '../../../src/server/flows/connections/outgoing-request.ts'
import { cleanLogins } from '../../../src/server/flows/jobs/cleaning.ts'
import { releaseHeld } from '../../../src/server/flows/jobs/minute.ts'
import { createPusher, type Pusher } from '../../../src/server/flows/push/pusher.ts'
import { startPushing } from '../../../src/server/flows/push/start-pushing.ts'
import { readVapid, type Vapid } from '../../../src/server/flows/push/vapid.ts'
import { readConfig } from '../../../src/server/kernel/config/config.ts'
import { allowedAddresses } from '../../../src/server/kernel/config/inner-addresses.ts'
import { createSealer } from '../../../src/server/kernel/config/sealed.ts'
import { type Announcement, announce } from '../../../src/server/kernel/notices/announce.ts'
import { claimsOf, type Device, openPushService, type PushService } from '../../support/push-service.ts'
import { type Client, openTestApp, SECRET_OF_TESTS, type TestApp } from '../support.ts'

const SEALER = createSealer(SECRET_OF_TESTS)
const OPENED = allowedAddresses(['127.0.0.1'])

const NO_SERVICES = [
  'http://127.0.0.1:9/send',
  'https://127.0.0.1/send',
  'https://[::1]/send',
  'https://169.254.169.254/latest',
  'http://push.example.com/send',
  'https://user:secret@push.example.com/send',
  'https://push.example.com:8443/send',
  'https://push.example.com:22/send',
  'https://[::ffff:10.0.0.1]/send',
  'https://2130706433/send',
  'https://localhost/send',
  'https://localhost./send',
  'https://crm.localhost/send',
  'https://printer.local/send',
  'https://Metadata.Google.Internal/send',
  'https://intranet/send',
  'ftp://push.example.com/send',
  'javascript:alert(1)',
  'push',
]

let server: TestApp
let service: PushService
let vapid: Vapid
let pusher: Pusher
let demo: Client
let warned: unknown[] = []

beforeAll(async () => {
  service = await openPushService()
  server = await openTestApp({ PUSH_INNER: '127.0.0.1' })
  vapid = await readVapid(server.database, {
    sealer: SEALER,
    contact: 'mailto:it@example.com',
    now: Date.now(),
  })
})
afterAll(async () => {
  await server.close()
  await service.close()
})
beforeEach(async () => {
  server.clock.now = Date.parse('2026-03-16T02:00:00Z')
  warned = []
  await server.database.system(async (trx) => {
    for (const table of ['push_subscription', 'message', 'message_setting', 'session'])
      await sql`delete from ${sql.table(table)}`.execute(trx)
  })
  service.forget()
  pusher = newPusher()
  demo = await server.as('demo', 'phone')
})

const newPusher = (reach = OPENED, resolve?: Resolve) =>
  createPusher({
    database: server.database,
    vapid,
    reach,
    ...(resolve === undefined ? {} : { resolve }),
    log: { warn: (what: unknown) => void warned.push(what) },
    now: () => server.clock.now,
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
async function subscribed(client: Client = demo): Promise<Device> {
  const device = service.newDevice()
  expect((await client.post('/mini/push/subscribe', { ...device.subscription })).meta.code).toBe(200)
  return device
}
const rowsOf = async (table: 'push_task' | 'push_subscription') =>
  (
    await server.database.system((trx) =>
      sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(trx),
    )
  ).rows
/** Makes waiting messages due now. */
const hasten = () =>
  server.database.system((trx) => sql`update push_task set due_at = now(), taken_until = null`.execute(trx))

describe('a device with push messages', () => {
  it('receives the text shown in the app’s list, encrypted for it alone and signed with our key', async () => {
    const device = await subscribed()
    await tell()

    const sent = await pusher.run()

    const [row] = (await demo.post('/mini/message/list', {})).data.list
    const { id } = (await rowsOf('push_subscription'))[0] ?? {}
    expect(sent).toBe(1)
    expect(service.pushesOf(device)).toEqual([
      {
        id: row.id,
        to: id,
        category: row.category,
        title: row.title,
        content: row.content,
        url: row.url,
        unread: 1,
      },
    ])
    const [push] = service.taken
    expect(push?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'normal' })
    expect(push?.body.includes('华信软件')).toBe(false)
    const { key, claims } = claimsOf(push as NonNullable<typeof push>)
    expect(key).toBe((await demo.get('/mini/push/key')).data.key)
    expect(claims).toMatchObject({ aud: service.origin, sub: 'mailto:it@example.com' })
    expect(await rowsOf('push_task')).toEqual([])
  })

  it('is notified at the end of the quiet hours, and of approvals at once', async () => {
    const device = await subscribed()
    server.clock.now = Date.parse('2026-03-16T14:00:00Z') // 22:00
    await tell()
    await tell({ event: 'contract.submit', entity: 'contract', params: { by: '周晓燕', name: '甲' } })
    await pusher.run()
    expect(service.pushesOf(device).map((push) => push.category)).toEqual(['approval'])
    expect(service.taken[0]?.headers.urgency).toBe('high')

    server.clock.now = Date.parse('2026-03-17T00:01:00Z') // 08:01
    await server.database.tenant({ tenantId: 'xinghai', userId: 'system' }, (trx) =>
      releaseHeld({ trx, tenantId: 'xinghai', now: new Date(server.clock.now), zone: 'Asia/Shanghai' }),
    )
    await pusher.run()

    expect(service.pushesOf(device).map((push) => push.category)).toEqual(['approval', 'customer'])
  })

  it('is not notified of disabled categories, nor of messages that were switched off or read meanwhile', async () => {
    const device = await subscribed()
    const saved = await demo.post('/mini/message/setting', { push: 'customer', on: false })
    await demo.post('/mini/message/setting', { event: 'todo.assigned', on: false })
    await tell()
    await tell({ event: 'todo.assigned', entity: 'todo' })
    await tell({ entity: 'lead' })
    await demo.post('/mini/message/read', { category: 'lead' })
    await tell({ entity: 'bussiness' })
    await pusher.run()

    expect(saved.data.push).toContainEqual({ category: 'customer', label: '客户', on: false })
    expect(service.pushesOf(device).map((push) => push.category)).toEqual(['bussiness'])
    const wrong = await demo.post('/mini/message/setting', { push: 'gossip', on: false })
    expect(wrong.meta.code).toBe(400)
  })

  it('is notified again when a message is merged', async () => {
    const device = await subscribed()
    await tell({ groupKey: 'g', params: { names: '甲' } })
    await pusher.run()
    await tell({ groupKey: 'g', params: { names: '乙' } })
    await pusher.run()

    const pushes = service.pushesOf(device)
    expect(pushes.map((push) => push.content)).toEqual([
      expect.stringContaining('甲'),
      expect.stringContaining('乙'),
    ])
    expect(new Set(pushes.map((push) => push.id)).size).toBe(1)
  })

  it('is notified once, by several concurrent servers', async () => {
    const device = await subscribed()
    for (const id of Array.from({ length: 60 }, (_, n) => `c${n}`)) await tell({ ids: [id] })

    const sent = await Promise.all([newPusher(), newPusher(), newPusher()].map((one) => one.run()))

    expect(sent.reduce((sum, n) => sum + n, 0)).toBe(60)
    expect(new Set(service.pushesOf(device).map((push) => push.id)).size).toBe(60)
    expect(service.taken).toHaveLength(60)
  })

  it('is notified by a running server automatically', async () => {
    const stop = await startPushing({
      pusher,
      database: server.database,
      onError: (error) => warned.push(error),
    })
    const device = await subscribed()
    await tell()

    await expect.poll(() => service.pushesOf(device).length, { timeout: 5000 }).toBe(1)
    await stop()
    expect(warned).toEqual([])
  })
})

describe('an expired device', () => {
  it.each([404, 410])('is removed when its service reports it (%i)', async (status) => {
    const device = await subscribed()
    service.answer(device, status)
    await tell()
    await pusher.run()

    expect(await rowsOf('push_subscription')).toEqual([])
    expect(await rowsOf('push_task')).toEqual([])
  })

  it('receives nothing after a sign-out, nor after the same user signs in until push is switched on again', async () => {
    const device = await subscribed()
    await tell()
    await demo.post('/mini/login/logout')
    await tell()
    await pusher.run()
    demo = await server.as('demo', 'phone')
    await tell()
    await pusher.run()

    expect(service.pushesOf(device)).toEqual([])
    expect(await rowsOf('push_subscription')).toEqual([])
  })

  it.each([
    ['a password of the administrator', "revoked_at = now(), revoked_reason = 'password'"],
    ['two weeks of nobody opening the app', "expires_at = '2026-03-02'"],
    ['a change of the tenant', 'handed_over = true'],
  ])('receives nothing once %s has ended its session', async (_, change) => {
    const device = await subscribed()
    await tell()
    await server.database.system((trx) => sql`update session set ${sql.raw(change)}`.execute(trx))
    await pusher.run()

    expect(service.pushesOf(device)).toEqual([])
    expect(await rowsOf('push_task')).toEqual([])
  })

  it('is deleted with the sessions', async () => {
    await subscribed()
    await server.database.system((trx) => sql`update session set expires_at = '2026-03-01'`.execute(trx))
    await cleanLogins(server.database, server.clock.now)

    expect(await rowsOf('push_subscription')).toEqual([])
  })

  it('belongs to the user who signed in last', async () => {
    const device = await subscribed()
    const stranger = await server.as('yfadmin', 'phone')
    await stranger.post('/mini/push/subscribe', { ...device.subscription })
    await tell()
    await pusher.run()

    expect(service.pushesOf(device)).toEqual([])
    expect(await rowsOf('push_subscription')).toMatchObject([{ tenant_id: 'yunfan' }])
  })

  it('can unsubscribe by itself', async () => {
    const device = await subscribed()
    const other = await server.as('demo', 'tablet')
    const tablet = await subscribed(other)
    await demo.post('/mini/push/unsubscribe')
    await tell()
    await pusher.run()

    expect(service.pushesOf(device)).toEqual([])
    expect(service.pushesOf(tablet)).toHaveLength(1)
  })
})

describe('a push service', () => {
  it('that is busy is retried later, at most five times', async () => {
    const device = await subscribed()
    service.answer(device, 503)
    await tell()
    await pusher.run()
    expect(await pusher.run()).toBe(0)
    expect(service.taken).toHaveLength(1)
    for (let more = 0; more < 6; more++) {
      await hasten()
      await pusher.run()
    }

    expect(service.taken).toHaveLength(5)
    expect(await rowsOf('push_task')).toEqual([])
    expect(warned).toHaveLength(5)
    expect(JSON.stringify(warned)).not.toContain(device.path)
  })

  it('that names a time is not called before it', async () => {
    const device = await subscribed()
    service.answer(device, 429, { headers: { 'retry-after': '1200' } })
    await tell()
    await pusher.run()

    const { rows } = await server.database.system((trx) =>
      sql<{
        wait: number
      }>`select round(extract(epoch from due_at - now()) / 60)::int as wait from push_task`.execute(trx),
    )
    expect(rows).toEqual([{ wait: 20 }])
  })

  it('that refuses a message is not called again for it', async () => {
    const device = await subscribed()
    service.answer(device, 413)
    await tell()
    await pusher.run()

    expect(await rowsOf('push_task')).toEqual([])
    expect(await rowsOf('push_subscription')).toHaveLength(1)
  })

  it('that is unavailable pauses for all its devices, and delays no others', async () => {
    const away = await openPushService()
    const gone = away.newDevice()
    await away.close()
    const tablet = await server.as('demo', 'tablet')
    await tablet.post('/mini/push/subscribe', { ...gone.subscription })
    const device = await subscribed()
    await tell()
    await pusher.run()
    await hasten()
    const begun = await rowsOf('push_task')
    await pusher.run()

    expect(service.pushesOf(device)).toHaveLength(1)
    expect(begun).toMatchObject([{ attempts: 1 }])
    expect(await rowsOf('push_task')).toMatchObject([{ attempts: 1 }])
  })

  it('must be external, by https', async () => {
    const closed = await openTestApp()
    const client = await closed.as('demo')
    const { subscription } = service.newDevice()
    const codeOf = async (endpoint: string) =>
      (await client.post('/mini/push/subscribe', { ...subscription, endpoint })).meta.code
    const codes = await Promise.all(NO_SERVICES.map(codeOf))
    const usual = [
      await codeOf('https://fcm.googleapis.com/fcm/send/abc'),
      await codeOf('https://updates.push.services.mozilla.com:443/wpush/v2/abc'),
    ]
    await closed.close()

    expect(NO_SERVICES.filter((_, i) => codes[i] !== 400)).toEqual([])
    expect(usual).toEqual([200, 200])
  })

  it('whose name resolves to an internal address only when it is called gets no connection', async () => {
    const { subscription } = service.newDevice()
    const names: string[] = []
    const endpoint = 'https://rebinding.example/send'
    expect((await demo.post('/mini/push/subscribe', { ...subscription, endpoint })).meta.code).toBe(200)
    await tell()
    const inside = newPusher(allowedAddresses([]), async (host) => {
      names.push(host)
      return [
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]
    })

    expect(await inside.run()).toBe(0)
    expect(names).toEqual(['rebinding.example'])
    expect(await rowsOf('push_subscription')).toEqual([])
    expect(await rowsOf('push_task')).toEqual([])
  })

  it('whose name resolves to an internal address is never called, and its device is removed', async () => {
    const device = await subscribed()
    await server.database.system((trx) =>
      sql`update push_subscription set endpoint = replace(endpoint, '127.0.0.1', 'localhost')`.execute(trx),
    )
    await tell()
    await newPusher(allowedAddresses([])).run()

    expect(service.pushesOf(device)).toEqual([])
    expect(await rowsOf('push_subscription')).toEqual([])
  })

  it('cannot be used with invalid encryption keys', async () => {
    const { subscription } = service.newDevice()
    const point = Buffer.alloc(65, 4).toString('base64url')
    for (const wrong of [{ p256dh: point }, { p256dh: 'BA' }, { auth: 'AAAA' }]) {
      const answer = await demo.post('/mini/push/subscribe', { ...subscription, ...wrong })
      expect(answer.meta.code).toBe(400)
    }
  })
})

describe('the keys of an installation', () => {
  it('are created once, however many servers start at once, and the private key is encrypted', async () => {
    await server.database.system((trx) => sql`delete from push_key`.execute(trx))
    const parts = { sealer: SEALER, contact: 'mailto:it@example.com', now: Date.now() }
    const made = await Promise.all([1, 2, 3].map(() => readVapid(server.database, parts)))
    const again = await readVapid(server.database, parts)

    expect(new Set([...made, again].map((one) => one.publicKey)).size).toBe(1)
    const { rows } = await server.database.system((trx) =>
      sql<{ sealed: string }>`select sealed from push_key`.execute(trx),
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.sealed).not.toContain('"d"')
    expect(SEALER.open(rows[0]?.sealed ?? '', 'push')).toContain('"d"')
  })

  it('are created again under another SECRETS_KEY, and devices subscribe again', async () => {
    await subscribed()
    const other = createSealer('another-secret-for-tests-0123456789')
    const before = (await demo.get('/mini/push/key')).data.key
    const made = await readVapid(server.database, {
      sealer: other,
      contact: 'mailto:it@example.com',
      now: Date.now(),
    })

    expect(made.publicKey).not.toBe(before)
    expect(await rowsOf('push_subscription')).toEqual([])
  })

  it('name a contact; production allows no internal network for them', () => {
    const production = { NODE_ENV: 'production', SESSION_SECRET: 'x'.repeat(40) }
    expect(() => readConfig({ ...production, PUSH_INNER: '127.0.0.1' })).toThrow('PUSH_INNER is refused')
    expect(() => readConfig({ PUSH_CONTACT: 'somebody' })).toThrow('PUSH_CONTACT looks like')
    expect(readConfig({ PUSH_CONTACT: 'https://example.com/it' }).push.contact).toBe('https://example.com/it')
  })
})
