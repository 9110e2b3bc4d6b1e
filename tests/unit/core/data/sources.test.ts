import { afterEach, describe, expect, it } from 'vitest'
import { createEngine } from '../../../../runtime/core/create-engine.ts'
import { uploadsOf } from '../../../../runtime/core/engine/uploads.ts'
import type { Engine, EngineOptions } from '../../../../runtime/core/engine.ts'
import { failure } from '../../../../runtime/core/errors.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Http } from '../../../../runtime/core/ports.ts'
import { createInProcessScript } from '../../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../../runtime/sandbox/parse-for-scripts.ts'
import { reportRefusedOrigins, tenantOrigins } from '../../../../src/app/net/refused-origins.ts'
import { aPage, aWidget, registry } from '../../../support/a-page.ts'
import { memoryWorld, type Server } from '../../../support/memory-ports.ts'

const script = createInProcessScript(nodeQuickJs, parseForScripts)
const engines: Engine[] = []
afterEach(() => {
  for (const engine of engines.splice(0)) engine.dispose()
})

/** A page with one source `s`, a field `word`, and the given widgets. */
function open(
  source: JsonObject,
  {
    widgets = [],
    server,
    ...more
  }: Partial<EngineOptions> & { widgets?: JsonObject[]; server?: Server } = {},
) {
  const world = memoryWorld({ script, ...(server ? { server } : {}) })
  const page = aPage([aWidget('input', 'word'), ...widgets], {
    dataSources: [{ uniqueName: 's', requestURL: '/list', ...source }],
  })
  const engine = createEngine({ page, registry, ports: world.ports, values: { word: 'a b' }, ...more })
  engines.push(engine)
  return {
    engine,
    world,
    sent: () => world.requests.map(({ url, method, body, headers }) => ({ url, method, body, headers })),
  }
}

const item = (name: string, type: string, value: Json): JsonObject => ({ name, type, value })

describe('the request of a data source', () => {
  it.each([
    ['String', '/list/{{ form.word }}', '/list/a b'],
    ['Variable', "'/list/' + DSV.area + '/' + VFR.word", '/list/east/a b'],
    ['Variable', "DSV['area']", 'east'],
    ['Variable', "dsv('nothing', '/default')", '/default'],
    ['Variable', "vfr('word', 'x')", 'a b'],
    ['Variable', 'VFR.getFieldValue("word")', 'a b'],
    ['Variable', 'steal(document.cookie)', ''],
  ])('has a URL of type %s: %s', async (requestURLType, requestURL, url) => {
    const { engine, sent } = open({ requestURLType, requestURL }, { variables: { area: 'east' } })
    await engine.request('s')
    expect(sent()[0]?.url).toBe(url)
  })

  it('has escaped parameters of every kind; those without a value are omitted, and so is a lone question mark', async () => {
    const params = [
      item('text', 'String', 'a&b=c 中'),
      item('number', 'Number', '7'),
      item('none', 'Number', ''),
      item('yes', 'Boolean', '1'),
      item('no', 'Boolean', 'false'),
      item('neither', 'Boolean', 'perhaps'),
      item('path', 'Variable', 'form.word'),
      item('local', 'Variable', 'DSV.search'),
      item('gone', 'Variable', 'form.nothing'),
      item('__proto__', 'String', 'x'),
    ]
    const { engine, sent } = open({ params })
    await engine.request('s', { search: '?' })
    expect(sent()[0]?.url).toBe(
      '/list?text=a%26b%3Dc%20%E4%B8%AD&number=7&yes=true&no=false&neither=&path=a%20b&local=%3F',
    )

    const bare = open({ params: [item('gone', 'Variable', 'form.nothing')] })
    await bare.engine.request('s')
    expect(bare.sent()[0]?.url).toBe('/list')
  })

  it('omits from the body what a rule excludes, in a table or a list, and in parts of a value', async () => {
    const body = {
      $without: { var: 'user.kept' },
      a: '{{ form.word }}',
      b: 2,
      part: { x: 1, y: 2 },
      rows: [{ $without: ['n'], n: 1, m: 2 }],
    }
    const kept = { b: 'read', part: { x: 'hidden' }, unknown: 'hidden' }
    const { engine, sent } = open({ requestMethod: 'post', body }, { user: { kept } })
    await engine.request('s')
    expect(sent()[0]?.body).toEqual({ a: 'a b', part: { y: 2 }, rows: [{ m: 2 }] })

    const free = open({ requestMethod: 'post', body })
    await free.engine.request('s')
    expect(free.sent()[0]?.body).toEqual({ a: 'a b', b: 2, part: { x: 1, y: 2 }, rows: [{ m: 2 }] })
  })

  it('has a method, headers and a body whose values keep their types; a GET has no body', async () => {
    const data = [item('n', 'Number', '3'), item('b', 'Boolean', '0'), item('t', 'String', 'x')]
    const headers = [item('x-word', 'Variable', 'form.word')]
    const { engine, sent } = open({ requestMethod: 'post', data, headers })
    await engine.request('s')
    expect(sent()).toEqual([
      { url: '/list', method: 'POST', headers: { 'x-word': 'a b' }, body: { n: 3, b: false, t: 'x' } },
    ])

    const get = open({ data })
    await get.engine.request('s')
    expect(get.sent()[0]).toMatchObject({ method: 'GET', body: undefined })
  })
})

