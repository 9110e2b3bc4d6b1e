import { describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { createPushDevice, type PushBrowser } from '../../../src/app/messages/push.ts'
import { linkPush } from '../../../src/app/messages/push-link.ts'
import { createTypedStorage } from '../../../src/app/storage/typed-storage.ts'

const KEY = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]).toString('base64url')
const OTHER_KEY = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 9)]).toString('base64url')

/** A browser with at most one subscription, which records its calls. */
function aBrowser(more: Partial<PushBrowser> & { answer?: NotificationPermission; refuses?: boolean } = {}) {
  const asked: string[] = []
  const told: unknown[] = []
  let permission: NotificationPermission = 'default'
  let key: Uint8Array | null = null
  const subscription = () => ({
    options: { applicationServerKey: key?.buffer },
    toJSON: () => ({ endpoint: 'https://push.example/a', keys: { p256dh: 'P', auth: 'A' } }),
    async unsubscribe() {
      asked.push('unsubscribe')
      key = null
      return true
    },
  })
  const worker = {
    active: { postMessage: (word: unknown) => told.push(word) },
    getNotifications: async () => [{ close: () => asked.push('close') }],
    pushManager: {
      getSubscription: async () => (key === null ? null : subscription()),
      async subscribe({ applicationServerKey }: { applicationServerKey: Uint8Array }) {
        if (more.refuses) throw new Error('push service error')
        asked.push('subscribe')
        key = applicationServerKey
        return subscription()
      },
    },
  }
  const browser: PushBrowser = {
    secure: true,
    permission: () => permission,
    async requestPermission() {
      asked.push('ask')
      permission = more.answer ?? 'granted'
      return permission
    },
    worker: async () => worker as unknown as ServiceWorkerRegistration,
    wantsInstall: false,
    ...more,
  }
  return {
    browser,
    asked,
    told,
    setPermission: (next: NotificationPermission) => {
      permission = next
    },
  }
}

function aDevice(parts: ReturnType<typeof aBrowser>, serverKey: { now: string } = { now: KEY }) {
  let known = false
  const calls: [string, Json | undefined][] = []
  const device = createPushDevice({
    browser: parts.browser,
    isKnown: () => known,
    remember: (isOn) => {
      known = isOn
    },
    http: {
      async send({ url, body }) {
        calls.push([url, body as Json])
        const data = url.endsWith('key') ? { key: serverKey.now } : { id: 's1' }
        return { ok: true, value: { status: 200, headers: {}, data: { data } } }
      },
    },
  })
  const stateOf = async (change: Json = null) => {
    const outcome = await device.answer(change)
    return outcome.ok ? (outcome.value.data as { state: string }).state : 'no answer'
  }
  return { device, calls, stateOf }
}

describe('push messages to a device', () => {
  it('are requested only by a tap, and arrive once the server has the subscription', async () => {
    const parts = aBrowser()
    const { stateOf, calls } = aDevice(parts)
    const before = await stateOf()
    expect(parts.asked).toEqual([])
    const after = await stateOf({ on: true })

    expect([before, after, await stateOf()]).toEqual(['off', 'on', 'on'])
    expect(parts.asked).toEqual(['ask', 'subscribe'])
    expect(calls).toContainEqual([
      '/mini/push/subscribe',
      { endpoint: 'https://push.example/a', p256dh: 'P', auth: 'A' },
    ])
    expect(parts.told).toEqual([{ listensFor: 's1' }])
  })

  it('name what prevents them', async () => {
    const states = [
      aBrowser({ secure: false }),
      aBrowser({ permission: null }),
      aBrowser({ permission: null, wantsInstall: true }),
      aBrowser({ answer: 'denied' }),
      aBrowser({ refuses: true }),
      aBrowser({ worker: async () => null }),
    ].map((parts) => aDevice(parts).stateOf({ on: true }))

    expect(await Promise.all(states)).toEqual(['insecure', 'none', 'install', 'refused', 'failed', 'failed'])
  })

  it('stop by a tap, and visible notifications are closed', async () => {
    const parts = aBrowser()
    const { stateOf, calls } = aDevice(parts)
    await stateOf({ on: true })

    expect(await stateOf({ on: false })).toBe('off')
    expect(parts.asked.slice(2)).toEqual(['close', 'unsubscribe'])
    expect(parts.told.at(-1)).toEqual({ listensFor: null })
    expect(calls.at(-1)?.[0]).toBe('/mini/push/unsubscribe')
  })

  it('resubscribe when the server has new keys, without asking again', async () => {
    const parts = aBrowser()
    const key = { now: KEY }
    const { device, stateOf, calls } = aDevice(parts, key)
    await stateOf({ on: true })
    await device.renew()
    key.now = OTHER_KEY
    await device.renew()

    expect(parts.asked).toEqual(['ask', 'subscribe', 'unsubscribe', 'subscribe'])
    expect(calls.filter(([url]) => url.endsWith('/subscribe'))).toHaveLength(3)
    parts.setPermission('denied')
    await device.renew()
    expect(calls.filter(([url]) => url.endsWith('/subscribe'))).toHaveLength(3)
  })
})

describe('a tap on a notification', () => {
  const linked = (told: string | null = null) => {
    const kept = new Map<string, string>()
    const heard: ((event: { data: unknown }) => void)[] = []
    const sent: [string, unknown][] = []
    const opened: string[] = []
    const link = linkPush({
      storage: createTypedStorage({
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: (key) => void kept.delete(key),
      }),
      owner: () => 't:u',
      readUrl: '/read',
      http: {
        async send({ url, body }) {
          sent.push([url, body])
          return { ok: true, value: { status: 200, headers: {}, data: null } }
        },
      },
      open: (url) => opened.push(url),
      worker: { addEventListener: (_: string, listener: unknown) => heard.push(listener as never) } as never,
      takeMessageId: () => told,
    })
    return { link, sent, opened, say: (data: unknown) => heard[0]?.({ data }) }
  }

  it('opens the record and marks the message as read', () => {
    const { say, sent, opened } = linked()
    say({ told: 'm1', url: '/pages/a?id=1' })
    say({ something: 'else' })
    say(null)

    expect(opened).toEqual(['/pages/a?id=1'])
    expect(sent).toEqual([['/read', { ids: ['m1'] }]])
  })

  it('marks the message as read even if the tap opened the app', () => {
    const { link, sent } = linked('m2')
    link.signedIn()

    expect(sent).toEqual([['/read', { ids: ['m2'] }]])
  })

  it('follows only the app’s own addresses', () => {
    const { link } = linked()

    expect(link.answer({ url: '/mini/push/key' })).toBeNull()
    expect(link.answer({ url: 'local:/pushes' })).toBeNull()
  })
})
