import { describe, expect, it } from 'vitest'
import { createText } from '../../../runtime/browser/catalogue-text.ts'
import { failure } from '../../../runtime/core/errors.ts'
import type { Json } from '../../../runtime/core/json.ts'
import type { Http, HttpRequest, HttpResponse, Outcome } from '../../../runtime/core/ports.ts'
import { toOutcome } from '../../../runtime/net/http-answer.ts'
import texts from '../../../schemas/text/zh-hans.json'
import { createProductHttp, isProductUrl } from '../../../src/app/net/api.ts'

const ORIGIN = 'https://crm.example:8443'

describe('the token', () => {
  it.each(['/mini/user/detail', '/engine/web/page/detail?path=/', `${ORIGIN}/mini/x`, '/mini/../mini/y'])(
    'goes to %s',
    async (url) => {
      const app = aProduct()

      await app.http.send({ url, method: 'GET' })

      expect(app.sent[0]?.headers?.Authorization).toBe('secret')
      expect(app.sent[0]?.timeoutMs).toBe(10_000)
    },
  )

  it.each([
    'https://evil.example/mini/user/detail',
    '//evil.example/mini/user/detail',
    '/\\evil.example/mini/x',
    '\\\\evil.example/mini/x',
    'https://crm.example:8443.evil.example/mini/x',
    'https://crm.example:8443@evil.example/mini/x',
    'https://user@crm.example:8443/mini/x',
    'https://crm.example/mini/x',
    'http://crm.example:8443/mini/x',
    '/mini',
    '/minister/x',
    '/other/mini/x',
    '/mini/../other',
    '/mini/%2e%2e/other',
    'javascript:alert(1)//mini/',
    'data:text/plain,/mini/',
    'blob:https://crm.example:8443/mini/x',
    'https://',
  ])('never goes to %s', async (url) => {
    const app = aProduct()

    await app.http.send({ url, method: 'POST', body: {} })
    await app.http.upload({ url, file: { name: 'a', size: 1, type: '', handle: null } })

    expect(isProductUrl(url, ORIGIN, ['/mini/', '/engine/'])).toBe(false)
    for (const one of app.sent) expect(JSON.stringify(one)).not.toContain('secret')
  })
})

describe('the end of a session', () => {
  it.each([401, 402, 403])('is meta code %i, and shows the server’s text or a default one', async (code) => {
    const app = aProduct({ answer: envelope(code, '') })

    const outcome = await app.http.send({ url: '/mini/x', method: 'GET' })

    expect(app.ended).toEqual([['登录已过期，请重新登录', 'secret']])
    expect(outcome).toMatchObject({ ok: false, error: { code: 'SESSION_OVER', status: code, shown: true } })
    expect(app.toasts).toEqual([])
  })

  it.each([401, 402, 403])('is also HTTP status %i if the answer has our envelope', async (status) => {
    const over = { meta: { code: status, success: false, message: '登录已过期' }, data: null }
    const app = aProduct({ answer: toOutcome(status, {}, over) })

    const outcome = await app.http.send({ url: '/mini/x', method: 'GET' })

    expect(app.ended).toEqual([['登录已过期', 'secret']])
    expect(outcome).toMatchObject({ ok: false, error: { code: 'SESSION_OVER', status, shown: true } })
    expect(app.toasts).toEqual([])
  })

  it.each([
    ['a page of something in between', '<html>', 401],
    ['another envelope', { meta: { code: 429, message: '请稍后再试' } }, 429],
  ])('is not signalled by %s', async (_, body, status) => {
    const app = aProduct({ answer: toOutcome(status, {}, body) })

    await app.http.send({ url: '/mini/x', method: 'GET' })

    expect(app.ended).toEqual([])
    expect(app.toasts).toEqual([typeof body === 'string' ? '错误' : '请稍后再试'])
  })

  it('shows the server’s text', async () => {
    const app = aProduct({ answer: envelope(402, '企业已到期') })

    await app.http.send({ url: '/mini/x', method: 'GET' })

    expect(app.ended[0]?.[0]).toBe('企业已到期')
  })
})

