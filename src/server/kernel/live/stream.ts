import type { FastifyReply } from 'fastify'
import type { Json } from '../../../../runtime/core/json.ts'

/** Interval of the comment that keeps silent connections open through proxies. */
const HEARTBEAT_MS = 25_000
/** A slow reader must not fill our memory: beyond this many waiting bytes the stream is closed, and the client reconnects. */
const WAITING_MAX = 1024 * 1024

/** A server-sent event stream to one client. */
export interface Stream {
  /** @param id  sent back by a client that lost the stream, as `Last-Event-ID` */
  send(data: Json, id?: string): void
  close(): void
}

let open = 0

/** Open streams of this process. */
export const openStreams = (): number => open

/** Takes over the reply. Headers set so far (such as the policy) are sent with it. */
export function openStream(reply: FastifyReply, closed: () => void): Stream {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  // It may have been closed before the answer; an error without a listener would end the process.
  raw.on('error', () => undefined)
  const write = (text: string): void => {
    if (raw.writableEnded || raw.destroyed) return
    raw.write(text)
    if (raw.writableLength > WAITING_MAX) raw.destroy()
  }
  write('retry: 1000\n: open\n\n')
  const heartbeat = setInterval(() => write(': beat\n\n'), HEARTBEAT_MS)
  open += 1
  raw.on('close', () => {
    open -= 1
    clearInterval(heartbeat)
    closed()
  })
  return {
    send: (data, id) => write(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`),
    close: () => raw.end(),
  }
}
