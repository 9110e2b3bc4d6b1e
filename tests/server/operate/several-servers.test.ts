import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserClock } from '../../../runtime/browser/clock.ts'
import { openEventStream } from '../../../runtime/net/event-stream.ts'
import { openReconnectingStream } from '../../../src/app/net/reconnecting-stream.ts'
import { type ServerCluster, startServerCluster } from '../../../src/tools/load/servers.ts'
import { torture } from '../../../src/tools/load/torture.ts'
import { long } from '../../support/long.ts'
import { buildServer } from '../platform/built-server.ts'

/** Three processes on one PostgreSQL, behind a proxy that sends each call to another of them. */
let main: string
let servers: ServerCluster
beforeAll(async () => {
  main = await buildServer()
  servers = await startServerCluster({ main, count: 3, env: { RATE_LIMITS: 'on', HOME_CACHE: 'on' } })
}, 180_000)
afterAll(async () => {
  await servers?.end()
  await rm(dirname(main), { recursive: true, force: true })
})

type Told = { meta: { code: number; error?: { type: string } }; data: Record<string, unknown> }
async function ask(path: string, body: object | null, token = '', base = servers.url()): Promise<Told> {
  const answer = await fetch(base + path, {
    method: body === null ? 'GET' : 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Told
}
const signIn = (account: string, more: object = {}) =>
  ask('/mini/login/validate', {
    account,
    password: 'Crm@2026',
    agree: true,
    deviceId: `several-${account}`,
    ...more,
  })
const tokenOf = async (account: string): Promise<string> => String((await signIn(account)).data.token)

describe('three servers behind a proxy', () => {
  it('serve one user in turn: writes are visible on the next server, including figures of home', async () => {
    const token = await tokenOf('zhaolei')
    const numbers = async () =>
      JSON.stringify((await ask('/mini/home/overview', null, token)).data.statistics)
    const before = [await numbers(), await numbers(), await numbers()]
    const made = await ask(
      '/mini/customer/create',
      { name: '三台服务器的客户', clientToken: 'several-1' },
      token,
    )
    const again = await ask(
      '/mini/customer/create',
      { name: '三台服务器的客户', clientToken: 'several-1' },
      token,
    )
    const seen = await Promise.all(
      servers.urls().map((url) => ask(`/mini/customer/detail?id=${made.data.id}`, null, token, url)),
    )
    const after = await Promise.all(
      servers
        .urls()
        .map(async (url) =>
          JSON.stringify((await ask('/mini/home/overview', null, token, url)).data.statistics),
        ),
    )

    expect(new Set(before).size).toBe(1)
    expect(made.meta.code).toBe(200)
    expect(again.data.id).toBe(made.data.id)
    expect(seen.map(({ meta }) => meta.code)).toEqual([200, 200, 200])
    expect(new Set(after).size).toBe(1)
    expect(after[0]).not.toBe(before[0])
  })

  it('count password guesses together, whatever address the client claims', async () => {
    const guess = (n: number) =>
      fetch(`${servers.url()}/mini/login/validate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `6.6.6.${n}` },
        body: JSON.stringify({
          account: 'guessed',
          password: String(n),
          agree: true,
          deviceId: `guess-${n}`,
        }),
      }).then(async (answer) => ((await answer.json()) as Told).meta.code)
    const codes: number[] = []
    for (let n = 0; n < 11; n += 1) codes.push(await guess(n))
    const asked = [codes.slice(0, 10).includes(429), codes[10]]

    expect(asked).toEqual([false, 429])
  })

  it('share captchas, failures and sessions', async () => {
    const fail = () => signIn('lina', { password: 'wrong' })
    for (let n = 0; n < 3; n += 1) await fail()
    const plain = await signIn('lina')
    const captchas = await Promise.all(
      servers.urls().map((url) => ask('/mini/login/captcha?deviceId=several-lina', null, '', url)),
    )
    const token = await tokenOf('manager')
    const open = () =>
      Promise.all(
        servers.urls().map(async (url) => (await ask('/mini/user/detail', null, token, url)).meta.code),
      )
    const before = await open()
    await ask('/mini/login/logout', {}, token)
    await pause(300)

    expect(plain.meta.error?.type).toMatch(/CAPTCHA/)
    expect(captchas.map(({ meta }) => meta.code)).toEqual([200, 200, 200])
    expect(before).toEqual([200, 200, 200])
    expect(await open()).toEqual([401, 401, 401])
  })

  it(
    'lose no acknowledged write when they and their database are killed one after another; streams are back within 3 s',
    long,
    async () => {
      const quiet = await tokenOf('director')
      let begun = performance.now()
      const backMs: number[] = []
      const stream = openReconnectingStream({
        clock: browserClock,
        open: (handlers) =>
          openEventStream({
            url: `${servers.url()}/mini/message/stream`,
            headers: { Authorization: quiet },
            ...handlers,
          }),
        onOpen: (afterGap) => {
          if (afterGap) backMs.push(performance.now() - begun)
        },
        onData: () => undefined,
        onEnd: () => {
          begun = performance.now()
        },
      })
      const {
        acknowledged,
        longestMs,
        backMs: writes,
        ...wrong
      } = await torture({
        servers,
        // Each of the three servers, whichever has the stream, and then the database.
        rounds: 4,
        databaseEvery: 4,
        print: () => undefined,
      }).finally(() => stream.stop())

      expect(wrong).toEqual({ lost: [], twice: [], refused: [] })
      expect(writes).toHaveLength(4)
      expect(acknowledged).toBeGreaterThan(10)
      expect(backMs.length).toBeGreaterThan(0)
      expect(Math.max(...backMs)).toBeLessThan(3_000)
      expect(longestMs).toBeLessThan(30_000)
    },
  )
})
