import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { deleteExpired } from '../../../src/server/flows/jobs/expired-rows.ts'
import { createApp } from '../../../src/server/http/app.ts'
import { createLog } from '../../../src/server/kernel/config/log.ts'
import type { Database } from '../../../src/server/kernel/db/database.ts'
import { newId } from '../../../src/server/kernel/db/id.ts'
import { type Client, openTestApp, SECRET_OF_TESTS, type TestApp } from '../support.ts'

let server: TestApp
let demo: Client
beforeAll(async () => {
  server = await openTestApp()
  demo = await server.as('demo')
})
afterAll(() => server.close())

const menus = (more: object = {}) => ({
  shortcut: [200, 201],
  common: [100, 110, 111, 101],
  bottom: [],
  ...more,
})
const count = (table: 'audit_log' | 'idempotency') =>
  server.database.system(async (trx) => {
    const row = await trx
      .selectFrom(table)
      .select((select) => select.fn.countAll().as('rows'))
      .executeTakeFirstOrThrow()
    return Number(row.rows)
  })

describe('every answer', () => {
  it.each([
    '/healthz',
    '/mini/user/detail',
    '/mini/nothing',
    '/nothing',
    '/engine/web/page/detail?path=/pages/login/login',
  ])('of %s carries the strict policy and a request id', async (url) => {
    const { headers } = await server.with(null).get(url)

    const policy = String(headers['content-security-policy'])
    for (const part of [
      "default-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
      "worker-src 'self'",
      "object-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
    ]) {
      expect(policy.split(';')).toContain(part)
    }
    expect(policy).not.toMatch(/unsafe/)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('to an unknown path of the API is an envelope', async () => {
    const answer = await demo.get('/mini/nothing')

    expect(answer.status).toBe(200)
    expect(answer.meta).toMatchObject({ code: 404, success: false })
  })

  it('to a body that is not JSON, or names a prototype, is HTTP 400', async () => {
    const post = (payload: string) =>
      server.app.inject({
        method: 'POST',
        url: '/mini/login/validate',
        headers: { 'content-type': 'application/json' },
        payload,
      })

    const answers = [
      await post('{"account":'),
      await post('{"__proto__":{"x":1}}'),
      await post('{"account":"x"}'),
    ]

    expect(answers.map((answer) => [answer.statusCode, answer.json().meta.code])).toEqual([
      [200, 400],
      [200, 400],
      [200, 400],
    ])
  })

  it('to a body that is too deep or too wide is HTTP 400, quickly', async () => {
    const deep = `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 110_000 }, (_, i) => [`k${i}`, 1])),
    ).slice(0, 1_000_000)
    const bodies = [deep, wide.slice(0, wide.lastIndexOf(',')).concat('}'), '{"id":{"toString":1}}']

    const answers = await Promise.all(
      bodies.map((payload) =>
        server.app.inject({
          method: 'POST',
          url: '/mini/customer/create',
          headers: { authorization: demo.token, 'content-type': 'application/json' },
          payload,
        }),
      ),
    )

    expect(answers.map((answer) => [answer.statusCode, answer.json().meta.error.detail])).toEqual([
      [200, 'depth'],
      [200, 'keys'],
      [200, 'key'],
    ])
    expect(Math.max(...answers.map((answer) => answer.body.length))).toBeLessThan(1000)
  })

  it('to a body that is not compressed as it says, an address with a zero character, or a page nested too deeply is no internal error', async () => {
    const headers = { authorization: demo.token, 'content-type': 'application/json' }
    const document = `{"a":${'['.repeat(6_000)}${']'.repeat(6_000)}}`
    const checked = JSON.stringify({ path: '/pages/x/deep', document, clientToken: crypto.randomUUID() })
    const admin = await server.as('admin')
    const answers = [
      ...(await Promise.all(
        ['gzip', 'br'].map((encoding) =>
          server.app.inject({
            method: 'POST',
            url: '/mini/login/validate',
            headers: { ...headers, 'content-encoding': encoding },
            payload: '{}',
          }),
        ),
      )),
      await server.app.inject({ url: '/engine/web/file/%00', headers }),
      await server.app.inject({
        method: 'POST',
        url: '/engine/web/page/check',
        headers: { ...headers, authorization: admin.token },
        payload: checked,
      }),
    ]
    const files = await Promise.all(['/%00', '/assets/%00.js'].map((url) => server.app.inject(url)))

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, expect.any(Number), 200])
    expect(answers.slice(0, 3).map((answer) => answer.json().meta.code)).toEqual([400, 400, 400])
    expect(answers[3]?.body).toContain('DOCUMENT_TOO_DEEP')
    expect(files.map(({ statusCode }) => statusCode)).toEqual([404, 404])
  })

  it('to an address that cannot be decoded is an envelope', async () => {
    const answer = await server.app.inject('/engine/web/file/%zz')

    expect(answer.json()).toMatchObject({
      meta: { code: 400, message: '提交的内容有误，请检查' },
      data: null,
    })
  })

  it('to a body that is cut off is nothing, and no error in the log', async () => {
    const lines: string[] = []
    const { config, database, clock } = server
    const log = createLog('info', { write: (line: string) => lines.push(line) })
    const app = await createApp({ config, database, secret: SECRET_OF_TESTS, log, now: () => clock.now })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    const head = `POST /mini/customer/list HTTP/1.1\r\nHost: x\r\nAuthorization: ${demo.token}`
    socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"limit"`)
    await new Promise((done) => setTimeout(done, 300))
    socket.destroy()
    const open = () => new Promise((done) => app.server.getConnections((_, count) => done(count)))
    await expect.poll(open).toBe(0)
    await app.close()

    expect(lines.map((line) => JSON.parse(line).level).filter((level) => level >= 40)).toEqual([])
  })

  it('to an incomplete call is sent after two minutes at most', () => {
    expect(server.app.server.requestTimeout).toBe(120_000)
  })

  it('to a body of more than 1 MB is HTTP 413 with an error text', async () => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/mini/login/validate',
      payload: { account: 'x'.repeat(1_100_000) },
    })

    expect(answer.statusCode).toBe(413)
    expect(answer.json().error).toBe('提交的内容过大')
  })

  it.each([
    ['a zero character', { name: 'a\0b' }],
    ['half an emoji, however deep', { state: { list: ['\ud83d'] } }],
  ])('to %s reports that it cannot be stored, and a complete emoji is stored', async (_, body) => {
    const demo = await server.as('demo')

    const refused = await demo.post('/mini/customer/view/save', { name: '视图', ...body })
    const asked = await demo.get(`/mini/customer/log?id=${encodeURIComponent('a\0b')}`)
    const kept = await demo.post('/mini/customer/view/save', { name: '视图😀' })

    expect(refused.meta).toMatchObject({ code: 400, message: expect.stringContaining('无法保存的字符') })
    expect(asked.meta.code).toBe(400)
    expect(kept.meta.code).toBe(200)
  })

  it('to an internal error is HTTP 500 without details, and is logged with its request id', async () => {
    const { app } = await appWithFault(new Error('secret detail'))

    const answer = await app.inject({ url: '/fault' })

    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toMatchObject({
      error: expect.stringMatching(/^系统出错了，请稍后重试（编号 [0-9a-f]{8}）$/),
      meta: { code: 500 },
      data: { requestId: answer.headers['x-request-id'] },
    })
    expect(answer.body).not.toContain('secret detail')
    await app.close()
  })

  it('to a write on a full disk reports the full disk', async () => {
    const { app } = await appWithFault(Object.assign(new Error('write'), { code: 'ENOSPC' }))

    const answer = await app.inject({ url: '/fault' })

    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({
      error: expect.stringContaining('存储空间不足'),
      data: { retryAfter: 30 },
    })
    expect(answer.headers['retry-after']).toBe('30')
    await app.close()
  })
})

