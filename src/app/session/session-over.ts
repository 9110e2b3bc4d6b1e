import type { Clock, Feedback, Text } from '../../../runtime/core/ports.ts'
import { formatPlace, type Place, parsePlace, type RouteTable } from '../navigation/routes.ts'

export interface SessionOverOptions {
  readonly clock: Clock
  readonly feedback: Feedback
  readonly text: Text
  /** Whether something was typed that is kept as a draft. */
  readonly hasDrafts: () => boolean
  readonly delayMs: number
  readonly loginPath: string
  readonly token: () => string | null
  /** False if another tab's session has replaced ours: that one is not over. */
  readonly isOurs: () => boolean
  readonly clear: () => void
  /** The visible url. */
  readonly url: () => string
  readonly relaunch: (url: string) => Promise<void>
  /** Removes the signed-in person, with menus and all other data about them. */
  readonly forgetPerson: () => void
}

/** Duration of the longer message. */
const KEPT_MS = 5_000

/**
 * Handles the end of the session by the server: clears it, shows a message, and opens login after `delayMs`, which leads back to the current page
 * (SHELL 4). Several calls that fail together open it once; late answers of an older session are ignored.
 */
export function createSessionOver(
  options: SessionOverOptions,
): (message: string, token: string | null) => void {
  let pending = false
  return (message, token) => {
    if (pending || !options.isOurs()) return
    if (token !== null && options.token() !== null && token !== options.token()) return
    pending = true
    const isKept = options.hasDrafts()
    options.clear()
    options.feedback.toast(
      isKept ? { text: options.text('login.kept', { message }), durationMs: KEPT_MS } : { text: message },
    )
    options.clock.after(options.delayMs, async () => {
      pending = false
      const back = options.url()
      if (!back.startsWith(options.loginPath)) await options.relaunch(loginUrl(options.loginPath, back))
      if (options.token() === null) options.forgetPerson()
    })
  }
}

/** The url of login with the page to return to. */
export function loginUrl(loginPath: string, back: string): string {
  return back === '/' ? loginPath : `${loginPath}?redirect=${encodeURIComponent(back)}`
}

interface LoginGuardOptions {
  readonly routes: RouteTable
  readonly loginPath: string
  readonly passwordPath: string
  readonly homePath: string
  readonly token: () => string | null
  /** An administrator set the password. */
  readonly mustChangePassword: () => boolean
  /** True once after another person has signed in. */
  readonly startsAtHome: () => boolean
}

/**
 * Shows login instead of a page that needs a session, and leads back to that page (SHELL 4). A return page in a crafted link is only accepted if it
 * is one of our own routes, and for another person than the one who left it, home is shown instead. Users who must change their password are led there from every page, because the server refuses everything else.
 */
export function guardLogin(options: LoginGuardOptions): (place: Place) => Place | null {
  const { routes, loginPath, passwordPath, homePath, token } = options
  return (place) => {
    if (place.path === loginPath)
      return [place.query.redirect, place.query.uniIdRedirectUrl].every((url) => isOwn(routes, url))
        ? null
        : { path: loginPath, query: {} }
    if (routes.find(place.path)?.needLogin !== true) return null
    const insteadOf = (path: string) => (place.path === path ? null : { path, query: {} })
    if (token() !== null) {
      if (options.mustChangePassword()) return insteadOf(passwordPath)
      return options.startsAtHome() ? insteadOf(homePath) : null
    }
    const back = formatPlace(place)
    return { path: loginPath, query: back === '/' ? {} : { redirect: back } }
  }
}

function isOwn(routes: RouteTable, url: string | undefined): boolean {
  if (url === undefined) return true
  const place = parsePlace(url)
  return place !== null && routes.find(place.path) !== undefined
}
