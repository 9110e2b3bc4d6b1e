import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createProxyServer } from 'http-proxy-3'

/** A proxy before several servers as in production: calls go to the servers in turn, without affinity. */
export interface Balancer {
  readonly url: string
  /** Adds a server; while it does not answer it is skipped. */
  add(server: string): Promise<void>
  remove(server: string): Promise<void>
  close(): Promise<void>
}

/** Pause in milliseconds before a server that refused a connection is tried again. */
const REST_MS = 1_000

/**
 * A load balancer without affinity on 127.0.0.1. If the connection was refused, the call goes to the next server; if it broke off later, the answer
 * is 502, because the call may have been processed. A client's own `X-Forwarded-For` is replaced.
 *
 * @param path  prefix of the servers' paths, like `/crm`; '' for none
 */
export async function startBalancer(path = ''): Promise<Balancer> {
  const servers = new Set<string>()
  const resting = new Map<string, number>()
  const proxy = createProxyServer({ xfwd: false })
  // If the server of a running answer dies, the answer is aborted, so that a stream's reader notices.
  proxy.on('proxyRes', (answer, _request, response) => {
    answer.once('close', () => {
      if (!answer.complete) response.destroy()
    })
  })
  let turn = 0

  const nextOf = (tried: ReadonlySet<string>): string | undefined => {
    const now = performance.now()
    const untried = [...servers].filter((one) => !tried.has(one))
    const awake = untried.filter((one) => (resting.get(one) ?? 0) < now)
    turn += 1
    const among = awake.length > 0 ? awake : untried
    return among[turn % Math.max(1, among.length)]
  }

  const forward = (
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    tried: Set<string>,
  ): void => {
    const target = nextOf(tried)
    if (target === undefined) return void response.writeHead(503, { 'retry-after': '1' }).end()
    tried.add(target)
    proxy.web(request, response, { target, buffer: Readable.from([body]) }, (error) => {
      if ('code' in error && error.code === 'ECONNREFUSED') {
        resting.set(target, performance.now() + REST_MS)
        return forward(request, response, body, tried)
      }
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end()
    })
  }

  const server = createServer(async (request, response) => {
    const url = request.url ?? '/'
    if (!url.startsWith(`${path}/`)) return void response.writeHead(404).end()
    request.url = url.slice(path.length)
    request.headers['x-forwarded-for'] = request.socket.remoteAddress
    request.headers['x-forwarded-proto'] = 'https'
    const parts: Buffer[] = []
    try {
      for await (const part of request) parts.push(part as Buffer)
    } catch {
      return
    }
    forward(request, response, Buffer.concat(parts), new Set())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    add: async (server) => void servers.add(server),
    remove: async (server) => void servers.delete(server),
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