describe('health', () => {
  it('distinguishes the process and the database', async () => {
    expect((await server.app.inject('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await server.app.inject('/readyz')).statusCode).toBe(200)
    let isGone = false
    const failing: Database = {
      ...server.database,
      system: (work) => (isGone ? Promise.reject(new Error('gone')) : server.database.system(work)),
    }
    const { config, clock } = server
    const log = createLog('silent')
    const app = await createApp({
      config,
      database: failing,
      secret: 'x'.repeat(32),
      log,
      now: () => clock.now,
    })
    isGone = true

    expect((await app.inject('/readyz')).statusCode).toBe(503)
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    await app.close()
  })
})

describe('a write', () => {
  it('with the same token returns the first result and is executed once (DOMAIN 8.8 no. 5)', async () => {
    const clientToken = newId()
    const before = await count('audit_log')

    const first = await demo.post('/mini/user/menu/save', menus({ clientToken }))
    const again = await demo.post('/mini/user/menu/save', menus({ clientToken }))

    expect(again.meta.code).toBe(200)
    expect(again.data).toEqual(first.data)
    expect((await count('audit_log')) - before).toBe(1)
  })

  it('that arrives several times at once is executed once', async () => {
    const clientToken = newId()
    const before = await count('audit_log')

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => demo.post('/mini/user/menu/save', menus({ clientToken }))),
    )

    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
    expect(answers[0]?.meta.code).toBe(200)
    expect((await count('audit_log')) - before).toBe(1)
  })

  it('that was refused leaves no trace, so that the token can be used again', async () => {
    const clientToken = newId()
    const before = [await count('audit_log'), await count('idempotency')]

    const refused = await demo.post('/mini/user/menu/save', menus({ clientToken, shortcut: [200] }))
    const after = [await count('audit_log'), await count('idempotency')]
    const done = await demo.post('/mini/user/menu/save', menus({ clientToken }))

    expect([refused.meta.code, done.meta.code]).toEqual([400, 200])
    expect(after).toEqual(before)
  })

  it('with a token that was used for another write is refused', async () => {
    const clientToken = newId()
    await demo.post('/mini/user/menu/save', menus({ clientToken }))

    const other = await demo.post('/mini/user/menu/save', menus({ clientToken, bottom: [100] }))

    expect(other.meta).toMatchObject({ code: 409, error: { type: 'STATE_CONFLICT' } })
  })

  it('of another user may use the same token', async () => {
    const clientToken = newId()
    const manager = await server.as('manager')
    await demo.post('/mini/user/menu/save', menus({ clientToken }))

    const other = await manager.post('/mini/user/menu/save', menus({ clientToken, bottom: [100] }))

    expect(other.data.bottom).toEqual([100])
  })

  it('without a token is refused', async () => {
    const answer = await demo.post('/mini/user/menu/save', menus({ clientToken: 'short' }))

    expect(answer.meta).toMatchObject({ code: 400, error: { type: 'VALIDATION' } })
  })

  it('is audited with user, action and address', async () => {
    await demo.post('/mini/user/menu/save', menus())

    const row = await server.database.system((trx) =>
      trx.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow(),
    )
    expect(row).toMatchObject({
      tenant_id: 'xinghai',
      user_id: 'u-demo',
      action: 'user:menu',
      entity: 'membership',
      record_id: 'u-demo',
      address: '127.0.0.1',
    })
  })

  it('is remembered for 72 hours', async () => {
    await demo.post('/mini/user/menu/save', menus())
    const kept = await count('idempotency')

    await deleteExpired(server.database, server.config.keeping, Date.now() + 71 * 3_600_000)
    expect(await count('idempotency')).toBe(kept)
    await deleteExpired(server.database, server.config.keeping, Date.now() + 73 * 3_600_000)
    expect(await count('idempotency')).toBe(0)
  })
})

describe('the client’s files', () => {
  it('are cached forever if hashed, and revalidated otherwise; the script worker has its own policy', async () => {
    const clientDir = join(server.config.dataDir, 'client')
    await mkdir(join(clientDir, 'assets'), { recursive: true })
    await writeFile(join(clientDir, 'index.html'), '<!doctype html>')
    await writeFile(join(clientDir, 'assets/main-Ab3_x-9z.js'), 'plain')
    await writeFile(join(clientDir, 'assets/main-Ab3_x-9z.js.br'), 'packed')
    await writeFile(join(clientDir, 'assets/browser-worker-Cd4fghij.js'), 'worker')
    const { database, clock } = server
    const config = { ...server.config, clientDir }
    const log = createLog('silent')
    const app = await createApp({ config, database, secret: 'x'.repeat(32), log, now: () => clock.now })

    const index = await app.inject('/')
    const main = await app.inject({ url: '/assets/main-Ab3_x-9z.js', headers: { 'accept-encoding': 'br' } })
    const worker = await app.inject('/assets/browser-worker-Cd4fghij.js')
    const outside = await app.inject('/assets/..%2f..%2fsession-secret')
    const page = await app.inject('/pages/customer/my/detail?id=c-1')
    const posted = await app.inject({ method: 'POST', url: '/pages/customer/my/detail' })

    const ledTo = ['https://crm.example', 'https://example.com/crm'].map(
      (site) => new URL(String(page.headers.location), `${site}/pages/customer/my/detail?id=c-1`).href,
    )
    expect([page.statusCode, ...ledTo], 'the place of the app is behind the hash').toEqual([
      302,
      'https://crm.example/#/pages/customer/my/detail?id=c-1',
      'https://example.com/crm/#/pages/customer/my/detail?id=c-1',
    ])
    expect(posted.statusCode).toBe(404)
    const share = await app.inject({
      method: 'POST',
      url: '/share',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n张三\r\n--x--\r\n',
    })
    expect([share.statusCode, share.headers.location], 'without the worker nothing shared has come').toEqual([
      303,
      './?lost=1',
    ])
    expect(index.headers).toMatchObject({ 'cache-control': 'no-cache' })
    expect(index.headers['content-security-policy']).toContain("default-src 'self'")
    expect(main.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
    })
    expect(main.body).toBe('packed')
    expect(worker.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'wasm-unsafe-eval'",
    )
    expect(outside.statusCode).toBeGreaterThanOrEqual(400)
    await app.close()
  })
})

