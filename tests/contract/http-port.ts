import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Http, HttpMethod, HttpRequest } from '../../runtime/core/ports.ts'

/** Requirements of every Http port, tested against a listening server. */
export function httpPortContract(name: string, open: () => Http): void {
  describe(`the Http port, ${name}`, () => {
    let server: Server
    let seen: { readonly path: string; readonly method: string; readonly body: string }[] = []
    beforeAll(async () => {
      server = createServer((request, response) => {
        const path = request.url ?? ''
        let body = ''
        request.on('data', (part) => {
          body += part
        })
        request.on('end', () => {
          seen.push({ path, method: request.method ?? '', body })
          const status = /^\/status\/(\d+)/.exec(path)?.[1]
          if (path === '/silent') return
          if (path === '/gone') response.destroy()
          else if (path === '/text') response.end('<html>')
          else if (path === '/empty') response.writeHead(204).end()
          else if (status !== undefined) response.writeHead(Number(status)).end('{"why":"坏了"}')
          else response.writeHead(200, { 'X-Note': 'a' }).end('{"a":[1,null,"中"]}')
        })
      })
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    })
    afterAll(() => {
      server.closeAllConnections()
      server.close()
    })
    const ask = (path: string, rest: Partial<HttpRequest> = {}) => {
      seen = []
      const { port } = server.address() as AddressInfo
      return open().send({ url: `http://127.0.0.1:${port}${path}`, method: 'GET', ...rest })
    }

    it('returns JSON as data, with its status and lower-case header names', async () => {
      const outcome = await ask('/')
      expect(outcome).toMatchObject({ ok: true, value: { status: 200, data: { a: [1, null, '中'] } } })
      expect(outcome.ok && outcome.value.headers['x-note']).toBe('a')
    })

    it('returns anything but JSON as text, and an empty body as empty', async () => {
      expect(await ask('/text')).toMatchObject({ ok: true, value: { data: '<html>' } })
      expect(await ask('/empty')).toMatchObject({ ok: true, value: { status: 204 } })
    })

    it.each<HttpMethod>(['POST', 'PUT', 'PATCH', 'DELETE'])(
      'sends the body of a %s as JSON',
      async (method) => {
        expect((await ask('/', { method, body: { a: '中' } })).ok).toBe(true)
        expect(seen).toEqual([{ path: '/', method, body: '{"a":"中"}' }])
      },
    )

    it.each([400, 403, 404, 409, 500])('returns %i as a failure that keeps the answer', async (status) => {
      const outcome = await ask(`/status/${status}`, { method: 'POST' })
      expect(outcome).toMatchObject({
        ok: false,
        error: { code: 'HTTP_STATUS', status, data: { why: '坏了' } },
      })
    })

    it('returns a lost connection as a failure, never as an exception', async () => {
      expect(await ask('/gone', { method: 'POST' })).toMatchObject({ ok: false, error: { code: 'NETWORK' } })
    })

    it('gives up after its timeout', async () => {
      const outcome = await ask('/silent', { method: 'POST', timeoutMs: 60 })
      expect(outcome).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } })
    })

    it('gives up when it is cancelled, before or during the call', async () => {
      const early = new AbortController()
      early.abort()
      const before = await ask('/silent', { method: 'POST', signal: early.signal })
      expect(before).toMatchObject({ ok: false, error: { code: 'ABORTED' } })

      const later = new AbortController()
      const pending = ask('/silent', { method: 'POST', signal: later.signal })
      later.abort()
      expect(await pending).toMatchObject({ ok: false, error: { code: 'ABORTED' } })
    })

    it('sends a write without a token once, whatever happens', async () => {
      await ask('/gone', { method: 'POST', body: {} })
      expect(seen).toHaveLength(1)
    })

    it('answers each of several concurrent calls with its own answer', async () => {
      const { port } = server.address() as AddressInfo
      const http = open()
      const outcomes = await Promise.all(
        [404, 200, 500, 200].map((status) =>
          http.send({ url: `http://127.0.0.1:${port}/status/${status}`, method: 'POST' }),
        ),
      )
      expect(outcomes.map((one) => (one.ok ? one.value.status : one.error.status))).toEqual([
        404, 200, 500, 200,
      ])
    })
  })
}
