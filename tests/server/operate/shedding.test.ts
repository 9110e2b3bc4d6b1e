import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/server/kernel/db/id.ts'
import { DEMO } from '../images.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'

describe('a burst of calls', () => {
  let server: TestApp
  let demo: Client
  beforeAll(async () => {
    server = await openTestApp({ SHEDDING: 'on' }, DEMO)
    demo = await server.as('demo')
  })
  afterAll(() => server.close())
  const list = () => demo.post('/mini/customer/list', {})
  const write = () =>
    demo.post('/mini/follow/create', {
      clientToken: newId(),
      targetType: 'customer',
      targetId: 'none',
      content: 'x',
    })

  it('is answered within capacity; other calls are told at once when to retry, reads before writes', async () => {
    const begun = Date.now()
    const at: number[] = []
    const timed = (call: Promise<Answer>) =>
      call.then((answer) => {
        if (answer.status === 503) at.push(Date.now() - begun)
        return answer
      })
    const reads = Array.from({ length: 300 }, () => timed(list()))
    const writes = Array.from({ length: 12 }, () => timed(write()))
    const [read, wrote] = [await Promise.all(reads), await Promise.all(writes)]

    const away = read.filter(({ status }) => status === 503)
    expect(read.filter(({ meta }) => meta.code === 200).length).toBeGreaterThan(30)
    expect(away.length).toBeGreaterThan(100)
    expect(away[0]?.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' })
    expect(away[0]?.meta).toMatchObject({ code: 503, success: false, error: { type: 'UNAVAILABLE' } })
    expect(away[0]?.data).toEqual({ retryAfter: 2 })
    expect(Math.max(...at)).toBeLessThan(1_000)
    expect(wrote.filter(({ status }) => status === 503)).toEqual([])
    expect((await list()).meta.code).toBe(200)
    expect((await server.app.inject('/healthz')).statusCode).toBe(200)
  })

  it('cannot be caused by callers who never send their bodies', async () => {
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.app.server.address() as AddressInfo
    const head =
      'POST /mini/customer/list HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{'
    const idle = Array.from({ length: 60 }, () =>
      connect(port, '127.0.0.1', function (this: { write(text: string): void }) {
        this.write(head)
      }),
    )
    await expect.poll(async () => (await list()).status, { interval: 100 }).toBe(200)
    await new Promise((done) => setTimeout(done, 300))

    const answers = await Promise.all(Array.from({ length: 20 }, list))

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    for (const socket of idle) socket.destroy()
  })
})
