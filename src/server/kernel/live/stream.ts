import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Json } from '../../../../runtime/core/json.ts'

/** Interval of the comment that keeps silent connections open through proxies. */
const HEARTBEAT_S = 25
/** A slow reader must not fill our memory: beyond this many waiting bytes the stream is closed, and the client reconnects. */
const WAITING_MAX = 1024 * 1024

/** A server-sent event stream to one client. */
export interface Stream {
  /** @param id  sent back by a client that lost the stream, as `Last-Event-ID` */
  send(data: Json, id?: string): void
  close(): void
}

/** The open streams by the second of their heartbeat, in equal parts: one timer for all, which never writes to many at once. */
const seconds = Array.from({ length: HEARTBEAT_S }, () => new Set<ServerResponse>())
let open = 0
let opened = 0
let second = 0
let timer: NodeJS.Timeout | undefined

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
  // On their own: together with the first text they would stay in memory in pieces, twice as large.
  raw.flushHeaders()
  dropHeaders(reply.request)
  // An error without a listener would end the process.
  raw.on('error', ignore)
  write(raw, 'retry: 1000\n: open\n\n')
  const stop = keepAlive(raw)
  const end = (): void => {
    stop()
    closed()
  }
  // A client that left before the answer is not reported again.
  if (raw.destroyed) process.nextTick(end)
  else raw.on('close', end)
  return {
    send: (data, id) =>
      write(raw, `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`),
    close: () => raw.end(),
  }
}

const ignore = (): void => undefined

/** Node keeps a request's headers as long as its answer, and a token has kilobytes. The address given by a proxy is for the log. */
function dropHeaders({ raw }: FastifyRequest): void {
  const { 'x-forwarded-for': address } = raw.headers
  raw.headers = address === undefined ? {} : { 'x-forwarded-for': address }
  raw.rawHeaders = []
}

function write(raw: ServerResponse, text: string): void {
  if (raw.writableEnded || raw.destroyed) return
  raw.write(text)
  if (raw.writableLength > WAITING_MAX) raw.destroy()
}

/** Sends heartbeats until the returned function is called. */
function keepAlive(raw: ServerResponse): () => void {
  const mine = seconds[opened % HEARTBEAT_S]
  mine?.add(raw)
  opened += 1
  open += 1
  timer ??= setInterval(beat, 1000)
  return () => {
    mine?.delete(raw)
    open -= 1
    if (open > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function beat(): void {
  second = (second + 1) % HEARTBEAT_S
  for (const raw of seconds[second] ?? []) write(raw, ': beat\n\n')
}
