import { isObject, type Json, valueAt } from '../../../runtime/core/json.ts'
import type { Http, HttpResponse, Outcome } from '../../../runtime/core/ports.ts'
import type { ListensFor } from '../shell-worker/pushes.ts'

/**
 * Whether this device gets push messages. `off`: can be switched on; `refused`: the browser must not ask again; `install`: only after installation on
 * the home screen (iOS); `insecure`: not over http; `none`: unsupported by this browser; `failed`: the browser's push service did not answer.
 */
export type PushState = 'on' | 'off' | 'refused' | 'install' | 'insecure' | 'none' | 'failed'

/** The browser APIs it uses; tests pass their own. */
export interface PushBrowser {
  readonly secure: boolean
  /** Null if the browser has no notifications. */
  readonly permission: (() => NotificationPermission) | null
  readonly requestPermission: () => Promise<NotificationPermission>
  /** The app's worker; null if there is none in time. */
  readonly worker: () => Promise<ServiceWorkerRegistration | null>
  /** An iPhone or iPad that shows the app in the browser instead of installed. */
  readonly wantsInstall: boolean
}

export interface PushDevice {
  /** @param change  `{ on }` to switch; null to read the state */
  answer(change: Json): Promise<Outcome<HttpResponse>>
  /** Sends the current push address of this device to the server: browsers change it. */
  renew(): Promise<void>
  leave(): Promise<void>
}

interface PushParts {
  readonly http: Pick<Http, 'send'>
  /** Whether the user switched on push messages on this device. */
  readonly isKnown: () => boolean
  readonly remember: (isOn: boolean) => void
  readonly browser?: PushBrowser
}

const KEY_URL = '/mini/push/key'
const SUBSCRIBE_URL = '/mini/push/subscribe'
const UNSUBSCRIBE_URL = '/mini/push/unsubscribe'
const WORKER_MS = 10_000

export function createPushDevice({
  http,
  isKnown,
  remember,
  browser = thisBrowser(),
}: PushParts): PushDevice {
  const subscription = async (): Promise<PushSubscription | null> =>
    (await (await browser.worker())?.pushManager?.getSubscription()) ?? null

  async function state(): Promise<PushState> {
    if (!browser.secure) return 'insecure'
    if (browser.permission === null) return browser.wantsInstall ? 'install' : 'none'
    if (browser.permission() === 'denied') return 'refused'
    const isOn = browser.permission() === 'granted' && isKnown()
    return isOn && (await subscription()) !== null ? 'on' : 'off'
  }
  /** No await may come between the tap and the browser's prompt, or some browsers do not show it. */
  async function turnOn(): Promise<PushState> {
    if (browser.permission === null || !browser.secure) return state()
    if ((await browser.requestPermission()) !== 'granted') return state()
    return (await subscribe()) ? 'on' : 'failed'
  }
  async function subscribe(): Promise<boolean> {
    const manager = (await browser.worker())?.pushManager
    const key = await askFor(KEY_URL, 'GET')
    if (manager === undefined || !isObject(key) || typeof key.key !== 'string') return false
    const made = await subscribeTo(manager, key.key).catch((cause: unknown) => console.debug('push', cause))
    const { endpoint, keys } = made?.toJSON() ?? {}
    if (endpoint === undefined || keys === undefined) return false
    const registration = await askFor(SUBSCRIBE_URL, 'POST', {
      endpoint,
      p256dh: keys.p256dh ?? '',
      auth: keys.auth ?? '',
    })
    if (!isObject(registration) || typeof registration.id !== 'string') return false
    await listenFor(registration.id)
    remember(true)
    return true
  }
  /** The app's worker only shows messages of this subscription. */
  async function listenFor(to: string | null): Promise<void> {
    const message: ListensFor = { listensFor: to }
    ;(await browser.worker())?.active?.postMessage(message)
  }
  async function leave(): Promise<void> {
    remember(false)
    await listenFor(null)
    const worker = await browser.worker()
    for (const shown of (await worker?.getNotifications()) ?? []) shown.close()
    await (await worker?.pushManager?.getSubscription())?.unsubscribe()
  }
  async function askFor(
    url: string,
    method: 'GET' | 'POST',
    body?: { [name: string]: Json },
  ): Promise<Json | undefined> {
    const outcome = await http.send({ url, method, ...(body === undefined ? {} : { body }) })
    return outcome.ok ? valueAt(outcome.value.data, 'data') : undefined
  }
  async function change(isOn: boolean): Promise<PushState> {
    if (isOn) return turnOn()
    await askFor(UNSUBSCRIBE_URL, 'POST', {})
    await leave()
    return state()
  }

  return {
    async answer(keyBytes) {
      const now = isObject(keyBytes) ? await change(keyBytes.on === true) : await state()
      return { ok: true, value: { status: 200, headers: {}, data: { state: now } } }
    },
    async renew() {
      if (browser.permission?.() === 'granted') await subscribe()
    },
    leave,
  }
}

/** The existing subscription, unless it was made with another key of the server. */
async function subscribeTo(manager: PushManager, key: string): Promise<PushSubscription> {
  const existing = await manager.getSubscription()
  const keyBytes = bytesOf(key)
  const existingKey = existing?.options.applicationServerKey
  if (existing && existingKey && equal(new Uint8Array(existingKey), keyBytes)) return existing
  await existing?.unsubscribe()
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: keyBytes })
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}

const equal = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

function thisBrowser(): PushBrowser {
  const has = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  const isApple =
    /iPhone|iPad/.test(navigator.userAgent) ||
    (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  return {
    secure: isSecureContext,
    permission: has ? () => Notification.permission : null,
    requestPermission: () => Notification.requestPermission(),
    worker: () =>
      Promise.race([
        navigator.serviceWorker.ready,
        new Promise<null>((resolve) => setTimeout(() => resolve(null), WORKER_MS)),
      ]),
    wantsInstall: isApple && !matchMedia('(display-mode: standalone)').matches,
  }
}
