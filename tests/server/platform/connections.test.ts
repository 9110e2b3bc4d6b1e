import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'

const KEY = 'sk-live-3c9f1e77aa'
const TOKEN = 'Bearer tok-5521-abcdef'

/** Requests that the remote service received. */
interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let server: TestApp
let admin: Client
let demo: Client
let stranger: Client
let other: Server
let base: string
let asked: Asked[] = []
/** For how many more requests the remote service is unavailable. */
let failures = 0

beforeAll(async () => {
  other = createServer((request, response) => void answerTo(request, response))
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1`
  server = await openTestApp({ CONNECTION_INNER: '127.0.0.1' })
  admin = await server.as('admin')
  demo = await server.as('demo')
  stranger = await server.as('yfadmin')
})
afterAll(async () => {
  await server.close()
  other.closeAllConnections()
  other.close()
})
beforeEach(() => {
  asked = []
  failures = 0
})

describe('a connection', () => {
  it('lets a page read remote data, with headers and keys that the browser never sees', async () => {
    await make('orders', {
      parts: [
        { place: 'header', name: 'Authorization', value: TOKEN, secret: true },
        { place: 'header', name: 'X-Company', value: 'xinghai', secret: false },
        { place: 'query', name: 'key', value: KEY, secret: true },
      ],
    })

    const answer = await read('orders', '/orders/7?page=2')

    expect(answer.meta.code).toBe(200)
    expect(answer.data).toEqual({ id: 7, name: '订单' })
    expect(asked).toMatchObject([
      {
        method: 'GET',
        url: `/v1/orders/7?page=2&key=${KEY}`,
        headers: {
          authorization: TOKEN,
          'x-company': 'xinghai',
          accept: expect.stringContaining('application/json'),
        },
      },
    ])
    expect(asked[0]?.headers).not.toHaveProperty('x-auth-token')
  })

  it('sends a page’s data, as JSON or as a form, once, and logs it', async () => {
    const id = await make('send-json', { methods: ['GET', 'POST'] })
    await make('send-form', { methods: ['POST'], format: 'form' })

    const json = await demo.post('/mini/connection/send', {
      name: 'send-json',
      path: '/orders?x=secret-query',
      method: 'POST',
      body: { title: '新订单', lines: [1] },
    })
    await demo.post('/mini/connection/send', {
      name: 'send-form',
      path: '/orders',
      method: 'POST',
      body: { title: 'a b', n: 1 },
    })

    expect(json.data).toEqual({ saved: true })
    expect(asked.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
      ['application/json', '{"title":"新订单","lines":[1]}'],
      ['application/x-www-form-urlencoded', 'title=a+b&n=1'],
    ])
    expect(await audits('connection:send')).toContainEqual({
      record_id: id,
      detail: { name: 'send-json', path: '/orders', method: 'POST' },
    })
  })

  it('does not retry writes, and retries reads', async () => {
    await make('shaky', { methods: ['GET', 'POST'], retries: 2 })
    failures = 1
    const written = await demo.post('/mini/connection/send', {
      name: 'shaky',
      path: '/shaky',
      method: 'POST',
    })
    failures = 2
    const found = await read('shaky', '/shaky')

    expect(written.meta).toMatchObject({ code: 422, error: { type: 'OUTSIDE', detail: 'status' } })
    expect(written.data).toEqual({ why: 'status', status: 503 })
    expect(found.data).toEqual({ up: true })
    expect(asked).toHaveLength(1 + 3)
  })

  it.each([
    ['/orders/../admin', 'a step up'],
    ['/orders/%2e%2e/admin', 'a step up in disguise'],
    ['/orders/a%2fb', 'a slash in disguise'],
    ['//evil.example/orders', 'another host'],
    ['/customers', 'a path that is not on the list'],
    ['/orders/7/lines/1', 'a path below an allowed one'],
    ['/orders\\..\\x', 'backslashes'],
    ['/@evil.example/', 'something like a user'],
  ])('refuses %s: %s', async (path) => {
    await make('narrow', { paths: '/orders\n/orders/*' })

    expect((await read('narrow', path)).meta.code).toBe(405)
    expect(asked).toEqual([])
  })

  it('allows its methods and no others', async () => {
    await make('only-read', {})

    const answer = await demo.post('/mini/connection/send', {
      name: 'only-read',
      path: '/orders/1',
      method: 'DELETE',
    })

    expect(answer.meta).toMatchObject({ code: 405, message: expect.stringContaining('DELETE') })
    expect(asked).toEqual([])
  })

  it('reads text, other character sets and compressed answers', async () => {
    await make('kinds', {})

    expect((await read('kinds', '/text')).data).toBe('一行\n')
    expect((await read('kinds', '/gbk')).data).toEqual({ a: '中文' })
    expect((await read('kinds', '/packed')).data).toEqual({ packed: true })
    expect((await read('kinds', '/nothing')).data).toBeNull()
    expect((await read('kinds', '/enveloped')).data).toEqual({ meta: { code: 401 }, data: 1 })
  })

  it.each([
    ['/html', 'type'],
    ['/broken', 'unreadable'],
    ['/deep', 'unreadable'],
    ['/large', 'large'],
    ['/unsized', 'large'],
    ['/bomb', 'large'],
    ['/slow', 'timeout'],
    ['/drip', 'timeout'],
    ['/away', 'redirect'],
    ['/round', 'redirect'],
    ['/failed', 'status'],
    ['/cut', 'unreachable'],
  ])('describes the fault of %s: %s', async (path, why) => {
    await make('strange', { kilobytes: 100, seconds: 1, retries: 0 })

    const answer = await read('strange', path)

    expect(answer.meta).toMatchObject({ code: 422, error: { type: 'OUTSIDE', detail: why } })
    expect(answer.meta.message).toMatch(/“外部”[^{}]*[\u4e00-\u9fff]/)
    expect(answer.body).not.toContain('secret-of-the-other-side')
  })

  it('follows an internal redirect of the same connection', async () => {
    await make('moved', {})

    expect((await read('moved', '/moved')).data).toEqual({ id: 7, name: '订单' })
  })

  it('does not pass on a key that the remote host returns', async () => {
    await make('echo', {
      parts: [
        { place: 'header', name: 'Authorization', value: TOKEN, secret: true },
        { place: 'query', name: 'key', value: KEY, secret: true },
      ],
    })

    const answer = await read('echo', '/echo')

    expect(answer.data.url).toBe('/v1/echo?key=***')
    expect(answer.body).not.toContain(KEY)
    expect(answer.body).not.toContain('tok-5521-abcdef')
  })

  it('limits calls per minute, and concurrent calls', async () => {
    await make('few', { perMinute: 2 })
    await make('slow', { seconds: 1 })

    const few = [
      await read('few', '/orders/7'),
      await read('few', '/orders/7'),
      await read('few', '/orders/7'),
    ]
    server.clock.now += 60_000
    const again = await read('few', '/orders/7')
    const many = await Promise.all(Array.from({ length: 12 }, () => read('slow', '/slow')))

    expect(few.map(({ meta }) => meta.code)).toEqual([200, 200, 429])
    expect(few[2]?.data.retryAfter).toBeGreaterThan(0)
    expect(again.meta.code).toBe(200)
    expect(many.filter(({ meta }) => meta.code === 429)).toHaveLength(4)
  })

  it('holds no database session while it waits', async () => {
    await make('waits', { seconds: 2 })
    let over = 0
    const waiting = Array.from({ length: 8 }, () => read('waits', '/slow').then(() => (over += 1)))

    const answers = await Promise.all(Array.from({ length: 12 }, () => demo.post('/mini/customer/list', {})))

    expect(answers.map(({ meta }) => meta.code)).toEqual(answers.map(() => 200))
    expect(over).toBe(0)
    await Promise.all(waiting)
  })
})

describe('internal addresses of connections', () => {
  it.each([
    'https://10.1.2.3',
    'https://192.168.1.1',
    'https://169.254.169.254',
    'https://[::1]',
    'https://[fe80::1]',
    'https://[fd00::1]',
    'https://[::ffff:10.0.0.1]',
    'https://[64:ff9b::a00:1]',
    'https://2130706434',
    'https://0',
  ])('are not reached: %s', async (address) => {
    await make('inner', { base: address, seconds: 2, retries: 0 })

    const answer = await read('inner', '/orders/7')

    expect(answer.meta.code).toBe(422)
    expect(answer.data.why).toBe('inner')
  })

  it('are all refused on a server whose operator allowed none', async () => {
    const closed = await openTestApp()
    const its = await closed.as('admin')
    await its.post('/engine/web/connection/save', { ...FORM, name: 'own', label: '自己', base })

    const answer = await its.get(`/mini/connection/read?name=own&path=${encodeURIComponent('/orders/7')}`)

    expect(answer.data).toEqual({ why: 'inner', status: null })
    expect(asked).toEqual([])
    await closed.close()
  }, 30_000)
})

describe('the screen of connections', () => {
  it('shows only whether a secret is set, and keeps it if the field is left empty', async () => {
    const id = await make('kept', { parts: [{ place: 'header', name: 'X-Key', value: KEY, secret: true }] })
    const shown = await admin.get(`/engine/web/connection/detail?id=${id}`)

    const saved = await admin.post('/engine/web/connection/save', { ...shown.data.record, label: '改名' })
    await read('kept', '/orders/7')

    expect(shown.data.record.parts).toEqual([
      { place: 'header', name: 'X-Key', value: '', secret: true, state: '已设置，留空不变' },
    ])
    expect(saved.meta.code).toBe(200)
    expect(asked[0]?.headers['x-key']).toBe(KEY)
  })

  it('requires secrets again if the address changes, and if a secret becomes readable', async () => {
    const id = await make('moves', { parts: [{ place: 'header', name: 'X-Key', value: KEY, secret: true }] })
    const { record } = (await admin.get(`/engine/web/connection/detail?id=${id}`)).data

    const elsewhere = await admin.post('/engine/web/connection/save', {
      ...record,
      base: 'https://evil.example',
    })
    const renamed = await admin.post('/engine/web/connection/save', {
      ...record,
      parts: [{ ...record.parts[0], name: 'X-Other' }],
    })
    const bared = await admin.post('/engine/web/connection/save', {
      ...record,
      parts: [{ ...record.parts[0], secret: false }],
    })

    expect(elsewhere.meta).toMatchObject({
      code: 400,
      error: { fields: { parts: expect.stringContaining('X-Key') } },
    })
    expect(renamed.meta.code).toBe(400)
    expect(bared.data.record.parts[0].value).toBe('')
  })

  it.each([
    ['name', 'Orders'],
    ['name', '../x'],
    ['base', 'ftp://a.example'],
    ['base', 'https://u:p@a.example'],
    ['base', 'https://a.example/?key=1'],
    ['methods', []],
    ['methods', ['GET', 'TRACE']],
    ['paths', ''],
    ['paths', 'orders'],
    ['paths', '/a/**/b'],
    ['parts', [{ place: 'header', name: 'Host', value: 'x', secret: false }]],
    ['parts', [{ place: 'header', name: 'X-A', value: 'a\r\nX-B: c', secret: false }]],
    ['parts', [{ place: 'header', name: 'X-A', value: 'kurz', secret: true }]],
    ['seconds', 31],
    ['kilobytes', 0],
    ['perMinute', 1.5],
    ['retries', 9],
  ])('reports the fault at %s in %j', async (field, value) => {
    const answer = await admin.post('/engine/web/connection/save', {
      ...FORM,
      name: 'faulty',
      label: '外部',
      base,
      [field]: value,
    })

    expect(answer.meta.code).toBe(400)
    expect(Object.keys(answer.meta.error?.fields ?? {})).toEqual([field])
  })

  it('tests a connection and shows the answer, or the error', async () => {
    const id = await make('tried', {})

    const good = await admin.post('/engine/web/connection/try', {
      id,
      path: '/orders/7',
      method: 'GET',
      body: null,
    })
    const bad = await admin.post('/engine/web/connection/try', { id, path: '/html', method: 'GET' })

    expect(good.data).toMatchObject({ ok: true, answer: '{"id":7,"name":"订单"}', type: 'application/json' })
    expect(good.data.said).toContain('200')
    expect(bad.data).toMatchObject({ ok: false, said: expect.stringContaining('不是数据') })
    expect((await demo.post('/engine/web/connection/try', { id, path: '/x', method: 'GET' })).meta.code).toBe(
      405,
    )
  })

  it('refuses to delete a connection that a page uses, and to publish a page with an unknown connection', async () => {
    const id = await make('weather', {})
    const page = async (name: string) =>
      admin.post('/engine/web/page/publish', {
        path: '/pages/my/about',
        base: 0,
        document: pageAsking(`conn:${name}/orders/7`),
      })

    const missing = await page('wether')
    const published = await page('weather')
    const used = await admin.post('/engine/web/connection/delete', { id })

    expect(missing.meta).toMatchObject({ code: 400, message: expect.stringContaining('weather') })
    expect(missing.data.problems).toMatchObject([{ at: '/formConfig/dataSources/0/requestURL' }])
    expect(published.meta.code).toBe(200)
    expect(used.meta).toMatchObject({ code: 422, error: { type: 'REFERENCED' } })
    expect(used.data.pages).toEqual(['/pages/my/about'])
  })
})

describe('isolation', () => {
  it('hides a connection from another tenant, by its name and by its id', async () => {
    const id = await make('ours', {})

    const answers = [
      await stranger.get('/mini/connection/read?name=ours&path=/orders/7'),
      await stranger.post('/mini/connection/send', { name: 'ours', path: '/orders/7', method: 'POST' }),
      await stranger.post('/engine/web/connection/try', { id, path: '/orders/7', method: 'GET' }),
      await stranger.get(`/engine/web/connection/detail?id=${id}`),
      await stranger.post('/engine/web/connection/delete', { id }),
      await stranger.post('/engine/web/connection/save', {
        ...FORM,
        id,
        version: 1,
        name: 'ours',
        label: 'x',
        base,
      }),
    ]

    expect(answers.map(({ meta }) => meta.code)).toEqual(answers.map(() => 404))
    expect((await stranger.post('/engine/web/connection/list')).data.list).toEqual([])
    expect(asked).toEqual([])
  })

  it('keeps a secret out of answers, audit rows, cached answers and other tables', async () => {
    await make('leak', {
      parts: [
        { place: 'header', name: 'Authorization', value: TOKEN, secret: true },
        { place: 'query', name: 'key', value: KEY, secret: true },
      ],
    })
    const answers = [
      await admin.post('/engine/web/connection/list'),
      await read('leak', '/echo'),
      await read('leak', '/failed'),
      await admin.post('/engine/web/log/list', {}),
    ]
    for (const { id } of answers[3]?.data.list ?? [])
      answers.push(await admin.get(`/engine/web/log/detail?id=${id}`))

    const told = answers.map(({ body }) => body).join('\n')
    const stored = await everyRow()

    expect(stored.length).toBeGreaterThan(1000)
    for (const secret of [KEY, TOKEN, 'tok-5521-abcdef']) {
      expect(told).not.toContain(secret)
      expect(stored).not.toContain(secret)
    }
  })
})

const FORM = { methods: ['GET'], paths: '/**', seconds: 5 }

/** Creates a connection to the remote service, or changes the one of that name. @returns its id */
async function make(name: string, parts: JsonObject): Promise<string> {
  const { list } = (await admin.post('/engine/web/connection/list')).data
  const before = list.find((one: { name: string }) => one.name === name)
  const answer = await admin.post('/engine/web/connection/save', {
    ...FORM,
    base,
    label: '外部',
    name,
    ...parts,
    ...(before === undefined ? {} : { id: before.id, version: before.version }),
  })
  expect(answer.meta).toMatchObject({ code: 200 })
  return answer.data.id
}

function read(name: string, path: string): Promise<Answer> {
  return demo.get(`/mini/connection/read?${new URLSearchParams({ name, path })}`)
}

function pageAsking(requestURL: string): JsonObject {
  return {
    formConfig: {
      jsonVersion: 3,
      layoutType: 'H5',
      dataSources: [{ uniqueName: 'outside', requestURL, requestMethod: 'get', auto: true }],
    },
    widgetList: [{ type: 'static-text', options: { name: 'hello', textContent: 'hello' } }],
  }
}

const audits = (action: string) =>
  server.database.system(async (trx) => {
    const { rows } =
      await sql<JsonObject>`select record_id, detail from audit_log where action = ${action}`.execute(trx)
    return rows
  })

/** The contents of the whole database as text. */
async function everyRow(): Promise<string> {
  return server.database.owner(async (trx) => {
    const tables = await sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(trx)
    const texts: string[] = []
    for (const { name } of tables.rows) {
      const { rows } = await sql<{
        row: string
      }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(trx)
      texts.push(...rows.map(({ row }) => row))
    }
    return texts.join('\n')
  })
}

/** The remote service. */
async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { method = '', url = '', headers } = request
  asked.push({ method, url, headers, body: Buffer.concat(parts).toString() })
  const say = (status: number, type: string, body: string | Buffer, more = {}) =>
    response.writeHead(status, { 'content-type': type, ...more }).end(body)
  const json = (body: unknown, status = 200) =>
    say(status, 'application/json; charset=utf-8', JSON.stringify(body))
  const [path = ''] = url.replace('/v1', '').split('?')
  if (path === '/shaky') {
    failures -= 1
    return void (failures >= 0 ? json({ error: 1 }, 503) : json({ up: true }))
  }
  if (path === '/orders/7') return void json({ id: 7, name: '订单' })
  if (method === 'POST') return void json({ saved: true })
  if (path === '/text') return void say(200, 'text/plain', '一行\n')
  if (path === '/gbk')
    return void say(
      200,
      'application/json;charset=GBK',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xd6, 0xd0, 0xce, 0xc4]), Buffer.from('"}')]),
    )
  if (path === '/packed')
    return void say(200, 'application/json', gzipSync('{"packed":true}'), { 'content-encoding': 'gzip' })
  if (path === '/enveloped') return void json({ meta: { code: 401 }, data: 1 })
  if (path === '/nothing') return void response.writeHead(204).end()
  if (path === '/html') return void say(200, 'text/html', '<p>secret-of-the-other-side</p>')
  if (path === '/broken') return void say(200, 'application/json', '{"a":')
  if (path === '/deep') return void say(200, 'application/json', '['.repeat(20_000) + ']'.repeat(20_000))
  if (path === '/large')
    return void say(200, 'text/plain', 'x'.repeat(200_000), { 'content-length': 200_000 })
  if (path === '/unsized') {
    response.writeHead(200, { 'content-type': 'text/plain' })
    for (let i = 0; i < 40; i++) response.write('x'.repeat(10_000))
    return void response.end()
  }
  if (path === '/bomb')
    return void say(200, 'application/json', gzipSync('x'.repeat(5_000_000)), { 'content-encoding': 'gzip' })
  if (path === '/drip') {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const timer = setInterval(() => response.write('x'), 100)
    return void response.once('close', () => clearInterval(timer))
  }
  if (path === '/away') return void response.writeHead(302, { location: 'http://127.0.0.1:9/x' }).end()
  if (path === '/round') return void response.writeHead(302, { location: '/v1/round' }).end()
  if (path === '/moved') return void response.writeHead(302, { location: '/v1/orders/7' }).end()
  if (path === '/failed') return void json({ why: 'secret-of-the-other-side', url, headers }, 500)
  if (path === '/cut') return void request.socket.destroy()
  if (path === '/echo') return void json({ url, headers })
  if (path !== '/slow') json({ error: 'unknown' }, 404)
}
