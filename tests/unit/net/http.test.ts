import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttp } from '../../../runtime/net/http.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void
let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

describe('a request', () => {
  it('returns JSON data with lower-case header names', async () => {
    const { url } = await listen((_, response) => {
      response.writeHead(200, { 'X-Auth-Refresh': '1' }).end('{"a":1}')
    })

    const outcome = await createHttp().send({ url, method: 'GET' })

    expect(outcome).toMatchObject({
      ok: true,
      value: { status: 200, data: { a: 1 }, headers: { 'x-auth-refresh': '1' } },
    })
  })

  it('sends a body as JSON unless the headers name another type', async () => {
    const { url, seen } = await listen((_, response) => response.end())

    await createHttp().send({ url, method: 'POST', body: { a: '中' } })
    await createHttp().send({
      url,
      method: 'POST',
      body: { a: '中 1', b: null },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

    expect(seen.map((one) => [one.type, one.body])).toEqual([
      ['application/json', '{"a":"中"}'],
      ['application/x-www-form-urlencoded', 'a=%E4%B8%AD+1&b='],
    ])
  })

  it('returns a body that is not JSON as text', async () => {
    const { url } = await listen((_, response) => response.end('<html>'))

    const outcome = await createHttp().send({ url, method: 'GET' })

    expect(outcome).toMatchObject({ ok: true, value: { data: '<html>' } })
  })

  it.each([400, 404, 500])('returns %i as a failure with status and data', async (status) => {
    const { url } = await listen((_, response) => response.writeHead(status).end('{"error":"坏了"}'))

    const outcome = await createHttp().send({ url, method: 'POST' })

    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'HTTP_STATUS', status, data: { error: '坏了' } },
    })
  })

  it('reports a timeout with code 5', async () => {
    const { url } = await listen(() => {})

    const outcome = await createHttp().send({ url, method: 'POST', timeoutMs: 50 })

    expect(outcome).toMatchObject({ ok: false, error: { code: 'TIMEOUT', status: 5, message: 'timeout' } })
  })

  it('reports an abort with code 600003', async () => {
    const { url } = await listen(() => {})
    const controller = new AbortController()

    const pending = createHttp().send({ url, method: 'POST', signal: controller.signal })
    controller.abort()

    expect(await pending).toMatchObject({ ok: false, error: { code: 'ABORTED', status: 600003 } })
  })

  it('reports a truncated answer as a network error', async () => {
    const { url } = await listen((_, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('{"a":')
      setTimeout(() => response.destroy(), 20)
    })

    const outcome = await createHttp().send({ url, method: 'POST' })

    expect(outcome).toMatchObject({ ok: false, error: { code: 'NETWORK', status: 5 } })
  })

  it('follows no redirect with a token', async () => {
    const { url, seen } = await listen((request, response) => {
      if (request.url === '/away') response.end('{}')
      else response.writeHead(302, { Location: '/away' }).end()
    })

    const outcome = await createHttp({ retryDelayMs: 1 }).send({
      url,
      method: 'GET',
      headers: { Authorization: 'secret' },
    })

    expect(outcome).toMatchObject({ ok: false, error: { code: 'NETWORK' } })
    expect(seen.every((one) => one.path !== '/away')).toBe(true)
  })
})

describe('retries', () => {
  it.each([
    ['a GET', { method: 'GET' as const }],
    ['a write with a clientToken', { method: 'POST' as const, body: { clientToken: 'x' } }],
  ])('repeat %s after a lost connection', async (_, request) => {
    const { url, seen } = await listen((incoming, response) => {
      if (seen.length < 3) incoming.socket.destroy()
      else response.end('{"ok":true}')
    })

    const outcome = await createHttp({ retryDelayMs: 1 }).send({ url, ...request })

    expect(outcome).toMatchObject({ ok: true, value: { data: { ok: true } } })
    expect(seen.length).toBe(3)
  })

  it('follow the request of an overloaded server', async () => {
    const times: number[] = []
    const { url } = await listen((_, response) => {
      times.push(Date.now())
      if (times.length === 1) response.writeHead(503, { 'Retry-After': '1' }).end('{}')
      else response.end('{"ok":true}')
    })

    const outcome = await createHttp({ retryDelayMs: 1 }).send({ url, method: 'GET' })

    expect(outcome).toMatchObject({ ok: true, value: { data: { ok: true } } })
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(980)
  })

  it('do not wait for a long delay: a full disk is reported at once', async () => {
    let asked = 0
    const { url } = await listen((_, response) => {
      asked += 1
      response.writeHead(503, { 'Retry-After': '30' }).end('{}')
    })

    const outcome = await createHttp({ retryDelayMs: 1 }).send({ url, method: 'GET' })

    expect(outcome).toMatchObject({ ok: false, error: { status: 503 } })
    expect(asked).toBe(1)
  })

  it('never repeat a write without a clientToken', async () => {
    const { url, seen } = await listen((incoming) => incoming.socket.destroy())

    const outcome = await createHttp({ retryDelayMs: 1 }).send({ url, method: 'POST', body: { a: 1 } })

    expect(outcome).toMatchObject({ ok: false, error: { code: 'NETWORK' } })
    expect(seen.length).toBe(1)
  })

  it('stop at the timeout', async () => {
    const { url, seen } = await listen((incoming) => incoming.socket.destroy())

    const outcome = await createHttp({ retryDelayMs: 200 }).send({ url, method: 'GET', timeoutMs: 100 })

    expect(outcome).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } })
    expect(seen.length).toBe(1)
  })

  it('end at once if they are cancelled while waiting', async () => {
    const { url, seen } = await listen((incoming) => incoming.socket.destroy())
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 100)
    const from = Date.now()

    const outcome = await createHttp({ retryDelayMs: 20_000 }).send({
      url,
      method: 'GET',
      signal: controller.signal,
    })

    expect(outcome).toMatchObject({ ok: false, error: { code: 'ABORTED', status: 600003 } })
    expect(Date.now() - from).toBeLessThan(5_000)
    expect(seen.length).toBe(1)
  })

  it('do not apply to business statuses', async () => {
    const { url, seen } = await listen((_, response) => response.writeHead(500).end())

    await createHttp({ retryDelayMs: 1 }).send({ url, method: 'GET' })

    expect(seen.length).toBe(1)
  })
})

async function listen(handler: Handler) {
  const seen: { path: string; type: string | undefined; body: string }[] = []
  server = createServer((request, response) => {
    let body = ''
    const entry = { path: request.url ?? '', type: request.headers['content-type'], body: '' }
    seen.push(entry)
    request.on('data', (part) => {
      body += part
    })
    request.on('error', () => {})
    request.on('end', () => {
      entry.body = body
      handler(request, response, body)
    })
  })
  const listening = server
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/x`, seen }
}
