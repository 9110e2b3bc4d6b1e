import { isObject, type Json, valueAt } from '../../../runtime/core/json.ts'

/** The browser's badge API; most browsers only have it in installed apps. */
interface Badges {
  readonly setAppBadge?: (count: number) => Promise<void>
  readonly clearAppBadge?: () => Promise<void>
}

/** The number of unread messages, as counted by the server. */
export function unreadIn(user: Json): number {
  const total = valueAt(user, 'unread.total')
  return typeof total === 'number' && total > 0 ? total : 0
}

/** The number of waiting items behind a page, as counted by the server. */
export function waitingIn(user: Json, path: string): number {
  const pages = valueAt(user, 'unread.pages')
  const count = isObject(pages) ? pages[path] : 0
  return typeof count === 'number' && count > 0 ? count : 0
}

/** Shows a count on the app's icon, nothing for 0. Does nothing if unsupported. */
export function showBadge(count: number, badges: Badges = navigator): void {
  const done = count > 0 ? badges.setAppBadge?.(count) : badges.clearAppBadge?.()
  // Rejects if the app is not installed.
  void done?.catch(() => undefined)
}