describe('a stopping server', () => {
  it('first reports that it is not ready, answers calls on open connections, and closes them', async () => {
    const { config, database, clock } = server
    const log = createLog('silent')
    const app = await createApp({ config, database, secret: 'x'.repeat(32), log, now: () => clock.now })
    app.addHook('preClose', () => new Promise((done) => setTimeout(done, 400)))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const get = async (path: string) => {
      const answer = await fetch(`${url}${path}`)
      return {
        status: answer.status,
        connection: answer.headers.get('connection'),
        body: await answer.json(),
      }
    }
    const before = await get('/readyz')

    app.draining.isOn = true
    const [ready, call] = [await get('/readyz'), await get('/mini/app/config')]
    await get('/healthz')
    const closing = app.close()
    const late = await get('/mini/app/config')
    await closing

    expect([before.status, before.connection]).toEqual([200, 'keep-alive'])
    expect([ready.status, ready.connection]).toEqual([503, 'close'])
    expect([call.status, call.connection, call.body.meta.code]).toEqual([200, 'close', 200])
    expect([late.status, late.connection, late.body.meta.code]).toEqual([200, 'close', 200])
  })
})

describe('the log', () => {
  it('has the reason and address of refused calls, and no health checks', async () => {
    const lines: string[] = []
    const { config, database, clock } = server
    const log = createLog('info', { write: (line: string) => lines.push(line) })
    const app = await createApp({ config, database, secret: 'x'.repeat(32), log, now: () => clock.now })
    const payload = { account: 'nobody', password: 'wrong-1', agree: true, deviceId: 'd' }

    await app.inject({ method: 'POST', url: '/mini/login/validate', payload, remoteAddress: '203.0.113.9' })
    await app.inject('/mini/user/detail')
    await app.inject('/mini/no/such/route')
    await app.inject('/healthz')
    await app.inject('/readyz')
    await app.inject('/mini/app/config')
    await app.close()

    const said = lines.map((line) => JSON.parse(line)).map((line) => [line.path, line.code, line.error])
    expect(said).toEqual([
      ['/mini/login/validate', 400, 'LOGIN_FAILED'],
      ['/mini/user/detail', 401, 'TOKEN_INVALID'],
      ['unknown', 404, 'NOT_FOUND'],
      ['/mini/app/config', undefined, undefined],
    ])
    expect(JSON.parse(lines[0] ?? '').address).toBe('203.0.113.9')
  })

  it('has one line per call, without query, body, token or password', async () => {
    const lines: string[] = []
    const original = process.stdout.write
    const { config, database, clock } = server
    const log = createLog('info', { write: (line: string) => lines.push(line) })
    const app = await createApp({ config, database, secret: 'x'.repeat(32), log, now: () => clock.now })

    await app.inject({ url: '/mini/login/captcha?deviceId=private', headers: { authorization: 'my-token' } })
    const payload = { account: 'someone', password: 'my-password', agree: true, deviceId: 'd' }
    await app.inject({ method: 'POST', url: '/mini/login/validate', payload })
    log.info({ token: 'my-token', user: { password: 'my-password' } }, 'careless')

    const text = lines.join('')
    expect(text).toContain('"path":"/mini/login/captcha"')
    expect(text).not.toMatch(/my-token|my-password|private|someone/)
    expect(process.stdout.write).toBe(original)
    await app.close()
  })
})

