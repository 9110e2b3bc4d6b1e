import { type ClientRequest, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const LIMIT = 5 * 1024 * 1024
const EDGE = 'edge123'
const HEAD = `--${EDGE}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`
const TAIL = `\r\n--${EDGE}--\r\n`

let server: TestApp
let demo: Client
let port: number
beforeAll(async () => {
  server = await openTestApp()
  demo = await server.as('demo')
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server.close())

describe('an upload over a socket', () => {
  it('of exactly 5 MiB is stored completely', async () => {
    const { meta, data } = await upload([HEAD, Buffer.alloc(LIMIT, 'a'), TAIL])

    expect([meta?.code, data?.size]).toEqual([200, LIMIT])
  })

  it.each([1, 100, 1024, 65_536, 100_000, 1_000_000, 5_000_000])(
    'that is %i bytes longer is refused, however it is split into pieces',
    async (more) => {
      const content = Buffer.alloc(LIMIT + more, 'a')

      const whole = await upload([HEAD, content, TAIL], true)
      const pieces = await upload([HEAD, ...cut(content, 61_111), TAIL])
      const atTheEdge = await upload([HEAD, content.subarray(0, LIMIT), content.subarray(LIMIT), TAIL])

      for (const answer of [whole, pieces, atTheEdge])
        expect(answer.meta).toMatchObject({ code: 413, message: '文件不能超过 5MB' })
    },
  )

  it('of 300 MB in chunks is not read to its end', async () => {
    const sent = { bytes: 0 }

    const answer = await upload(endless(HEAD, 300 * 1024 * 1024, sent)).catch(() => null)

    expect(sent.bytes).toBeLessThan(48 * 1024 * 1024)
    if (answer !== null) expect(answer.meta?.code).toBe(413)
  })

  it('that hides its length before the first part or in unexpected parts is not read to its end', async () => {
    const field = `--${EDGE}\r\ncontent-disposition: form-data; name="x"\r\n\r\n`
    for (const head of ['', field, `--${EDGE}\r\ncontent-type: text/plain\r\n\r\n`]) {
      const sent = { bytes: 0 }

      await upload(endless(head, 100 * 1024 * 1024, sent)).catch(() => null)

      expect(sent.bytes).toBeLessThan(48 * 1024 * 1024)
    }
  })

  it.each([
    ['ends before its last edge', [HEAD, 'abc']],
    ['ends within the head of its part', [HEAD.slice(0, -20)]],
    ['has no form in it', ['abc']],
    ['is empty', []],
  ])('that %s is refused with its cause, not as a fault of the server', async (_, pieces) => {
    const { meta } = await upload(pieces, true)

    expect(meta).toMatchObject({ code: 400, error: { type: 'VALIDATION' } })
  })

  it('leaves the connection and the server usable', async () => {
    await upload([HEAD, Buffer.alloc(LIMIT + 9), TAIL])

    expect((await upload([HEAD, 'fine', TAIL])).meta?.code).toBe(200)
  })
})

describe('a body that is not needed', () => {
  it('is not received to its end: not for an upload without a session, not for an unexpected form', async () => {
    for (const path of ['/engine/web/file/upload', '/mini/login/validate', '/mini/no/such/route']) {
      const sent = { bytes: 0 }

      await upload(endless(HEAD, 100 * 1024 * 1024, sent), false, path, '').catch(() => null)

      expect(sent.bytes).toBeLessThan(48 * 1024 * 1024)
    }
  })

  it('does not cost its sender the answer if it is short', async () => {
    const answer = await upload([HEAD, Buffer.alloc(2_000_000), TAIL], false, '/engine/web/file/upload', '')

    expect(answer.meta?.code).toBe(401)
  })
})

type Piece = string | Buffer

/** The server's answer to a form that is sent in pieces, with a content length or chunked. */
function upload(
  pieces: Iterable<Piece>,
  saysLength = false,
  path = '/engine/web/file/upload',
  token = demo.token,
): Promise<{ meta?: { code: number; message: string }; data?: { size: number } }> {
  const body = saysLength ? [...pieces] : pieces
  const length = saysLength ? [...body].reduce((sum, piece) => sum + Buffer.byteLength(piece), 0) : undefined
  return new Promise((resolve, reject) => {
    const call = request({
      port,
      path,
      method: 'POST',
      headers: {
        'content-type': `multipart/form-data; boundary=${EDGE}`,
        ...(token === '' ? {} : { authorization: token }),
        ...(length === undefined ? {} : { 'content-length': length }),
      },
    })
    let isOver = false
    call.on('error', (error) => {
      isOver = true
      reject(error)
    })
    call.on('close', () => {
      isOver = true
    })
    call.on('response', (response) => {
      let text = ''
      response.on('data', (part: Buffer) => {
        text += part.toString()
      })
      response.on('end', () => resolve(JSON.parse(text)))
      response.on('error', reject)
    })
    const send = async (): Promise<void> => {
      for (const piece of body) {
        if (isOver) return
        if (!call.write(piece)) await roomIn(call)
      }
      call.end()
    }
    send().catch(reject)
  })
}

/** Waits until it accepts more, or has ended. */
const roomIn = (call: ClientRequest): Promise<void> =>
  new Promise((done) => {
    const go = (): void => {
      call.off('drain', go).off('close', go)
      done()
    }
    call.on('drain', go).on('close', go)
  })

const cut = (content: Buffer, length: number): Buffer[] =>
  Array.from({ length: Math.ceil(content.length / length) }, (_, n) =>
    content.subarray(n * length, (n + 1) * length),
  )

/** Counts the requested bytes. */
function* endless(head: string, most: number, sent: { bytes: number }): Generator<Piece> {
  if (head !== '') yield head
  const block = Buffer.alloc(1024 * 1024, 'a')
  while (sent.bytes < most) {
    sent.bytes += block.length
    yield block
  }
  yield TAIL
}
