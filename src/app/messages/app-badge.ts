import { isObject, type Json, valueAt } from '../../../runtime/core/json.ts'

/** What a browser offers of the number on the app's icon; most have it only once the app is installed. */
interface Badges {
  readonly setAppBadge?: (count: number) => Promise<void>
  readonly clearAppBadge?: () => Promise<void>
}

/** How many messages are unread, as the server counts them. */
export function unreadIn(user: Json): number {
  const total = valueAt(user, 'unread.total')
  return typeof total === 'number' && total > 0 ? total : 0
}

/** How much waits behind a page, as the server counts it. */
export function waitingIn(user: Json, path: string): number {
  const pages = valueAt(user, 'unread.pages')
  const count = isObject(pages) ? pages[path] : 0
  return typeof count === 'number' && count > 0 ? count : 0
}

/** Shows a count on the app's icon, nothing for 0; where that is not supported nothing happens. */
export function showBadge(count: number, badges: Badges = navigator): void {
  const done = count > 0 ? badges.setAppBadge?.(count) : badges.clearAppBadge?.()
  // A browser that refuses has no icon to write on.
  void done?.catch(() => undefined)
}
