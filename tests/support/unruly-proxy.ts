import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The fate of one call. `unsent`: it does not reach the server. `unheard`: the server executes it, its answer is lost. */
type Fate = 'well' | 'unsent' | 'unheard' | 'slow' | 'cut'

export interface UnrulyProxy {
  readonly origin: string
  /** How often each fate occurred. */
  readonly dealt: Readonly<Record<Fate, number>>
  close(): Promise<void>
}

const SLOW_MS = { least: 300, more: 1_200 }

/** A proxy between a client and the server at `target`; 5 % of all calls are lost, 5 % slow, 2 % cut in the middle of the answer. */
export async function startUnrulyProxy(target: string, random: () => number): Promise<UnrulyProxy> {
  const dealt = { well: 0, unsent: 0, unheard: 0, slow: 0, cut: 0 }
  const server = createServer((request, response) => {
    const fate = fateOf(random())
    dealt[fate] += 1
    const wait = fate === 'slow' ? SLOW_MS.least + random() * SLOW_MS.more : 0
    if (fate === 'unsent') request.socket.destroy()
    else setTimeout(() => forward(target, request, response, fate), wait)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dealt,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function fateOf(chance: number): Fate {
  if (chance < 0.025) return 'unsent'
  if (chance < 0.05) return 'unheard'
  if (chance < 0.1) return 'slow'
  return chance < 0.12 ? 'cut' : 'well'
}

function forward(target: string, request: IncomingMessage, response: ServerResponse, fate: Fate): void {
  const headers = { ...request.headers, host: new URL(target).host }
  const onward = send(
    new URL(request.url ?? '/', target),
    { method: request.method, headers },
    async (answer) => {
      if (answer.headers['content-type']?.startsWith('text/event-stream')) {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
        response.on('close', () => answer.destroy())
        return
      }
      const parts: Buffer[] = []
      for await (const part of answer) parts.push(part as Buffer)
      const body = Buffer.concat(parts)
      if (fate === 'unheard') {
        response.destroy()
        return
      }
      const { 'transfer-encoding': _, ...kept } = answer.headers
      response.writeHead(answer.statusCode ?? 502, { ...kept, 'content-length': body.length })
      if (fate !== 'cut' || body.length < 2) {
        response.end(body)
        return
      }
      response.write(body.subarray(0, body.length / 2))
      setTimeout(() => response.destroy(), 5)
    },
  )
  onward.on('error', () => response.destroy())
  request.pipe(onward)
}
