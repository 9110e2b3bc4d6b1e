import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import type { PageEvent } from '../../../src/contract/pages.ts'
import { createApp } from '../../../src/server/http/app.ts'
import { createLog } from '../../../src/server/kernel/config/log.ts'
import { type Client, openTestApp, SECRET_OF_TESTS, type TestApp } from '../support.ts'

let server: TestApp
let schemas: string
let url: string
const closers: (() => void)[] = []

const page = (title: string, settings: object = {}, widgetList: readonly object[] = [text('hello')]) => ({
  formConfig: { page: { title, ...settings } },
  widgetList,
})
const write = async (path: string, content: object | string): Promise<void> => {
  const file = join(schemas, `${path}.json`)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
}
const text = (name: string) => ({ type: 'static-text', options: { name, textContent: name } })

/** The original files. */
async function writeAll(): Promise<void> {
  await write('routes', [
    { path: '/', page: '/pages/index', aliases: ['/pages/home'], title: '首页' },
    { path: '/pages/open', needLogin: false },
  ])
  await write('pages/index', page('首页'))
  await write('pages/open', page('公开'))
  await write('pages/login', page('登录', { needLogin: false }))
  await write('pages/guarded', page('合同', { permission: 'contract:approve' }))
  await write(
    'pages/composed',
    page('组合', { needLogin: false }, [text('before'), { fragment: 'shared/head' }, text('after')]),
  )
  await write('fragments/shared/head', [text('head-1'), { fragment: 'tail' }])
  await write('fragments/tail', { widgetList: [text('tail-1')] })
}

