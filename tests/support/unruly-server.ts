import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../../runtime/core/json.ts'
import { type Fault, sendAnswer } from './cloud-server/answer.ts'

/** A request as received. */
interface Arrived {
  readonly method: string
  readonly path: string
  readonly token: string | undefined
}

/** A server on loopback that answers as configured; everything else is an empty success. */
export interface UnrulyServer {
  readonly origin: string
  readonly seen: readonly Arrived[]
  /** From now on, requests to `path` (ignoring the query) get this answer. */
  answer(path: string, data: Json, status?: number): void
  spoil(path: string, fault: Fault): void
  reset(): void
  close(): Promise<void>
}

const SUCCESS = { meta: { code: 200, success: true, message: '', error: {} }, data: {} }

export async function startUnrulyServer(): Promise<UnrulyServer> {
  const seen: Arrived[] = []
  const faults = new Map<string, Fault>()
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    seen.push({ method: request.method ?? '', path, token: request.headers.authorization })
    void drain(request).then(() => sendAnswer(response, { data: SUCCESS }, faults.get(path)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer: (path, data, status = 200) => void faults.set(path, { kind: 'answer', answer: { status, data } }),
    spoil: (path, fault) => void faults.set(path, fault),
    reset() {
      seen.splice(0)
      faults.clear()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function drain(request: IncomingMessage): Promise<void> {
  for await (const _ of request) void _
}