describe('the log of an error', () => {
  it('has the failed part and its position, and no value of a row', async () => {
    const lines: string[] = []
    const log = createLog('error', { write: (line: string) => lines.push(line) })
    const failing = [
      sql`insert into app_user (id, account, mobile, password_hash) values ('twice', 'twice', '13800000004', 'secret-hash')`,
      sql`select ${'13800000004 张三'}::integer`,
    ]

    for (const statement of failing)
      await server.database
        .system((trx) => statement.execute(trx))
        .catch((error: unknown) => log.error({ err: error }, 'a call failed'))

    const [taken, misread] = lines.map((line) => JSON.parse(line).err)
    expect(taken).toMatchObject({ code: '23505', constraint: 'app_user_mobile_key', table: 'app_user' })
    expect(misread.stack).toMatch(/\n +at /)
    expect(lines.join()).not.toMatch(/13800000004|张三|secret-hash/)
  })
})

describe('files', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  const upload = (client: Client, name: string, content: Buffer) => {
    const edge = 'edge123'
    const head = `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`
    return server.app.inject({
      method: 'POST',
      url: '/engine/web/file/upload',
      headers: { authorization: client.token, 'content-type': `multipart/form-data; boundary=${edge}` },
      payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${edge}--\r\n`)]),
    })
  }

  it('are downloaded as they were uploaded, by a signed URL that is valid for ten minutes', async () => {
    const { data } = (await upload(demo, '名片 <1>.png', PNG)).json()

    expect(data).toMatchObject({ name: '名片 1.png', ext: 'png', size: PNG.length })
    const answer = await server.app.inject(data.url)
    expect(answer.rawPayload.equals(PNG)).toBe(true)
    expect(answer.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
    expect(String(answer.headers['content-disposition'])).toMatch(/^inline;/)
    const part = await server.app.inject({ url: data.url, headers: { range: 'bytes=1-3' } })
    expect([part.statusCode, part.body]).toEqual([206, 'PNG'])
    const altered = await server.app.inject(data.url.replace('tenant=xinghai', 'tenant=yunfan'))
    expect(altered.json().meta.code).toBe(401)
    server.clock.now += 11 * 60_000
    expect((await server.app.inject(data.url)).json().meta.code).toBe(401)
  })

  it('are reached by the URLs in records, in every later answer; a forged URL stays unchanged', async () => {
    const { url } = (await upload(demo, 'me.png', PNG)).json().data
    await demo.post('/mini/user/update', { avatar: url, clientToken: 'avatar-0001' })
    server.clock.now += 11 * 60_000
    const { avatar } = (await demo.get('/mini/user/profile')).data
    const forged = url.replace(/sign=../, 'sign=aa')
    await demo.post('/mini/user/update', { avatar: forged, clientToken: 'avatar-0002' })
    const after = (await demo.get('/mini/user/profile')).data

    expect((await server.app.inject(url)).json().meta.code).toBe(401)
    expect((await server.app.inject(String(avatar))).rawPayload.equals(PNG)).toBe(true)
    expect(after.avatar).toBe(forged)
  })

  it('by a signed URL are available to the user it was made for: not to another user, and not after sign-out', async () => {
    const owner = await server.as('manager')
    const { url } = (await upload(owner, 'notes.txt', Buffer.from('会议纪要'))).json().data
    const others = [await server.as('zengke'), await server.as('yfadmin')]
    const by = (client: Client) => client.get(url).then(({ status }) => status)

    const first = await server.app.inject(url)
    expect([
      first.statusCode,
      await by(owner),
      await by(others[0] as Client),
      await by(others[1] as Client),
    ]).toEqual([200, 200, 404, 404])
    expect(first.headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment;/),
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    })
    const elsewhere = url.replace(/session=[^&]*/, 'session=other')
    const without = url.replace(/session=[^&]*&/, '')
    expect([
      (await server.app.inject(elsewhere)).statusCode,
      (await server.app.inject(without)).statusCode,
    ]).toEqual([401, 401])

    await owner.post('/mini/login/logout')

    expect((await server.app.inject(url)).statusCode).toBe(401)
  })

  it('without a signed URL are available to their uploader, but not to another tenant or a colleague', async () => {
    const { data } = (await upload(demo, 'a.png', PNG)).json()
    const others = [await server.as('yfadmin'), await server.as('zengke'), await server.as('director')]

    const codes = await Promise.all(
      others.map(async (client) => (await client.get(`/engine/web/file/${data.id}`)).meta.code),
    )

    expect(codes).toEqual([404, 404, 404])
    expect((await demo.get(`/engine/web/file/${data.id}`)).status).toBe(200)
  })

  it.each([
    ['x.png.html', 'x.png'],
    ['x.html', 'x.png'],
    ['照片', '照片.png'],
    ['v1.2', 'v1.png'],
    ['X.PNG', 'X.PNG'],
  ])('named %s are renamed to %s, by their content', async (given, kept) => {
    expect((await upload(demo, given, PNG)).json().data.name).toBe(kept)
  })

  it('on other hosts are not accepted as pictures', async () => {
    for (const avatar of ['//evil.example/a.png', '/\\evil.example/a.png', 'https://evil.example/a.png'])
      expect((await demo.post('/mini/user/update', { avatar })).meta.error?.fields).toHaveProperty('avatar')
    const attachments = [{ name: 'a', url: '//evil.example/a', size: 1, ext: 'png' }]
    const made = await demo.post('/mini/customer/create', { name: '外链客户', attachments })
    expect(made.meta.error?.fields).toHaveProperty('attachments')
  })

  it('are in the log when downloaded, as are contact cards and refused access', async () => {
    const { data } = (await upload(demo, 'notes.txt', Buffer.from('会议纪要'))).json()
    const customer = await demo.post('/mini/customer/create', {
      name: '名片客户',
      contacts: [{ name: '李四', mobile: '13911112222' }],
    })
    const list = await demo.post('/mini/contact/list', { keyword: '李四' })

    await server.app.inject(data.url)
    await demo.get(`/mini/contact/vcard?id=${list.data.list[0].id}`)
    await demo.post('/engine/web/user/list')
    await demo.post('/engine/web/user/list')

    expect(customer.meta.code).toBe(200)
    await vi.waitFor(async () => {
      const { rows } = await server.database.system((trx) =>
        sql<{ action: string; user_id: string | null }>`select action, user_id from audit_log
          where action in ('file:download', 'contact:vcard', 'call:refused') and user_id = 'u-demo' order by action`.execute(
          trx,
        ),
      )
      expect(rows).toEqual([
        { action: 'call:refused', user_id: 'u-demo' },
        { action: 'contact:vcard', user_id: 'u-demo' },
        { action: 'file:download', user_id: 'u-demo' },
      ])
    })
  })

  it('have the type of their content: a page called .png is refused, a text is sent as an attachment', async () => {
    const page = await upload(demo, 'harmless.png', Buffer.from('<html><script>alert(1)</script>'))
    const drawing = await upload(demo, 'x.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    const program = await upload(demo, 'x.txt', Buffer.from([0x4d, 0x5a, 0, 0, 1, 2, 3]))
    const notes = await upload(demo, 'notes.txt', Buffer.from('会议纪要'))

    expect([page, drawing, program].map((answer) => answer.json().meta.code)).toEqual([415, 415, 415])
    const got = await server.app.inject(notes.json().data.url)
    expect(String(got.headers['content-disposition'])).toMatch(/^attachment;/)
  })

  it('above 5 MB are refused and leave no bytes behind', async () => {
    const before = await keptFiles()

    const answer = await upload(demo, 'big.png', Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]))

    expect(answer.json().meta).toMatchObject({ code: 413, message: '文件不能超过 5MB' })
    expect(await keptFiles()).toEqual(before)
  })

  it('need a session', async () => {
    expect((await upload(server.with(null), 'a.png', PNG)).json().meta.code).toBe(401)
  })
})

describe('public calls', () => {
  it('are the terms and the app’s settings', async () => {
    const anybody = server.with(null)

    expect((await anybody.get('/mini/login/protocol?type=service')).data.title).toBe('服务协议')
    expect((await anybody.get('/mini/login/protocol?type=other')).meta.code).toBe(400)
    expect((await anybody.get('/mini/app/config')).data.limits.uploadCount).toBe(9)
  })
})

describe('dictionaries', () => {
  it('are answered as specified, with an ETag', async () => {
    const answer = await demo.get('/engine/web/dict/list')

    expect(answer.data.customer_level[2]).toEqual({
      label: '一般客户',
      value: 'C',
      disable: false,
      color: '#1677ff',
      isDefault: true,
    })
    expect(
      answer.data.industry.find((item: { value: string }) => item.value === 'manufacturing').children.length,
    ).toBeGreaterThanOrEqual(8)
    expect(answer.data.bussiness_stage[0].ext).toEqual({ winRate: 10 })
    const again = await demo.get('/engine/web/dict/list', { 'if-none-match': String(answer.headers.etag) })
    expect(again.status).toBe(304)
    const some = await demo.get('/engine/web/dict/list?keys=gender,unknown')
    expect(Object.keys(some.data)).toEqual(['gender'])
  })
})

/** The stored files, in the folder or in the database. */
async function keptFiles(): Promise<readonly unknown[]> {
  const folder = join(server.config.dataDir, 'files')
  const { rows } = await server.database.system((trx) =>
    sql`select file_id, part from file_chunk order by 1, 2`.execute(trx),
  )
  return [...(await readdir(folder, { recursive: true }).catch(() => [])), ...rows]
}

/** A server with one more route, which fails. */
async function appWithFault(error: Error) {
  const { config, database, clock } = server
  const log = createLog('silent')
  const app = await createApp({ config, database, secret: 'x'.repeat(32), log, now: () => clock.now })
  app.get('/fault', async () => {
    throw error
  })
  return { app }
}
