import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { openEventStream } from '../../../runtime/net/event-stream.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

it('events are parsed however the answer is split, with comments and line ends', async () => {
  const app = await aStream((response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
    const bytes = Buffer.from('retry: 1000\n: open\n\ndata: {"path":\ndata: "/中"}\r\n\r\ndata: 2\n\n')
    const cuts = [3, 25, 39, 47, 49, bytes.length]
    cuts.forEach((cut, index) => {
      setTimeout(() => response.write(bytes.subarray(cuts[index - 1] ?? 0, cut)), index * 5)
    })
    setTimeout(() => response.end(), 60)
  })

  await app.ended

  expect(app.log).toEqual(['open', '{"path":\n"/中"}', '2', 'end'])
})

it('the given headers are sent', async () => {
  const app = await aStream((response, authorization) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(`data: ${authorization}\n\n`)
  })

  await app.ended

  expect(app.log).toContain('secret')
})

it.each([
  [401, 'text/event-stream'],
  [200, 'text/html'],
])('an answer %i of %s ends the stream without opening it', async (status, type) => {
  const app = await aStream((response) =>
    response.writeHead(status, { 'Content-Type': type }).end('data: 1\n\n'),
  )

  await app.ended

  expect(app.log).toEqual(['end'])
})

it('a stream without bytes does not open, and ends after its timeout', async () => {
  const app = await aStream((response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
  }, 60)

  await app.ended

  expect(app.log).toEqual(['end'])
})

it('a stream ends after too long a silence; comments count as a sign of life', async () => {
  const app = await aStream((response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': open\n\n')
    setTimeout(() => response.write(': beat\n\ndata: 1\n\n'), 120)
  }, 600)

  await app.ended

  expect(app.log).toEqual(['open', '1', 'end'])
})

it('a closed stream reports nothing', async () => {
  const app = await aStream((response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n')
  })
  await expect.poll(() => app.log).toContain('1')

  app.stream.close()
  await new Promise((resolve) => setTimeout(resolve, 30))

  expect(app.log).toEqual(['open', '1'])
})

async function aStream(
  answer: (response: ServerResponse, authorization: string | undefined) => void,
  silenceMs = 5_000,
) {
  const listening = createServer((request, response) => answer(response, request.headers.authorization))
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const log: string[] = []
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const stream = openEventStream({
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`,
    headers: { Authorization: 'secret' },
    silenceMs,
    onOpen: () => log.push('open'),
    onData: (data) => log.push(data),
    onEnd: () => {
      log.push('end')
      end()
    },
  })
  return { log, ended, stream }
}