describe('other codes', () => {
  it('are returned to the caller with type, fields and data, without a toast', async () => {
    const app = aProduct({
      answer: ok({
        meta: {
          code: 409,
          success: false,
          message: '已被修改',
          error: { type: 'VERSION_CONFLICT', fields: { name: '重名' } },
        },
        data: { version: 3 },
      }),
    })

    const outcome = await app.http.send({ url: '/mini/x', method: 'POST', body: {} })

    expect(outcome).toEqual({
      ok: false,
      error: {
        code: 'CONFLICT',
        message: '已被修改',
        status: 409,
        type: 'VERSION_CONFLICT',
        fields: { name: '重名' },
        data: { version: 3 },
      },
    })
    expect(app.toasts).toEqual([])
  })

  it.each([
    [400, 'INVALID_INPUT'],
    [404, 'REFUSED'],
    [405, 'REFUSED'],
    [422, 'REFUSED'],
  ])('%i is %s', async (status, code) => {
    const app = aProduct({ answer: envelope(status, '不行') })

    expect(await app.http.send({ url: '/mini/x', method: 'GET' })).toMatchObject({
      ok: false,
      error: { code, status },
    })
    expect(app.ended).toEqual([])
  })

  it('HTTP status 200 and plain JSON are valid answers', async () => {
    expect(
      (await aProduct({ answer: envelope(200, '') }).http.send({ url: '/mini/x', method: 'GET' })).ok,
    ).toBe(true)
    expect(
      (await aProduct({ answer: ok({ widgetList: [] }) }).http.send({ url: '/mini/x', method: 'GET' })).ok,
    ).toBe(true)
  })
})

it('a password that must be changed is reported once, with the server’s text, and shows no toast later', async () => {
  const app = aProduct({
    answer: ok({
      meta: { code: 405, success: false, message: '请先修改密码', error: { type: 'PASSWORD_CHANGE' } },
      data: null,
    }),
  })

  const outcome = await app.http.send({ url: '/mini/x', method: 'GET' })

  expect([app.due, app.ended]).toEqual([['请先修改密码'], []])
  expect(outcome).toMatchObject({ ok: false, error: { status: 405, shown: true } })
})

describe('transport errors', () => {
  it.each([
    [{ error: '文件太大' }, '文件太大'],
    [null, '服务器出错了，请稍后重试'],
    ['<html>', '服务器出错了，请稍后重试'],
  ])('status 500 with %j shows the toast %s', async (data, toast) => {
    const app = aProduct({
      answer: { ok: false, error: { code: 'HTTP_STATUS', message: '', status: 500, data } },
    })

    const outcome = await app.http.send({ url: '/mini/x', method: 'GET' })

    expect(app.toasts).toEqual([toast])
    expect(outcome).toMatchObject({ ok: false, error: { shown: true, message: toast } })
  })

  it('a lost network shows one toast and is marked as shown', async () => {
    const app = aProduct({ answer: { ok: false, error: { code: 'NETWORK', message: '', status: 5 } } })

    const outcome = await app.http.send({ url: '/mini/x', method: 'GET' })

    expect(app.toasts).toEqual(['网络连接失败，请检查网络'])
    expect(outcome).toMatchObject({ ok: false, error: { code: 'NETWORK', shown: true } })
    expect(app.reached).toEqual([false])
  })

  it('a lost network shows no toast if the caller reports it itself; other errors do', async () => {
    const gone = aProduct({ answer: { ok: false, error: { code: 'NETWORK', message: '', status: 5 } } })
    const broken = aProduct({
      answer: { ok: false, error: { code: 'HTTP_STATUS', message: '', status: 500 } },
    })
    const write = { url: '/mini/x', method: 'POST', tellsLoss: true } as const

    const lost = await gone.http.send(write)
    await broken.http.send(write)

    expect([gone.toasts, broken.toasts.length]).toEqual([[], 1])
    expect(lost).toMatchObject({ ok: false, error: { code: 'NETWORK', message: '网络连接失败，请检查网络' } })
  })

  it('of a read that a part of the page shows has no toast while the lost network is known', async () => {
    const gone = { ok: false, error: { code: 'NETWORK', message: '', status: 5 } } as const
    const app = aProduct({ answer: gone })
    const read = { url: '/mini/x', method: 'GET', keep: true } as const

    await app.http.send({ url: '/mini/x', method: 'POST', tellsLoss: true })
    const lost = await app.http.send(read)
    const before = app.toasts.length
    app.now(ok({}))
    await app.http.send(read)
    app.now(gone)
    await app.http.send(read)
    await app.http.send(read)

    expect([before, lost]).toMatchObject([
      0,
      { error: { message: '网络连接失败，请检查网络', shown: false } },
    ])
    expect(app.toasts).toHaveLength(1)
  })

  it('failed reads of the shell itself show no toast', async () => {
    const app = aProduct({ answer: { ok: false, error: { code: 'NETWORK', message: '', status: 5 } } })

    await app.quiet.send({ url: '/mini/x', method: 'GET' })

    expect(app.toasts).toEqual([])
  })

  it('an aborted call shows nothing', async () => {
    const app = aProduct({ answer: { ok: false, error: { code: 'ABORTED', message: '' } } })

    await app.http.send({ url: '/mini/x', method: 'GET' })

    expect(app.toasts).toEqual([])
  })
})