describe('the handlers of a data source', () => {
  it('change the request, convert the whole response to the result, and set the error message', async () => {
    const source = {
      configHandlerCode:
        "config.url += '?by=' + DSV.by; config.headers.x = VFR.getFieldValue('word'); return config",
      dataHandlerCode: 'return [result.status, result.data.list.length, isSandbox]',
      errorHandlerCode: "$message.error('x'); return '没有取到：' + error.code",
    }
    const good = open(source, { server: () => ({ list: [1, 2] }) })
    expect(await good.engine.request('s', { by: 'me' })).toEqual({ ok: true, value: [200, 2, false] })
    expect(good.sent()[0]).toMatchObject({ url: '/list?by=me', headers: { x: 'a b' } })

    const bad = open(source, { server: () => ({ ok: false, error: failure('NETWORK') }) as never })
    expect(await bad.engine.request('s')).toMatchObject({
      ok: false,
      error: { code: 'NETWORK', message: '没有取到：NETWORK' },
    })
  })

  it('can change parameters and method; unchanged parts are sent as they were', async () => {
    const params = [item('q', 'String', 'a b'), item('id', 'Number', '1'), item('id', 'Number', '2')]
    const data = [item('n', 'Number', '3')]
    const open1 = (code: string) => open({ params, data, configHandlerCode: code })

    const asIs = open1('return config')
    await asIs.engine.request('s')
    const changed = open1(
      `if (JSON.stringify(config.params) !== '{"q":"a b","id":[1,2]}') throw new Error(JSON.stringify(config.params))
       config.method = 'post'; delete config.params.q; config.params.page = 2; config.params.tag = ['x', 'y'];
       config.data.n += 1; return config`,
    )
    await changed.engine.request('s')
    const wrong = open1('config.method = "steal"; config.params = "x"; return config')
    await wrong.engine.request('s')

    expect(asIs.sent()).toMatchObject([{ url: '/list?q=a%20b&id=1&id=2', method: 'GET', body: undefined }])
    expect(changed.sent()).toMatchObject([
      { url: '/list?id=1&id=2&page=2&tag=x&tag=y', method: 'POST', body: { n: 4 } },
    ])
    expect(wrong.sent()).toMatchObject([{ url: '/list?q=a%20b&id=1&id=2', method: 'GET' }])
  })

  it.each([
    [{ meta: { code: 500, message: '没有权限' }, data: { why: 1 } }, '没有权限'],
    [{ meta: { code: 200, success: false, message: '满了' } }, '满了'],
    [{ meta: { code: 403 } }, 'net.status'],
  ])('treat a failed envelope as a failure, with its text: %j', async (body, message) => {
    const server: Server = () => body
    const plain = open({}, { server })
    const handled = open(
      { dataHandlerCode: 'return 1', errorHandlerCode: 'return "!" + error.message' },
      { server },
    )

    expect(await plain.engine.request('s')).toMatchObject({ ok: false, error: { code: 'REFUSED', message } })
    expect(await handled.engine.request('s')).toMatchObject({ ok: false, error: { message: `!${message}` } })
  })

  it.each<Json>([
    { meta: { code: 200 }, data: 7 },
    { meta: { code: 0, message: 'ok' }, data: 7 },
  ])('receive the contents of a successful envelope: %j', async (body) => {
    expect(await open({}, { server: () => body }).engine.request('s')).toEqual({ ok: true, value: 7 })
  })

  it.each([
    [failure('NETWORK'), 'net.failed'],
    [failure('TIMEOUT'), 'net.timeout'],
    [failure('HTTP_STATUS', { status: 500 }, { status: 500 }), 'net.server'],
    [failure('HTTP_STATUS', { status: 404 }, { status: 404 }), 'net.status'],
    [failure('HTTP_STATUS', { status: 422 }, { status: 422, data: { message: '太多' } }), '太多'],
    [failure('REFUSED', { reason: '不行' }), '不行'],
    [{ ...failure('REFUSED'), message: '别人的话' }, '别人的话'],
    [failure('ABORTED'), failure('ABORTED').message],
  ])('receive a failure with a text in the user’s language: %j', async (error, words) => {
    const server: Server = () => ({ ok: false, error })
    const handled = open({ errorHandlerCode: 'return "[" + error.message + "]"' }, { server })

    expect(await open({}, { server }).engine.request('s')).toMatchObject({ error: { message: words } })
    expect(await handled.engine.request('s')).toMatchObject({ error: { message: `[${words}]` } })
  })

  it('show a toast for failures that nothing else shows: choices of a field, and requests of a script', async () => {
    const lost: Server = () => ({ ok: false, error: failure('NETWORK') })
    const widgets = [
      aWidget('select', 'kind', { dsEnabled: true, dsName: 's' }),
      aWidget('button', 'go', { onClick: 'this.executeDataSource("s").catch(function () {})' }),
    ]
    const plain = open({}, { widgets, server: lost })
    const handled = open({ errorHandlerCode: 'return "!"' }, { widgets, server: lost })
    for (const { engine } of [plain, handled]) {
      await engine.pageEvent('load')
      await engine.event('go', 'click')
    }

    await expect.poll(() => plain.world.toasts.map(({ text }) => text)).toEqual(['net.failed', 'net.failed'])
    await expect.poll(() => handled.world.requests.length).toBe(2)
    expect(handled.world.toasts).toEqual([])
  })

  it('may be absent: the result is then the body without our envelope, and a failure stays a failure', async () => {
    const plain = open({}, { server: () => [{ a: 1 }] })
    expect(await plain.engine.request('s')).toEqual({ ok: true, value: [{ a: 1 }] })
    const ours = open({}, { server: () => ({ meta: { code: 200 }, data: { a: 1 } }) })
    expect(await ours.engine.request('s')).toEqual({ ok: true, value: { a: 1 } })
    const lost = open({}, { server: () => ({ ok: false, error: failure('TIMEOUT') }) as never })
    expect(await lost.engine.request('s')).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } })
  })
})

