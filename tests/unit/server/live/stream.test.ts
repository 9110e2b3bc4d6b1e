import { once } from 'node:events'
import { get } from 'node:http'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStream, openStreams, type Stream } from '../../../../src/server/kernel/live/stream.ts'

let app = fastify()
beforeEach(() => {
  app = fastify({ trustProxy: true })
})
afterEach(() => app.close())

/** Serves `/stream` by `handle`. @returns its address */
async function serve(handle: (request: FastifyRequest, reply: FastifyReply) => void): Promise<string> {
  app.get('/stream', handle)
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/stream`
}

it('ignores events after its end, and the process continues', async () => {
  let stream: Stream | undefined
  const url = await serve((_, reply) => {
    stream = openStream(reply, () => undefined)
  })
  const answer = await fetch(url)
  stream?.send({ kind: 'first' })
  stream?.close()
  stream?.send({ kind: 'too late' })
  stream?.close()

  const told = await answer.text()

  expect(told).toContain('first')
  expect(told).not.toContain('too late')
})

it('reports a client that disconnects before the answer, like any other', async () => {
  let closed: () => void
  const end = new Promise<void>((done) => {
    closed = done
  })
  let asked: ReturnType<typeof get>
  const url = await serve(async (_, reply) => {
    asked.destroy()
    await once(reply.raw, 'close')
    openStream(reply, closed)
  })
  asked = get(url).on('error', () => undefined)

  await end

  expect(openStreams()).toBe(0)
})

it('keeps only the address of a request for the log: a token has kilobytes', async () => {
  let kept: FastifyRequest | undefined
  const url = await serve((request, reply) => {
    kept = request
    openStream(reply, () => undefined)
  })
  const leave = new AbortController()
  await fetch(url, {
    signal: leave.signal,
    headers: { authorization: 'a token', 'x-forwarded-for': '203.0.113.7' },
  })

  expect(kept?.headers).toEqual({ 'x-forwarded-for': '203.0.113.7' })
  expect(kept?.raw.rawHeaders).toEqual([])
  expect(kept?.ip).toBe('203.0.113.7')
  leave.abort()
})
