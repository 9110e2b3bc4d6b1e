import { describe, expect, it } from 'vitest'
import { problem } from '../../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Page } from '../../../runtime/core/page/page.ts'
import type { HttpResponse, Outcome } from '../../../runtime/core/ports.ts'
import { createPageSource } from '../../../src/app/pages/page-source.ts'
import { memoryStorage } from '../../support/memory-storage.ts'

const PATH = '/pages/my/about'
const broken = [problem('WIDGET_UNKNOWN', '/widgetList/0', { type: 'inptu', nearest: 'input' })]

describe('a page document', () => {
  it('is requested once for concurrent calls', async () => {
    const app = aSource({ [PATH]: { v: 1 } })

    await Promise.all([app.source.load(PATH), app.source.load(PATH)])

    expect(app.asked).toEqual([`/page?path=${encodeURIComponent(PATH)}`])
    expect(app.shown()).toEqual({ v: 1 })
  })

  it('that changes while it is requested is requested again: the answer on its way may be older', async () => {
    const app = aSource({ [PATH]: { v: 1 } })
    app.slow(100)
    const opened = app.source.load(PATH)
    await expect.poll(() => app.answered).toHaveLength(1)

    app.pages[PATH] = { v: 2 }
    const told = [app.source.changed(PATH), app.source.changed(PATH)]
    await Promise.all([opened, ...told])

    expect(app.shown()).toEqual({ v: 2 })
    expect(app.asked).toHaveLength(2)
  })

  it('that is unchanged notifies no listener', async () => {
    const app = aSource({ [PATH]: { v: 1 } })
    await app.source.load(PATH)
    let calls = 0
    app.source.subscribe(PATH, () => calls++)

    await app.source.load(PATH)

    expect(calls).toBe(0)
  })

  it('is shown from the device at the next start until the server answers', async () => {
    const first = aSource({ [PATH]: { v: 1 } })
    await first.source.load(PATH)
    const second = aSource({ [PATH]: { v: 2 } }, first.storage)
    const seen = second.followed()

    await second.source.load(PATH)

    expect(seen).toEqual([{ v: 1 }, { v: 2 }])
    expect(second.asked).toHaveLength(1)
  })

  it('opens from the device without network', async () => {
    const first = aSource({ [PATH]: { v: 1 } })
    await first.source.load(PATH)
    const second = aSource({}, first.storage)

    await second.source.load(PATH)

    expect([second.shown(), second.source.get(PATH).failure?.code]).toEqual([{ v: 1 }, 'NETWORK'])
  })

  it('that an earlier version saved opens without network, until all are saved one by one', async () => {
    const storage = memoryStorage()
    await storage.set('pages', { owner: 'a:u1', documents: { [PATH]: { v: 1 } } })
    const offline = aSource({}, storage)
    await offline.source.load(PATH)
    const other = aSource({}, storage, 'a:u2')
    await other.source.load(PATH)

    await aSource({ '/pages/p/1': { v: 1 } }, storage).source.saveAll(async () => {})

    expect([offline.shown(), other.shown()]).toEqual([{ v: 1 }, undefined])
    expect(storage.values.get('pages')).not.toHaveProperty('documents')
  })

  it('of another user does not open', async () => {
    const first = aSource({ [PATH]: { v: 1 } })
    await first.source.load(PATH)
    const second = aSource({}, first.storage, 'a:u2')

    await second.source.load(PATH)

    expect(second.shown()).toBeUndefined()
  })

  it('from the device that equals the answer of the server is shown once', async () => {
    const first = aSource({ [PATH]: { v: 1 } })
    await first.source.load(PATH)
    const second = aSource({ [PATH]: { v: 1 } }, first.storage)
    const seen = second.followed()

    await second.source.load(PATH)

    expect(seen).toEqual([{ v: 1 }])
  })

  it('that cannot be loaded leaves the known version visible', async () => {
    const app = aSource({ [PATH]: { v: 1 } })
    await app.source.load(PATH)
    app.pages[PATH] = undefined

    await app.source.load(PATH)

    expect(app.shown()).toEqual({ v: 1 })
    expect(app.source.get(PATH).failure?.code).toBe('NETWORK')
  })

  it('is forgotten when the user changes', async () => {
    const app = aSource({ [PATH]: { v: 1 } })
    await app.source.load(PATH)

    app.source.clear()

    expect(app.shown()).toBeUndefined()
    await expect.poll(() => app.storage.values.size).toBe(0)
  })

  it('requested for the last user is neither shown to the next one nor saved, and requested again if somebody waits', async () => {
    const app = aSource({ [PATH]: { v: 'first' } })
    app.slow(150)
    const before = app.source.load(PATH)
    await expect.poll(() => app.answered).toHaveLength(1)

    app.source.clear()
    app.pages[PATH] = { v: 'next' }
    const seen = app.followed()
    await before

    expect(seen).toEqual([{ v: 'next' }])
    expect([app.asked.length, app.storage.values.get(`page:${PATH}`)]).toEqual([
      2,
      { owner: 'a:u1', document: { v: 'next' } },
    ])
  })

  it('requested for the last user is forgotten if nobody waits, also its failure', async () => {
    const app = aSource({ [PATH]: { v: 1 } })
    app.slow(150)
    app.source.subscribe(PATH, () => {})()
    const before = [app.source.load(PATH), app.source.load('/pages/none')]
    await expect.poll(() => app.answered).toHaveLength(2)

    app.source.clear()
    await Promise.all(before)

    expect([app.shown(), app.source.get('/pages/none').failure, app.asked.length]).toEqual([
      undefined,
      null,
      2,
    ])
    expect(app.storage.values.size).toBe(0)
  })
})