describe('the host variables', () => {
  it('reach requests as page code has left them, at any depth and at once', async () => {
    const { engine, sent } = open(
      { requestURLType: 'Variable', requestURL: "'/' + DSV.who.name + '/' + DSV.n" },
      {
        variables: { who: { name: 'a' }, n: 1 },
        widgets: [
          aWidget('button', 'go', {
            onClick: 'var v = this.getGlobalDsv(); v.who.name = "b"; this.executeDataSource("s"); v.n = 2',
          }),
          aWidget('button', 'later', { onClick: 'this.executeDataSource("s")' }),
        ],
      },
    )

    await engine.event('go', 'click')
    await expect.poll(() => sent().length).toBe(1)
    await engine.request('s')
    await engine.event('later', 'click')

    await expect.poll(() => sent().map(({ url }) => url)).toEqual(['/b/1', '/b/2', '/b/2'])
  })

  it('reach the URL of an upload', async () => {
    const { engine, world } = open(
      {},
      {
        widgets: [
          aWidget('file-upload', 'f', { uploadURL: "DSV.base + '/up'", fileTypes: [] }),
          aWidget('button', 'go', { onClick: 'this.getGlobalDsv().base = "/cloud"; this.setLabel("ok")' }),
        ],
      },
    )

    await engine.event('go', 'click')
    await expect.poll(() => engine.node('go').label).toBe('ok')
    void uploadsOf(engine).add('f', [{ name: 'a', size: 1, type: '', handle: null }])

    await expect.poll(() => world.requests.map(({ url }) => url)).toEqual(['/cloud/up'])
  })

  it('set when the form is created reach the first requests of the page: choices, automatic sources', async () => {
    const world = memoryWorld({ script, server: () => [{ label: '甲', value: 1 }] })
    const of = { requestURLType: 'Variable', requestURL: "'/api/' + DSV.seg + '/two'" }
    const page = aPage(
      [
        aWidget('select', 'one', { dsEnabled: true, dsName: 'headed' }),
        aWidget('select', 'two', { dsEnabled: true, dsName: 'placed' }),
      ],
      {
        onFormCreated: "var v = this.getGlobalDsv(); v.tok = 'T'; v.seg = 'a'",
        dataSources: [
          { uniqueName: 'headed', requestURL: '/one', headers: [item('x-t', 'Variable', 'DSV.tok')] },
          { uniqueName: 'placed', ...of },
          { uniqueName: 'own', ...of, auto: true },
        ],
      },
    )
    const engine = createEngine({ page, registry, ports: world.ports })
    engines.push(engine)

    void engine.pageEvent('load')
    void engine.refresh()
    expect(engine.node('two').options.itemsState).toBe('loading')
    await expect.poll(() => engine.scope().data.own).toBeDefined()
    await expect.poll(() => engine.node('two').items).toMatchObject([{ label: '甲' }])

    expect(world.requests.map(({ url, headers }) => [url, headers?.['x-t']]).sort()).toEqual([
      ['/api/a/two', undefined],
      ['/api/a/two', undefined],
      ['/one', 'T'],
    ])
  })

  it('are not waited for by the requests of the code that sets them, nor for ever if that code fails', async () => {
    const asks = aPage([aWidget('select', 'one', { dsEnabled: true, dsName: 's' })], {
      onFormCreated: 'var v = this.getGlobalDsv(); v.n = 1; this.executeDataSource("s"); v.n = 2',
      dataSources: [{ uniqueName: 's', requestURLType: 'Variable', requestURL: "'/' + DSV.n" }],
    })
    const fails = aPage([aWidget('select', 'one', { dsEnabled: true, dsName: 's' })], {
      onFormCreated: 'this.getGlobalDsv().n = 3; for (;;) {}',
      dataSources: [{ uniqueName: 's', requestURL: '/list' }],
    })
    const sent = await Promise.all(
      [asks, fails].map(async (page) => {
        const world = memoryWorld({ script, server: () => [{ label: '甲', value: 1 }] })
        const engine = createEngine({ page, registry, ports: world.ports })
        engines.push(engine)
        await engine.pageEvent('load')
        await expect.poll(() => engine.node('one').items, { timeout: 3_000 }).toMatchObject([{ label: '甲' }])
        return world.requests.map(({ url }) => url)
      }),
    )

    expect(sent).toEqual([['/1', '/2'], ['/list']])
  })

  it('keep their last value if page code makes them cyclic', async () => {
    const { engine, sent, world } = open(
      { requestURLType: 'Variable', requestURL: 'DSV.n' },
      {
        variables: { n: '/1' },
        widgets: [
          aWidget('button', 'go', { onClick: 'var v = this.getGlobalDsv(); v.v = v; this.$message("x")' }),
        ],
      },
    )

    await engine.event('go', 'click')
    await expect.poll(() => world.toasts.length).toBe(1)
    await engine.request('s')

    expect(sent()[0]?.url).toBe('/1')
  })
})

