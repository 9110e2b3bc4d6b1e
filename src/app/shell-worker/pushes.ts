import type { PushPayload } from '../../contract/push.ts'

/** The message of the worker to an open window after a tap on a notification. */
export interface Tapped {
  readonly told: string
  readonly url: string
}

/** The message of the app to the worker: the subscription, as identified by the server, whose messages are shown here; null for none. */
export interface ListensFor {
  readonly listensFor: string | null
}

interface Notices {
  showNotification(title: string, options: NotificationOptions): Promise<void>
  readonly pushManager: { getSubscription(): Promise<{ unsubscribe(): Promise<boolean> } | null> }
}

interface Window {
  readonly focused?: boolean
  focus(): Promise<unknown>
  postMessage(message: Tapped): void
}

interface Windows {
  matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly Window[]>
  openWindow(url: string): Promise<unknown>
}

interface Badges {
  setAppBadge?(count: number): Promise<void>
}

const ICON = './icon-192.png'

/** Browsers stop a worker between two messages, so its state is stored in a cache of its own. */
const CACHE = 'push'
const PLACE = './listens-for'

/** Stores the subscription of this device. Any other message from a page is ignored. */
export async function handleAppMessage(message: unknown): Promise<void> {
  const to = (message as Partial<ListensFor> | null)?.listensFor
  if (to === null) await caches.delete(CACHE)
  else if (typeof to === 'string') await (await caches.open(CACHE)).put(PLACE, new Response(to))
}

async function listensFor(): Promise<string | null> {
  const cached = await caches.match(PLACE, { cacheName: CACHE })
  return cached === undefined ? null : cached.text()
}

/**
 * Shows a push message while the app may be closed. A message for a user who signed out here without network is not shown, and the device
 * unsubscribes.
 */
export async function showPush(
  text: string,
  notices: Notices,
  windows: Windows,
  badges: Badges,
): Promise<void> {
  const payload = readPayload(text)
  if (payload === null || (await listensFor()) !== payload.to) {
    await (await notices.pushManager.getSubscription())?.unsubscribe()
    return
  }
  await badges.setAppBadge?.(payload.unread).catch(() => undefined)
  const open = await windows.matchAll({ type: 'window', includeUncontrolled: true })
  await notices.showNotification(payload.title, {
    body: payload.content,
    tag: payload.id,
    icon: ICON,
    badge: ICON,
    // A visible app also shows the message itself.
    silent: open.some((one) => one.focused === true),
    data: { told: payload.id, url: payload.url } satisfies Tapped,
  })
}

/** A tap opens the record: in the open window, else in a new one. */
export async function openTapped(tapped: Tapped, windows: Windows): Promise<void> {
  const [open] = await windows.matchAll({ type: 'window', includeUncontrolled: true })
  if (open === undefined) {
    await windows.openWindow(`./?told=${encodeURIComponent(tapped.told)}#${tapped.url}`)
    return
  }
  await open.focus().catch(() => undefined)
  open.postMessage(tapped)
}

function readPayload(text: string): PushPayload | null {
  try {
    const value = JSON.parse(text) as PushPayload
    return typeof value.title === 'string' && typeof value.to === 'string' ? value : null
  } catch {
    return null
  }
}
