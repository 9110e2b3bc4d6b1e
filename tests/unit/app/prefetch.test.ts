import { describe, expect, it } from 'vitest'
import { createPrefetch } from '../../../src/app/pages/prefetch.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const REST_MS = 1_500

describe('what is loaded ahead', () => {
  it('waits until no page has been opened for a while', async () => {
    const app = aPrefetch()

    app.prefetch.moved()
    for (let opened = 0; opened < 5; opened += 1) {
      await app.clock.pass(REST_MS - 1)
      app.prefetch.moved()
    }
    const meanwhile = [...app.done]
    await app.clock.pass(REST_MS)

    expect(meanwhile).toEqual([])
    await expect.poll(() => app.done).toEqual(['views', 'pages', 'pages', 'shell', 'signed in'])
  })

  it('pauses while further pages are opened', async () => {
    const app = aPrefetch({ onFirst: () => app.prefetch.moved() })
    app.prefetch.moved()
    await app.clock.pass(REST_MS)
    await expect.poll(() => app.done).toEqual(['views', 'pages'])

    await app.clock.pass(REST_MS - 1)
    const meanwhile = [...app.done]
    await app.clock.pass(1)

    expect(meanwhile).toEqual(['views', 'pages'])
    await expect.poll(() => app.done).toEqual(['views', 'pages', 'pages', 'shell', 'signed in'])
  })

  it('is loaded once for each user', async () => {
    const app = aPrefetch()
    const all = ['views', 'pages', 'pages', 'shell', 'signed in']
    app.prefetch.moved()
    await app.clock.pass(REST_MS)
    await expect.poll(() => app.done).toEqual(all)

    app.prefetch.moved()
    await app.clock.pass(10 * REST_MS)
    const again = [...app.done]
    app.prefetch.forget()
    app.prefetch.moved()
    await app.clock.pass(REST_MS)

    expect(again).toEqual(all)
    await expect.poll(() => app.done).toEqual([...all, ...all])
  })

  it('is not begun for a user who has left, nor twice for the next one', async () => {
    const app = aPrefetch()
    app.prefetch.moved()
    await app.clock.pass(REST_MS - 1)
    app.prefetch.forget()
    app.prefetch.moved()
    await app.clock.pass(10 * REST_MS)

    await expect.poll(() => app.done).toEqual(['views', 'pages', 'pages', 'shell', 'signed in'])
  })

  it('is only the app itself with the data saver on', async () => {
    const app = aPrefetch({ savesData: true })

    app.prefetch.moved()
    await app.clock.pass(REST_MS)

    await expect.poll(() => app.done).toEqual(['shell', 'signed in'])
  })

  it('is nothing of a user’s before the login', async () => {
    const app = aPrefetch({ token: null })

    app.prefetch.moved()
    await app.clock.pass(10 * REST_MS)

    expect(app.done).toEqual([])
  })
})

interface Options {
  readonly savesData?: boolean
  readonly token?: string | null
  /** When the first part of the pages has been saved. */
  readonly onFirst?: () => void
}

/** Pages come in two parts. */
function aPrefetch({ savesData = false, token = 'token', onFirst = () => {} }: Options = {}) {
  const clock = fakeClock()
  const done: string[] = []
  const note = (what: string) => async () => void done.push(what)
  const prefetch = createPrefetch({
    clock,
    restMs: REST_MS,
    savesData,
    session: { token: () => token },
    registry: { list: () => [] },
    views: {
      prepare() {
        done.push('views')
        return null
      },
    },
    source: {
      async saveAll(rest) {
        for (const after of [onFirst, () => {}]) {
          await rest()
          done.push('pages')
          after()
        }
      },
    },
    cacheShell: note('shell'),
    onSignedIn: () => void done.push('signed in'),
  })
  return { prefetch, clock, done }
}