describe('the answers of a data source', () => {
  it('are shared by the fields of its data sets; a field without a data set requests its own, by name', async () => {
    const field = (name: string, options: JsonObject) =>
      aWidget('select', name, { dsEnabled: true, dsName: 's', ...options })
    const { engine, sent } = open(
      { params: [item('for', 'Variable', 'DSV.widgetName')], dataSetEnabled: true },
      {
        widgets: [
          field('level', { dataSetName: 'levels' }),
          field('source', { dataSetName: 'sources' }),
          field('own', { labelKey: 'text', valueKey: 'id' }),
        ],
        server: ({ url }) =>
          url.includes('own')
            ? [{ text: '自己', id: 9, disable: true }]
            : { levels: [{ label: 'A', value: 1 }], sources: [{ label: '展会', value: 2 }] },
      },
    )
    await engine.pageEvent('load')
    await expect
      .poll(() => engine.node('own').items)
      .toMatchObject([{ label: '自己', value: 9, disabled: true }])
    expect(engine.node('level').items).toMatchObject([{ label: 'A', value: 1 }])
    expect(engine.node('source').items).toMatchObject([{ label: '展会', value: 2 }])
    expect(sent().map(({ url }) => url)).toEqual(['/list', '/list?for=own'])
  })

  it('reach rows of a sub-form that were drawn before', async () => {
    const choices = aWidget('select', 'kind', { dsEnabled: true, dsName: 's', dataSetName: 'kinds' })
    const { engine } = open(
      { dataSetEnabled: true },
      {
        widgets: [
          aWidget('sub-form', 'rows', { defaultValue: [{ kind: 'text' }] }, { widgetList: [choices] }),
        ],
        server: () => ({ kinds: [{ label: '单行文本', value: 'text' }] }),
      },
    )
    const drawn = engine.node('rows').rows?.[0]?.children[0] ?? ''
    expect(engine.node(drawn).items).toEqual([])
    await engine.pageEvent('load')

    await expect.poll(() => engine.node(drawn).items).toMatchObject([{ label: '单行文本' }])
  })

  it('are not requested for choices while the source’s rule forbids it; the first answer provides them', async () => {
    const { engine, sent } = open(
      {
        auto: { '!!': { var: 'form.of' } },
        params: [item('of', 'Variable', 'form.of')],
        dataSetEnabled: true,
      },
      {
        widgets: [
          aWidget('input', 'of'),
          aWidget('select', 'kind', { dsEnabled: true, dsName: 's', dataSetName: 'kinds' }),
        ],
        server: ({ url }) => ({ kinds: [{ label: url, value: 1 }] }),
      },
    )
    await engine.pageEvent('load')
    expect(sent()).toEqual([])

    engine.change('of', 'k1')
    await engine.refresh('s')

    await expect.poll(() => engine.node('kind').items).toMatchObject([{ label: '/list?of=k1' }])
    expect(sent().length).toBe(1)
  })

  it('fill the form, but not fields that the page has set', async () => {
    const set = (field: string, keep: boolean) => ({ do: 'set', field, value: '来自地址', keep })
    const world = memoryWorld({ server: () => ({ record: { kept: '来自记录', filled: '来自记录' } }) })
    const page = aPage([aWidget('input', 'kept'), aWidget('input', 'filled')], {
      dataSources: [{ uniqueName: 's', requestURL: '/detail', auto: true, fill: 'record' }],
      page: { on: { load: [set('kept', true), set('filled', false)] } },
    })
    const engine = createEngine({ page, registry, ports: world.ports })
    engines.push(engine)

    await engine.pageEvent('load')
    await engine.refresh('s')

    expect(engine.scope().form).toMatchObject({ kept: '来自地址', filled: '来自记录' })
  })

  it('of an automatic source provide the choices of its fields, again with each answer', async () => {
    const { engine } = open(
      { auto: true, params: [item('of', 'Variable', 'form.of')], dataSetEnabled: true },
      {
        widgets: [
          aWidget('input', 'of', { defaultValue: 'a' }),
          aWidget('select', 'kind', { dsEnabled: true, dsName: 's', dataSetName: 'list' }),
        ],
        server: ({ url }) => ({ list: [{ label: url.slice(-1), value: 1 }] }),
      },
    )
    await engine.pageEvent('load')
    await expect.poll(() => engine.node('kind').items).toMatchObject([{ label: 'a' }])

    engine.change('of', 'b')
    await engine.refresh('s')

    expect(engine.node('kind').items).toMatchObject([{ label: 'b' }])
  })

  it('of an automatic source are those of the latest request', async () => {
    const waiting: ((value: Json) => void)[] = []
    const { engine } = open({ auto: true }, { server: () => new Promise<Json>((done) => waiting.push(done)) })
    const first = engine.refresh('s')
    const second = engine.refresh('s')
    await expect.poll(() => waiting.length).toBe(2)
    waiting[1]?.('new')
    await second
    waiting[0]?.('old')
    await first
    expect(engine.scope().data).toEqual({ s: 'new' })
    expect(engine.source('s').status).toBe('ready')
  })

  it('are cancelled if the caller no longer waits', async () => {
    const abort = new AbortController()
    const { engine, world } = open({})
    void engine.request('s', {}, { signal: abort.signal })
    await expect.poll(() => world.requests.length).toBe(1)
    abort.abort()
    expect(world.requests[0]?.signal?.aborted).toBe(true)
  })
})

