import fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { openStream, type Stream } from '../../../../src/server/kernel/live/stream.ts'

const app = fastify()
afterEach(() => app.close())

it('ignores events after its end: the process goes on', async () => {
  let stream: Stream | undefined
  app.get('/stream', (_, reply) => {
    stream = openStream(reply, () => undefined)
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const answer = await fetch(`${url}/stream`)
  stream?.send({ kind: 'first' })
  stream?.close()
  stream?.send({ kind: 'too late' })
  stream?.close()

  const told = await answer.text()

  expect(told).toContain('first')
  expect(told).not.toContain('too late')
})
