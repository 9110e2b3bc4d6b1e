import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { handleAppMessage, openTapped, showPush } from '../../../src/app/shell-worker/pushes.ts'
import type { PushPayload } from '../../../src/contract/push.ts'

const PAYLOAD: PushPayload = {
  id: 'm1',
  to: 's1',
  category: 'customer',
  title: '有新的客户分配给你',
  content: '周晓燕将 1 个客户分配给你：华信软件',
  url: '/pages/customer/my/detail?id=c1',
  unread: 4,
}

/** The parts of CacheStorage that the worker uses. */
function someCaches() {
  const kept = new Map<string, Map<string, Response>>()
  return {
    async open(name: string) {
      const cache = kept.get(name) ?? new Map<string, Response>()
      kept.set(name, cache)
      return { put: async (place: string, what: Response) => void cache.set(place, what) }
    },
    delete: async (name: string) => kept.delete(name),
    match: async (place: string, { cacheName }: { cacheName: string }) =>
      kept.get(cacheName)?.get(place)?.clone(),
  }
}

let unsubscribed = 0
let shown: [string, NotificationOptions][] = []
const notices = {
  showNotification: async (title: string, options: NotificationOptions) => void shown.push([title, options]),
  pushManager: { getSubscription: async () => ({ unsubscribe: async () => ++unsubscribed > 0 }) },
}
const windows = (...open: { focused?: boolean }[]) => {
  const done: unknown[] = []
  return {
    done,
    matchAll: async () =>
      open.map((one) => ({
        ...one,
        focus: async () => void done.push('focus'),
        postMessage: (message: unknown) => void done.push(message),
      })),
    openWindow: async (url: string) => void done.push(url),
  }
}

beforeEach(() => {
  vi.stubGlobal('caches', someCaches())
  unsubscribed = 0
  shown = []
})
afterEach(() => void vi.unstubAllGlobals())

describe('a push message while the app is closed', () => {
  it('is shown with its text, and counted on the icon', async () => {
    const counts: number[] = []
    await handleAppMessage({ listensFor: 's1' })
    await showPush(JSON.stringify(PAYLOAD), notices, windows(), {
      setAppBadge: async (n) => void counts.push(n),
    })

    expect(shown).toMatchObject([[PAYLOAD.title, { body: PAYLOAD.content, tag: 'm1', silent: false }]])
    expect(counts).toEqual([4])
  })

  it('is silent if the app is visible', async () => {
    await handleAppMessage({ listensFor: 's1' })
    await showPush(JSON.stringify(PAYLOAD), notices, windows({ focused: true }), {})

    expect(shown[0]?.[1].silent).toBe(true)
  })

  it.each([
    [
      'somebody who signed out here, even without network',
      [{ listensFor: 's1' }, { listensFor: null }],
      JSON.stringify(PAYLOAD),
    ],
    ['another subscription', [{ listensFor: 's1' }, { listensFor: 's2' }], JSON.stringify(PAYLOAD)],
    ['nobody', [{ hello: 'worker' }, null], JSON.stringify(PAYLOAD)],
    ['us, but cannot be read', [{ listensFor: 's1' }], 'x'],
  ])('is not shown if it is for %s, and the device unsubscribes', async (_, word, text) => {
    for (const said of word) await handleAppMessage(said)
    await showPush(text, notices, windows(), {})

    expect(shown).toEqual([])
    expect(unsubscribed).toBe(1)
  })
})

describe('a tap on a push message', () => {
  const tapped = { told: 'm1', url: '/pages/customer/my/detail?id=c1' }

  it('opens the record in the open window', async () => {
    const open = windows({}, {})
    await openTapped(tapped, open)

    expect(open.done).toEqual(['focus', tapped])
  })

  it('opens the app at the record if it is closed', async () => {
    const closed = windows()
    await openTapped(tapped, closed)

    expect(closed.done).toEqual(['./?told=m1#/pages/customer/my/detail?id=c1'])
  })
})