describe('a call to another origin', () => {
  const OWN = 'https://crm.example'
  /** A network whose policy allows `https://good.example` alone. */
  function world(settings: JsonObject = {}) {
    let report: ((event: { effectiveDirective: string; blockedURI: string }) => void) | undefined
    const tried: string[] = []
    const send: Http['send'] = async ({ url }) => {
      tried.push(url)
      if (!url.startsWith('https://evil.')) return { ok: true, value: { status: 200, headers: {}, data: 1 } }
      report?.({ effectiveDirective: 'connect-src', blockedURI: url })
      return { ok: false, error: failure('NETWORK') }
    }
    const http = reportRefusedOrigins(
      { send, upload: send as never },
      {
        addEventListener(_type, listener) {
          report = listener
        },
      },
      { own: OWN, narrowed: () => tenantOrigins(settings) },
    )
    return { tried, call: (url: string) => http.send({ url, method: 'GET' }) }
  }

  it('that the operator does not allow is refused by name, and the second time without an attempt', async () => {
    const { call, tried } = world()

    expect(await call('https://evil.example/x')).toMatchObject({
      error: { code: 'DATA_SOURCE_ORIGIN', data: 'https://evil.example' },
    })
    expect(await call('https://evil.example/y')).toMatchObject({ error: { code: 'DATA_SOURCE_ORIGIN' } })
    expect(await call('https://good.example/x')).toMatchObject({ ok: true })
    expect(tried).toEqual(['https://evil.example/x', 'https://good.example/x'])
  })

  it('that the tenant has excluded is refused without an attempt; our own origin and a cloud are unaffected', async () => {
    const { call, tried } = world({ data_origins: [] })

    expect(await call('https://good.example/x')).toMatchObject({ error: { code: 'DATA_SOURCE_ORIGIN' } })
    for (const url of ['/own', `${OWN}/own`, 'cloud:function/x'])
      expect(await call(url)).toMatchObject({ ok: true })
    expect(tried).toEqual(['/own', `${OWN}/own`, 'cloud:function/x'])
  })

  it('that the tenant allows still needs the operator’s permission', async () => {
    const { call } = world({ data_origins: ['https://evil.example', 'https://good.example'] })

    expect(await call('https://good.example/x')).toMatchObject({ ok: true })
    expect(await call('https://evil.example/x')).toMatchObject({ error: { code: 'DATA_SOURCE_ORIGIN' } })
  })

  it('is refused with a text that says how to proceed', async () => {
    const error = failure(
      'DATA_SOURCE_ORIGIN',
      { url: 'https://evil.example/x' },
      { data: 'https://evil.example' },
    )
    const { engine } = open({}, { server: () => ({ ok: false, error }) })

    expect(await engine.request('s')).toMatchObject({
      error: { message: 'data.originRefused{"origin":"https://evil.example"}' },
    })
  })
})