describe('all pages', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`/pages/p/${10 + at}`, { v: at }]))
  const go = async () => {}

  it('are requested a dozen at a time, after a rest each, and open without network', async () => {
    const first = aSource(many)
    let rests = 0
    await first.source.saveAll(async () => {
      rests += 1
    })
    const second = aSource({}, first.storage)

    await second.source.load('/pages/p/10')
    await second.source.load('/pages/p/39')

    expect(first.asked).toEqual([
      '/bundle?limit=12&after=',
      '/bundle?limit=12&after=%2Fpages%2Fp%2F21',
      '/bundle?limit=12&after=%2Fpages%2Fp%2F33',
    ])
    expect(rests).toBe(3)
    expect(['10', '39'].map((at) => second.source.get(`/pages/p/${at}`).page?.document)).toEqual([
      { v: 0 },
      { v: 29 },
    ])
  })

  it('that are all on the device already are not transferred again, and each opens without network', async () => {
    const first = aSource(many)
    await first.source.saveAll(go)
    const second = aSource(many, first.storage)

    await second.source.saveAll(go)

    expect(second.asked).toEqual(['/bundle?limit=12&after='])
    expect(second.answered).toEqual([304])
  })

  it.each([
    ['for another user', () => ({}), 'a:u2'],
    ['after one has changed', () => ({ '/pages/p/20': { v: 'new' } }), 'a:u1'],
  ])('are requested again %s', async (_, changes, owner) => {
    const first = aSource(many)
    await first.source.saveAll(go)
    const second = aSource({ ...many, ...changes() }, first.storage, owner)

    await second.source.saveAll(go)

    expect(second.answered).toEqual([200, 200, 200])
  })

  it('are requested again if one changed while they came', async () => {
    const first = aSource(many)
    await first.source.saveAll(async () => {
      if (first.asked.length === 2) first.pages['/pages/p/10'] = { v: 'new' }
    })
    const second = aSource(first.pages, first.storage)

    await second.source.saveAll(go)

    expect(second.answered).toEqual([200, 200, 200])
  })

  it('are requested again if only some came, or the user signed out meanwhile', async () => {
    const cut = aSource(many)
    await cut.source.saveAll(async () => {
      if (cut.asked.length === 2) cut.goOffline()
    })
    const left = aSource(many)
    await left.source.saveAll(async () => {
      if (left.asked.length === 2) left.source.clear()
    })
    await left.source.load('/pages/p/10')

    const again = [aSource(many, cut.storage), aSource(many, left.storage)]
    for (const { source } of again) await source.saveAll(go)

    expect(again.map(({ answered }) => answered)).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ])
  })

  it('are requested again if the device could not store them', async () => {
    const storage = { ...memoryStorage(), lasting: () => false }
    await aSource(many, storage).source.saveAll(go)
    const second = aSource(many, storage)

    await second.source.saveAll(go)

    expect(second.answered).toEqual([200, 200, 200])
  })

  it('reach one that is being opened', async () => {
    const app = aSource({ [PATH]: { v: 1 } })
    const seen = app.followed()

    await app.source.saveAll(go)
    await app.source.load(PATH)

    expect(seen).toEqual([{ v: 1 }])
  })

  it('of the last user are removed before those of the next one are saved', async () => {
    const app = aSource(many)
    await app.source.saveAll(go)

    app.source.clear()
    await app.source.load('/pages/p/10')

    expect([...app.storage.values.keys()]).toEqual(['page:/pages/p/10'])
  })
})

describe('a broken edit', () => {
  it('keeps the last good version and reports the faults until they are fixed', async () => {
    const app = aSource({ [PATH]: { v: 1 } })
    await app.source.load(PATH)

    app.pages[PATH] = { broken: true }
    await app.source.load(PATH)
    const during = [app.shown(), app.source.get(PATH).problems]
    app.pages[PATH] = { v: 2 }
    await app.source.load(PATH)

    expect(during).toEqual([{ v: 1 }, broken])
    expect([app.shown(), app.source.get(PATH).problems]).toEqual([{ v: 2 }, []])
  })

  it('that the server reported stays until it is fixed, however often the last good version is requested', async () => {
    const app = aSource({ [PATH]: { v: 1 } })
    await app.source.load(PATH)

    app.source.report(PATH, broken)
    await app.source.load(PATH)
    app.pages[PATH] = { v: 2 }
    await app.source.load(PATH)
    const during = app.source.get(PATH)
    app.source.report(PATH, [])

    expect(during).toMatchObject({ page: { document: { v: 2 } }, problems: broken })
    expect(app.source.get(PATH)).toMatchObject({ page: { document: { v: 2 } }, problems: [] })
  })

  it('that the server reported is forgotten when the stream restarts, and the page is notified', async () => {
    const app = aSource({ [PATH]: { v: 1 } })
    await app.source.load(PATH)
    app.source.report(PATH, broken)
    let told = 0
    app.source.subscribe(PATH, () => {
      told += 1
    })

    app.source.forgetReports()

    expect([app.source.get(PATH).problems, told]).toEqual([[], 1])
  })

  it('of a page that nobody has opened is known from the server’s refusal', async () => {
    const app = aSource({
      [PATH]: {
        refused: {
          path: PATH,
          problems: [
            { code: 'WIDGET_UNKNOWN', at: '', message: '没有这种组件', hint: '', file: 'schemas/x.json' },
          ],
        },
      },
    })

    await app.source.load(PATH)

    expect(app.source.get(PATH)).toMatchObject({
      page: null,
      failure: null,
      problems: [{ file: 'schemas/x.json' }],
    })
  })
})

