import type { PushPayload } from '../../contract/push.ts'

/** What the worker tells an open window when a notice was tapped. */
export interface Tapped {
  readonly told: string
  readonly url: string
}

/** What the app tells the worker: the subscription, as the server names it, whose messages are shown here; null for none. */
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

/** A worker is ended between two messages: what it knows lies in a cache of its own. */
const CACHE = 'push'
const PLACE = './listens-for'

/** Keeps for whom this device listens. Anything else that a page says is none of this. */
export async function hearApp(word: unknown): Promise<void> {
  const to = (word as Partial<ListensFor> | null)?.listensFor
  if (to === null) await caches.delete(CACHE)
  else if (typeof to === 'string') await (await caches.open(CACHE)).put(PLACE, new Response(to))
}

async function listensFor(): Promise<string | null> {
  const kept = await caches.match(PLACE, { cacheName: CACHE })
  return kept === undefined ? null : kept.text()
}

/**
 * Shows a message that came while the app may be closed. One that is meant for somebody who signed out here without network shows
 * nothing of itself, and the device stops listening.
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
    // Whoever looks at the app is told there, too.
    silent: open.some((one) => one.focused === true),
    data: { told: payload.id, url: payload.url } satisfies Tapped,
  })
}

/** A tap leads to the record: in the window that is open, else in a new one. */
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