it('a change of rights is reported to the shell', async () => {
  const app = aProduct({
    answer: { ok: true, value: { status: 200, headers: { 'x-auth-refresh': '1' }, data: null } },
  })

  await app.http.send({ url: '/mini/x', method: 'GET' })

  expect(app.rights()).toBe(1)
})

it('a cancelled call does not count as a lost connection; a cached answer does', async () => {
  const aborted = aProduct({ answer: { ok: false, error: failure('ABORTED') } })
  const kept = aProduct({ answer: { ok: true, value: { status: 200, headers: {}, data: {}, keptAt: 1 } } })

  await aborted.http.send({ url: '/mini/x', method: 'GET' })
  await kept.http.send({ url: '/mini/x', method: 'GET', keep: true })

  expect([aborted.reached, kept.reached]).toEqual([[], [false]])
})

it('a call that fails while another one is answered does not mean that there is no network', async () => {
  const lost: Outcome<HttpResponse> = { ok: false, error: failure('NETWORK') }
  const app = aProduct()
  let fail = () => {}
  app.now(
    new Promise((resolve) => {
      fail = () => resolve(lost)
    }),
  )
  const list = app.quiet.send({ url: '/mini/contract/list', method: 'POST' })
  app.now(ok({}))
  await app.quiet.send({ url: '/mini/contract/count', method: 'POST' })
  fail()
  await list
  expect(app.reached).toEqual([true])

  app.now(lost)
  await app.quiet.send({ url: '/mini/contract/list', method: 'POST' })
  expect(app.reached).toEqual([true, false])
})

it('a renewed token is passed on together with the token it replaces', async () => {
  const headers = { 'x-auth-token': 'next', 'x-auth-expires': '1795000000000' }
  const app = aProduct({ answer: { ok: true, value: { status: 200, headers, data: {} } } })

  await app.http.send({ url: '/mini/x', method: 'GET' })

  expect(app.renewed).toEqual([['next', 1795000000000, 'secret']])
})

it('an answer of the server tells its time, one that was kept does not', async () => {
  const headers = { date: 'Sat, 28 Nov 2026 01:30:00 GMT' }
  const value = { status: 200, headers, data: { meta: { code: 200 }, data: null } }
  const app = aProduct({ answer: { ok: true, value } })

  await app.http.send({ url: '/mini/x', method: 'GET' })
  app.now({ ok: true, value: { ...value, keptAt: 1 } })
  await app.http.send({ url: '/mini/x', method: 'GET' })

  expect(app.dates).toEqual([headers.date])
})

function aProduct(given: { answer?: Outcome<HttpResponse>; online?: boolean } = {}) {
  const sent: HttpRequest[] = []
  const toasts: string[] = []
  const ended: [string, string | null][] = []
  const reached: boolean[] = []
  const dates: (string | undefined)[] = []
  const renewed: [string, number, string | null][] = []
  const due: string[] = []
  let rights = 0
  let answer: Outcome<HttpResponse> | Promise<Outcome<HttpResponse>> = given.answer ?? ok({})
  const wire: Http = {
    async send(request) {
      sent.push(request)
      return answer
    },
    async upload({ url, headers }) {
      sent.push({ url, method: 'POST', ...(headers ? { headers } : {}) })
      return answer
    },
  }
  const product = createProductHttp({
    http: wire,
    origin: ORIGIN,
    prefixes: ['/mini/', '/engine/'],
    timeoutMs: 10_000,
    token: () => 'secret',
    online: () => given.online ?? reached.at(-1) ?? true,
    headers: { 'X-Device-Id': '1' },
    feedback: {
      toast: ({ text }) => toasts.push(text),
      loading: () => () => {},
      modal: async () => ({ confirm: false }),
      actionSheet: async () => -1,
    },
    text: createText(texts),
    onSessionOver: (message, token) => ended.push([message, token]),
    onRenewed: (...one) => renewed.push(one),
    onPasswordDue: (message) => due.push(message),
    onRightsChanged: () => {
      rights += 1
    },
    onReach: (one) => reached.push(one),
    onDate: (one) => dates.push(one),
  })
  const now = (next: typeof answer) => {
    answer = next
  }
  return { ...product, now, sent, toasts, ended, due, reached, dates, renewed, rights: () => rights }
}

function ok(data: Json): Outcome<HttpResponse> {
  return { ok: true, value: { status: 200, headers: {}, data } }
}

function envelope(code: number, message: string): Outcome<HttpResponse> {
  return ok({ meta: { code, success: code === 200, message, error: null }, data: null })
}
