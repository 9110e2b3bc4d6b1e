import { describe, expect, it } from 'vitest'
import { problem } from '../../../runtime/core/errors.ts'
import { isObject, type Json } from '../../../runtime/core/json.ts'
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

  it('that is unchanged notifies no listener', async () => {
    const app = aSource({ [PATH]: { v: 1 } })
    await app.source.load(PATH)
    let calls = 0
    app.source.subscribe(PATH, () => calls++)

    await app.source.load(PATH)

    expect(calls).toBe(0)
  })

  it('opens from the device at the next start', async () => {
    const first = aSource({ [PATH]: { v: 1 } })
    await first.source.load(PATH)

    const second = aSource({}, first.storage)
    await second.source.restore()

    expect(second.shown()).toEqual({ v: 1 })
    expect(second.asked).toEqual([])
  })

  it('of another user does not open', async () => {
    const first = aSource({ [PATH]: { v: 1 } })
    await first.source.load(PATH)

    const second = aSource({}, first.storage, 'a:u2')
    await second.source.restore()

    expect(second.shown()).toBeUndefined()
  })

  it('that arrives in the batch reaches a page that is opening; an equal answer changes nothing', async () => {
    const app = aSource({ [PATH]: { v: 1 } })
    const seen: unknown[] = []
    app.source.get(PATH)
    app.source.subscribe(PATH, () => seen.push(app.shown()))

    await app.source.loadAll()
    await app.source.load(PATH)

    expect(seen).toEqual([{ v: 1 }])
  })

  it('from the device reaches waiting callers; an equal answer of the server changes nothing', async () => {
    const first = aSource({ [PATH]: { v: 1 } })
    await first.source.load(PATH)
    const second = aSource({ [PATH]: { v: 1 } }, first.storage)
    const seen: unknown[] = []
    second.source.get(PATH)
    second.source.subscribe(PATH, () => seen.push(second.shown()))

    await second.source.restore()
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
    expect(app.storage.values.size).toBe(0)
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

function aSource(given: Record<string, Json | undefined>, storage = memoryStorage(), owner = 'a:u1') {
  const asked: string[] = []
  const pages = { ...given }
  const moment: { now: number; heardSince: number | null } = { now: 0, heardSince: null }
  const source = createPageSource({
    now: () => moment.now,
    heardSince: () => moment.heardSince,
    storage,
    owner: () => owner,
    url: '/page',
    bundleUrl: '/bundle',
    timeoutMs: 60_000,
    http: {
      send: async ({ url }) => {
        asked.push(url)
        if (url === '/bundle') return answer({ pages: { ...pages } as Json })
        return answer(pages[new URL(url, 'http://x').searchParams.get('path') ?? ''])
      },
      upload: async () => ({ ok: false, error: { code: 'NETWORK', message: '' } }),
    },
    parse: (document) =>
      isObject(document) && document.broken
        ? { page: null, problems: broken }
        : { page: { document } as unknown as Page, problems: [] },
  })
  return { source, asked, pages, moment, storage, shown: () => source.get(PATH).page?.document as unknown }
}

function answer(page: Json | undefined): Outcome<HttpResponse> {
  if (page === undefined) return { ok: false, error: { code: 'NETWORK', message: '' } }
  if (isObject(page) && page.refused) {
    return { ok: false, error: { code: 'REFUSED', message: '', status: 404, data: page.refused } }
  }
  return { ok: true, value: { status: 200, headers: {}, data: page } }
}