beforeAll(async () => {
  schemas = await mkdtemp(join(tmpdir(), 'crm-schemas-'))
  await writeAll()
  server = await openTestApp({
    SCHEMAS_DIR: schemas,
    DATA_ORIGINS: 'https://good.example https://other.example',
  })
  url = await server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(() => {
  for (const close of closers.splice(0)) close()
})
afterAll(async () => {
  await server.close()
  await rm(schemas, { recursive: true, force: true })
})

const detail = (path: string, token: string | null = null, headers: Record<string, string> = {}) =>
  server.with(token).get(`/engine/web/page/detail?path=${encodeURIComponent(path)}`, headers)

describe('page/detail', () => {
  it('returns the document itself with an ETag, and 304 while it is unchanged', async () => {
    const first = await detail('/pages/open')

    expect(JSON.parse(first.body)).toEqual(page('公开'))
    const again = await detail('/pages/open', null, { 'if-none-match': String(first.headers.etag) })
    expect([again.status, again.body]).toEqual([304, ''])
  })

  it('finds a page by route and alias', async () => {
    const { token } = await server.as('demo')

    const found = await Promise.all(['/', '/pages/home', '/pages/index'].map((path) => detail(path, token)))

    expect(found.map((answer) => JSON.parse(answer.body))).toEqual([page('首页'), page('首页'), page('首页')])
  })

  it.each(['/pages/nothing', '/pages/../routes', '../../package', '__proto__', '/pages/constructor'])(
    'answers 404 in the envelope for %s',
    async (path) => {
      const answer = await detail(path)

      expect(answer.status).toBe(200)
      expect(answer.meta).toMatchObject({ code: 404, error: { type: 'NOT_FOUND' } })
    },
  )

  it('needs a session unless the page or its route is public', async () => {
    expect((await detail('/pages/index')).meta.code).toBe(401)
    expect((await detail('/pages/login')).status).toBe(200)
    expect((await detail('/pages/login')).meta).toBeUndefined()
    expect((await detail('/pages/open', 'an old token')).meta).toBeUndefined()
  })

  it('returns all pages that a user may open at once, for an offline phone', async () => {
    const [sales, finance] = await Promise.all([server.as('demo'), server.as('finance')])
    const bundle = async (client: Client) =>
      JSON.parse((await client.get('/engine/web/page/bundle')).body).pages as Record<string, Json>

    expect(Object.keys(await bundle(sales))).not.toContain('/pages/guarded')
    expect(await bundle(finance)).toMatchObject({
      '/pages/guarded': page('合同', { permission: 'contract:approve' }),
    })
    expect((await server.with(null).get('/engine/web/page/bundle')).meta.code).toBe(401)
  })

  it('returns them in parts as well, each with the etag of all', async () => {
    const client = await server.as('finance')
    const get = (query: string, etag = '') =>
      client.get(`/engine/web/page/bundle${query}`, { 'if-none-match': etag })
    const whole = await get('')
    const { pages } = JSON.parse(whole.body) as { readonly pages: Record<string, Json> }
    const found: Record<string, Json> = {}
    const etags = new Set<unknown>([whole.headers.etag])
    let parts = 0
    for (let after: string | null = ''; after !== null; parts += 1) {
      const part = await get(`?limit=2&after=${encodeURIComponent(after)}`)
      const read = JSON.parse(part.body) as {
        readonly pages: Record<string, Json>
        readonly next: string | null
      }
      expect(Object.keys(read.pages).length).toBeLessThanOrEqual(2)
      etags.add(part.headers.etag)
      Object.assign(found, read.pages)
      after = read.next
    }

    expect(found).toEqual(pages)
    expect(parts).toBe(Math.ceil(Object.keys(pages).length / 2))
    expect(etags.size).toBe(1)
    expect((await get('?limit=2', String(whole.headers.etag))).status).toBe(304)
    expect((await get('?limit=0')).meta.code).toBe(400)
    expect((await get('?after=%2Fzzz')).body).toContain('"pages":{},"next":null')
  })

  it('refuses users without the permission of the page with 405', async () => {
    const sales = await server.as('demo')
    const finance = await server.as('finance')

    expect((await detail('/pages/guarded', sales.token)).meta.code).toBe(405)
    expect(JSON.parse((await detail('/pages/guarded', finance.token)).body).formConfig.page.title).toBe(
      '合同',
    )
  })

  it('resolves fragments, also nested ones', async () => {
    const { widgetList } = JSON.parse((await detail('/pages/composed')).body)

    expect(widgetList.map((one: { options: { name: string } }) => one.options.name)).toEqual([
      'before',
      'head-1',
      'tail-1',
      'after',
    ])
  })
})

describe('page/stream', () => {
  let author: string
  beforeAll(async () => {
    author = (await server.as('admin')).token
  })
  afterEach(() => mended(author))

  it('announces a change within a second, including a page that uses a changed fragment', async () => {
    const events = await listen(author)

    const changed = Date.now()
    await write('pages/login', page('登录二', { needLogin: false }))
    await expect.poll(() => events.map((event) => event.path), { timeout: 3000 }).toContain('/pages/login')
    expect(Date.now() - changed).toBeLessThan(1000)
    await write('fragments/tail', { widgetList: [text('tail-2')] })
    await expect.poll(() => events.map((event) => event.path), { timeout: 3000 }).toContain('/pages/composed')

    const [event] = events
    expect(event).toEqual({ path: '/pages/login', etag: (await detail('/pages/login')).headers.etag })
    expect((await detail('/pages/composed')).body).toContain('tail-2')
  })

  it('tells no more of broken pages once the role is gone', async () => {
    const other = await server.as('manager')
    const admin = await server.as('admin')
    const role = (await admin.post('/engine/web/role/list', {})).data.list.find(
      (one: { name: string }) => one.name === '管理员',
    )
    const user = async () => (await admin.get('/engine/web/user/detail?id=u-manager')).data.record
    const give = async (role_ids: readonly string[]) =>
      admin.post('/engine/web/user/save', { ...(await user()), role_ids })
    const { role_ids: before } = await user()
    await give([...before, role.id])
    const events = await listen(other.token)
    const tells = () => events.filter((event) => 'problems' in event).length
    await write('pages/login', '{')
    await expect.poll(tells, { timeout: 3000 }).toBe(1)

    await give(before)
    await write('pages/open', '{')
    const others = await listen(author)
    await expect.poll(() => others.length, { timeout: 3000 }).toBe(2)

    expect(tells()).toBe(1)
    await write('pages/open', page('公开'))
  })

  it('announces a file that an editor replaced by renaming', async () => {
    const events = await listen(author)
    await write('draft', page('公开二'))
    await rename(join(schemas, 'draft.json'), join(schemas, 'pages/open.json'))

    await expect.poll(() => events.map((event) => event.path), { timeout: 3000 }).toContain('/pages/open')
  })

  it('announces the faults of a broken edit and its repair; the last good page is returned meanwhile', async () => {
    const events = await listen(author)
    await write('pages/login', page('好', { needLogin: false }))
    await expect.poll(() => events.length, { timeout: 3000 }).toBe(1)

    await write('pages/login', '{\n  "widgetList": [,]\n}')
    await expect.poll(() => events.length, { timeout: 3000 }).toBe(2)

    expect(events[1]).toMatchObject({
      path: '/pages/login',
      problems: [{ code: 'JSON_INVALID', at: '', file: 'schemas/pages/login.json' }],
    })
    expect(JSON.stringify(events[1])).toContain('第 2 行第 18 列')
    expect(JSON.parse((await detail('/pages/login')).body).formConfig.page.title).toBe('好')
    await write('pages/login', page('好', { needLogin: false }))
    await expect.poll(() => events.length, { timeout: 3000 }).toBe(3)
    expect(events[2]).toHaveProperty('etag')
  })

  it('points at the invalid fragment, in its own file', async () => {
    const events = await listen(author)
    await write('fragments/shared/head', [text('head-1'), { fragment: 'nowhere' }])
    await expect.poll(() => events.length, { timeout: 3000 }).toBe(1)

    expect(events[0]).toMatchObject({
      path: '/pages/composed',
      problems: [{ code: 'FRAGMENT_UNKNOWN', at: '/1', file: 'schemas/fragments/shared/head.json' }],
    })
    await write('fragments/shared/head', [{ fragment: 'shared/head' }])
    await expect.poll(() => JSON.stringify(events.at(-1)), { timeout: 3000 }).toContain('FRAGMENT_CYCLE')
  })

  it('checks what the client checks, and points into the author’s file', async () => {
    const events = await listen(author)
    await write('fragments/shared/head', [text('head-1'), { type: 'input', formItemFlag: true, options: {} }])
    await expect.poll(() => events.length, { timeout: 3000 }).toBe(1)

    expect(events[0]).toMatchObject({
      path: '/pages/composed',
      problems: [{ code: 'NAME_MISSING', at: '/1', file: 'schemas/fragments/shared/head.json' }],
    })
  })

  it('reports an unknown word and unknown names, with line and column; the last good page stays', async () => {
    const events = await listen(author)
    const wrong = page('好', { needLogin: false, permission: 'custmer:view' })
    await write('pages/login', {
      ...wrong,
      widgetList: [
        {
          type: 'input',
          formItemFlag: true,
          options: { name: 'a', placehodler: '', dict: 'customer_levle' },
        },
      ],
    })
    await expect.poll(() => events.length, { timeout: 3000 }).toBe(1)

    expect(events[0]).toMatchObject({
      path: '/pages/login',
      problems: [
        {
          code: 'WORD_UNKNOWN',
          at: '/widgetList/0/options/placehodler',
          hint: '是不是“placeholder”？',
        },
        { code: 'WORD_UNKNOWN', at: '/widgetList/0/options/dict', hint: '是不是“customer_level”？' },
        { code: 'WORD_UNKNOWN', at: '/formConfig/page/permission', hint: '是不是“customer:view”？' },
      ],
    })
    expect(events[0]).toHaveProperty('problems.0.line', expect.any(Number))
    expect(events[0]).toHaveProperty('problems.0.column', expect.any(Number))
    expect((await detail('/pages/login')).body).not.toContain('placehodler')
  })

  it('carries the security headers', async () => {
    const answer = await fetch(`${url}/engine/web/page/stream`, { signal: abort() })

    expect(answer.headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'")
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('reports faults only to users who may change forms, and again each time they occur', async () => {
    const nobody = await listen()
    const sales = await listen((await server.as('demo')).token)
    const admin = await listen(author)
    await write('pages/login', page('坏', { needLogin: false, titel: 'x' }))
    await expect.poll(() => admin.length, { timeout: 3000 }).toBe(1)

    const later = await listen(author)
    await expect.poll(() => later, { timeout: 3000 }).toEqual(admin)
    await write('pages/login', page('好二', { needLogin: false }))
    await expect.poll(() => [nobody.length, sales.length], { timeout: 3000 }).toEqual([1, 1])

    expect(admin[0]).toHaveProperty('problems.0.message', '页面的键中没有“titel”')
    expect([...nobody, ...sales].some((event) => 'problems' in event)).toBe(false)
  })
})

describe('a broken page', () => {
  afterEach(async () => mended((await server.as('admin')).token))

  it('keeps its last good version after a restart, with the fragments of that time, and is logged once', async () => {
    await write('fragments/tail', { widgetList: [text('tail-3')] })
    await expect
      .poll(async () => (await detail('/pages/composed')).body, { timeout: 3000 })
      .toContain('tail-3')
    await write('pages/composed', page('坏', { needLogin: false, titel: 'x' }, [{ fragment: 'tail' }]))
    await write('fragments/tail', { widgetList: [text('tail-4')] })
    const lines: string[] = []
    const second = await anotherServer(lines)

    const found = await second.inject('/engine/web/page/detail?path=/pages/composed')
    await write('pages/open', page('公开三'))
    await expect
      .poll(async () => (await second.inject('/engine/web/page/detail?path=/pages/open')).body)
      .toContain('公开三')
    await second.close()

    expect(found.body).toContain('tail-3')
    expect(found.body).not.toContain('坏')
    expect(lines.filter((line) => line.includes('"path":"/pages/composed"'))).toHaveLength(1)
  })

  it('without a good version is hidden; its faults are shown to users who may change forms', async () => {
    await write('pages/fresh', page('新', { titel: 'x' }, [{ fragment: 'nowhere' }]))
    const admin = await server.as('admin')
    const sales = await server.as('demo')

    await expect
      .poll(async () => (await detail('/pages/fresh', admin.token)).data?.problems?.length)
      .toBeGreaterThan(0)
    expect(await detail('/pages/fresh', sales.token)).toMatchObject({ meta: { code: 404 }, data: null })
    expect(await detail('/pages/fresh')).toMatchObject({ meta: { code: 404 }, data: null })
  })
})

/** Restores the files, and waits until the server has read all of them. */
async function mended(author: string): Promise<void> {
  const events = await listen(author)
  await writeAll()
  await rm(join(schemas, 'pages/fresh.json'), { force: true })
  await write('pages/seen', page(randomUUID()))
  await expect.poll(() => events.map(({ path }) => path), { timeout: 3000 }).toContain('/pages/seen')
}

async function anotherServer(lines: string[]) {
  const { config, database, clock } = server
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  return createApp({
    config,
    database,
    secret: SECRET_OF_TESTS,
    log,
    now: () => clock.now,
  })
}

describe('publishing', () => {
  it('on one server reaches the streams of the others', async () => {
    const { config, database, clock } = server
    const log = createLog('silent')
    const secret = SECRET_OF_TESTS
    const second = await createApp({ config, database, secret, log, now: () => clock.now })
    const admin = await server.as('admin')
    const events = await listen(admin.token, await second.listen({ port: 0, host: '127.0.0.1' }))

    const document = page('公开，星海') as unknown as Json
    const { data } = await admin.post('/engine/web/page/publish', { path: '/pages/open', base: 0, document })

    await expect.poll(() => events, { timeout: 3000 }).toEqual([{ path: '/pages/open', etag: data.etag }])
    const same = await second.inject({
      url: '/engine/web/page/detail?path=/pages/open',
      headers: { authorization: admin.token },
    })
    expect(same.headers.etag).toBe(data.etag)
    await second.close()
  })

  it('gives the tenant its own page, notifies only that tenant, and keeps revisions', async () => {
    const admin = await server.as('admin')
    const elsewhere = await server.as('yfadmin')
    const own = await listen(admin.token)
    const other = await listen(elsewhere.token)
    const document = page('星海首页') as unknown as Json

    const answer = await admin.post('/engine/web/page/publish', {
      path: '/',
      base: 0,
      document,
      note: '第一版',
    })
    await admin.post('/engine/web/page/publish', {
      path: '/',
      base: 1,
      document: page('星海首页二') as unknown as Json,
    })

    expect(answer.data).toMatchObject({ path: '/pages/index' })
    await expect.poll(() => own.length, { timeout: 3000 }).toBe(2)
    expect(own[0]).toEqual({ path: '/pages/index', etag: answer.data.etag })
    expect(other).toEqual([])
    expect((await detail('/pages/index', admin.token)).body).toContain('星海首页二')
    expect((await detail('/pages/index', elsewhere.token)).body).not.toContain('星海')
    const rows = await server.database.system((trx) =>
      trx
        .selectFrom('page_override')
        .select(['revision', 'status'])
        .where('path', '=', '/pages/index')
        .orderBy('revision')
        .execute(),
    )
    expect(rows).toEqual([
      { revision: 1, status: 'archived' },
      { revision: 2, status: 'published' },
    ])
  })

  it('needs the right to change forms, existing pages, and valid documents', async () => {
    const sales = await server.as('demo')
    const admin = await server.as('admin')
    const document = page('x') as unknown as Json

    const answers = [
      await sales.post('/engine/web/page/publish', { path: '/', base: 0, document }),
      await admin.post('/engine/web/page/publish', { path: '/pages/nothing', base: 0, document }),
      await admin.post('/engine/web/page/publish', { path: '/', base: 2, document: { widgetList: 1 } }),
    ]

    expect(answers.map((answer) => answer.meta.code)).toEqual([405, 404, 400])
    expect(answers[2]?.data.problems[0]).toMatchObject({ code: 'DOCUMENT_INVALID' })
  })

  it('accepts only origins that the operator and the tenant allow', async () => {
    const admin = await server.as('admin')
    const tenant = (await admin.get('/engine/web/tenant/detail')).data.record
    const tryOne = async (requestURL: string) => {
      const dataSources = [{ uniqueName: 'a', requestURL, requestMethod: 'get' }]
      const document = { formConfig: { dataSources }, widgetList: [text('hello')] }
      const { revision } = (await admin.get('/engine/web/page/source?path=/pages/guarded')).data
      return admin.post('/engine/web/page/publish', { path: '/pages/guarded', base: revision, document })
    }
    const urls = [
      'https://good.example/x?a=1',
      'https://other.example',
      'https://evil.example/x',
      'HTTPS://EVIL.example/x',
      '//evil.example/x',
      '\\\\evil.example/x',
      'https://good.example@evil.example/x',
      '/mini/x',
      'cloud:db/t',
      '{{ data.base }}/x',
    ]
    const codes = async () => {
      const all: number[] = []
      for (const url of urls) all.push((await tryOne(url)).meta.code)
      return all
    }

    expect(await codes()).toEqual([200, 200, 400, 400, 400, 400, 400, 200, 200, 200])
    await admin.post('/engine/web/tenant/save', {
      ...tenant,
      data_origins: 'https://good.example https://evil.example',
    })

    expect(await codes()).toEqual([200, 400, 400, 400, 400, 400, 400, 200, 200, 200])
    expect((await tryOne('https://other.example/x')).meta).toMatchObject({
      message: expect.stringContaining('“https://other.example” 不在允许访问的地址里'),
      error: { detail: '/formConfig/dataSources/0/requestURL' },
    })
  })
})

function abort(): AbortSignal {
  const controller = new AbortController()
  closers.push(() => controller.abort())
  return controller.signal
}

/** Events of the stream as they arrive; closed after the test. */
async function listen(token?: string, at = url): Promise<PageEvent[]> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: token }
  const answer = await fetch(`${at}/engine/web/page/stream`, { headers, signal: abort() })
  const events: PageEvent[] = []
  const read = async (): Promise<void> => {
    let open = ''
    for await (const chunk of answer.body ?? []) {
      open += new TextDecoder().decode(chunk)
      const parts = open.split('\n\n')
      open = parts.pop() ?? ''
      for (const part of parts) if (part.startsWith('data: ')) events.push(JSON.parse(part.slice(6)))
    }
  }
  read().catch(() => undefined)
  return events
}