describe('a page that opens again', () => {
  it.each([
    ['heard of every change since, within a minute: is not asked for', 0, 59_999, 1],
    ['after a minute: is', 0, 60_000, 2],
    ['with the stream opened after the answer was asked for: is', 1_001, 2_000, 2],
    ['without a stream: is', null, 2_000, 2],
  ])('sends a request only if needed: %s', async (_, heardSince, later, times) => {
    const app = aSource({ [PATH]: { v: 1 } })
    app.moment.now = 1_000
    await app.source.freshen(PATH)

    app.moment.heardSince = heardSince
    app.moment.now += later
    await app.source.freshen(PATH)

    expect(app.asked).toHaveLength(times)
  })

  it('is requested after a failure, and for another user', async () => {
    const app = aSource({})
    app.moment.heardSince = 0
    await app.source.freshen(PATH)
    app.pages[PATH] = { v: 1 }
    await app.source.freshen(PATH)
    app.source.clear()
    await app.source.freshen(PATH)

    expect(app.asked).toHaveLength(3)
  })
})

/** A source of these pages, as the server at `/page` and `/bundle` has them. */
function aSource(given: Record<string, Json | undefined>, storage = memoryStorage(), owner = 'a:u1') {
  const asked: string[] = []
  const answered: (number | undefined)[] = []
  const pages = { ...given }
  let isOnline = true
  let transferMs = 0
  const moment: { now: number; heardSince: number | null } = { now: 0, heardSince: null }
  const bundle = (url: string, known: string | undefined): Outcome<HttpResponse> => {
    const etag = JSON.stringify(pages)
    if (known === etag)
      return { ok: false, error: { code: 'HTTP_STATUS', message: '', status: 304, data: null } }
    const query = new URL(url, 'http://x').searchParams
    const rest = Object.entries(pages).filter(([path]) => path > (query.get('after') ?? ''))
    const part = rest.slice(0, Number(query.get('limit')))
    const next = part.length < rest.length ? (part.at(-1)?.[0] ?? null) : null
    const data = { pages: Object.fromEntries(part) as JsonObject, next }
    return { ok: true, value: { status: 200, headers: { etag }, data } }
  }
  const source = createPageSource({
    now: () => moment.now,
    heardSince: () => moment.heardSince,
    storage,
    owner: () => owner,
    url: '/page',
    bundleUrl: '/bundle',
    timeoutMs: 60_000,
    http: {
      send: async ({ url, headers }) => {
        asked.push(url)
        await new Promise((later) => setTimeout(later))
        const outcome = !isOnline
          ? answer(undefined)
          : url.startsWith('/bundle')
            ? bundle(url, headers?.['If-None-Match'])
            : answer(pages[new URL(url, 'http://x').searchParams.get('path') ?? ''])
        answered.push(outcome.ok ? outcome.value.status : outcome.error.status)
        await new Promise((later) => setTimeout(later, transferMs))
        return outcome
      },
      upload: async () => ({ ok: false, error: { code: 'NETWORK', message: '' } }),
    },
    parse: (document) =>
      isObject(document) && document.broken
        ? { page: null, problems: broken }
        : { page: { document } as unknown as Page, problems: [] },
  })
  const shown = () => source.get(PATH).page?.document as unknown
  return {
    source,
    asked,
    answered,
    pages,
    moment,
    storage,
    shown,
    /** Each version that a page shows which opens now. */
    followed() {
      const seen: unknown[] = []
      source.subscribe(PATH, () => seen.push(shown()))
      return seen
    },
    /** Answers take this long from the server to the phone. */
    slow(ms: number) {
      transferMs = ms
    },
    goOffline() {
      isOnline = false
    },
  }
}

function answer(page: Json | undefined): Outcome<HttpResponse> {
  if (page === undefined) return { ok: false, error: { code: 'NETWORK', message: '' } }
  if (isObject(page) && page.refused) {
    return { ok: false, error: { code: 'REFUSED', message: '', status: 404, data: page.refused } }
  }
  return { ok: true, value: { status: 200, headers: {}, data: page } }
}
