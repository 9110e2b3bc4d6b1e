import { describe, expect, it } from 'vitest'
import { failure } from '../../../runtime/core/errors.ts'
import type { Json } from '../../../runtime/core/json.ts'
import type { HttpRequest, HttpResponse, Outcome } from '../../../runtime/core/ports.ts'
import { createCachedHttp } from '../../../src/app/offline/cached-http.ts'
import type { CachedAnswer } from '../../../src/app/offline/offline-database.ts'

const LIST: HttpRequest = { url: '/mini/list', method: 'POST', body: { tab: 'all' }, keep: true }

describe('a read that may be cached', () => {
  it('is answered from the cache, with its age, while the server is unreachable', async () => {
    const app = aDevice()
    await app.http.send(LIST)

    app.answer = { ok: false, error: failure('NETWORK') }
    const outcome = await app.http.send(LIST)

    expect(outcome).toEqual({
      ok: true,
      value: { status: 200, headers: {}, data: { meta: { code: 200 }, data: 1 }, keptAt: 7 },
    })
  })

  it('sends nothing while the device reports that it is offline', async () => {
    const app = aDevice()
    await app.http.send(LIST)

    app.online = false
    await app.http.send(LIST)

    expect(app.sent).toHaveLength(1)
  })

  it('never hides a refusal, and never caches one', async () => {
    const app = aDevice()
    app.answer = good({ meta: { code: 405 }, data: null })
    await app.http.send(LIST)

    app.answer = { ok: false, error: failure('TIMEOUT') }

    expect(await app.http.send(LIST)).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } })
  })
})

it.each<[string, Partial<HttpRequest>]>([
  ['a write', { keep: false }],
  ['another question', { body: { tab: 'mine' } }],
])('is not answered from the cache: %s', async (_, other) => {
  const app = aDevice()
  await app.http.send(LIST)

  app.answer = { ok: false, error: failure('NETWORK') }

  expect((await app.http.send({ ...LIST, ...other })).ok).toBe(false)
})

it('is not cached while nobody is signed in', async () => {
  const app = aDevice()
  app.signIn = null
  await app.http.send(LIST)

  expect(app.kept.size).toBe(0)
})

const good = (data: Json): Outcome<HttpResponse> => ({
  ok: true,
  value: { status: 200, headers: { a: 'b' }, data },
})

function aDevice() {
  const kept = new Map<string, CachedAnswer>()
  const app = {
    kept,
    sent: [] as HttpRequest[],
    online: true,
    signIn: 's1' as string | null,
    answer: good({ meta: { code: 200 }, data: 1 }),
  }
  const http = createCachedHttp({
    online: () => app.online,
    later: (task) => task(),
    http: {
      send: async (request) => {
        app.sent.push(request)
        return app.answer
      },
      upload: async () => app.answer,
    },
    answers: {
      keyOf: ({ url, body }) => (app.signIn === null ? null : `${app.signIn} ${url} ${JSON.stringify(body)}`),
      read: async (key) => kept.get(key),
      write: async (key, data) => void kept.set(key, { key, at: 7, data }),
      all: async () => [],
      clear: async () => kept.clear(),
    },
  })
  return Object.assign(app, { http })
}
