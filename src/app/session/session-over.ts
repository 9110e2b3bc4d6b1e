import type { Clock, Feedback } from '../../../runtime/core/ports.ts'
import { formatPlace, type Place, parsePlace, type RouteTable } from '../navigation/routes.ts'

export interface SessionOverOptions {
  readonly clock: Clock
  readonly feedback: Feedback
  readonly delayMs: number
  readonly loginPath: string
  readonly token: () => string | null
  /** False while another tab's session lies where ours was: that one is not over. */
  readonly isOurs: () => boolean
  readonly clear: () => void
  /** The url in sight. */
  readonly url: () => string
  readonly relaunch: (url: string) => Promise<void>
  /** Nobody is signed in any more: menus and everything else of the person are removed. */
  readonly forgetPerson: () => void
}

/**
 * What happens when the server ends the session: clear, message, and after `delayMs` login, which leads back to where one was
 * (SHELL 4). Many calls that fail at once lead there once; the late answer of an older session leads nowhere.
 */
export function createSessionOver(
  options: SessionOverOptions,
): (message: string, token: string | null) => void {
  let pending = false
  return (message, token) => {
    if (pending || !options.isOurs()) return
    if (token !== null && options.token() !== null && token !== options.token()) return
    pending = true
    options.clear()
    options.feedback.toast({ text: message })
    options.clock.after(options.delayMs, async () => {
      pending = false
      const back = options.url()
      if (!back.startsWith(options.loginPath)) await options.relaunch(loginUrl(options.loginPath, back))
      if (options.token() === null) options.forgetPerson()
    })
  }
}

/** Login with the way back. */
export function loginUrl(loginPath: string, back: string): string {
  return back === '/' ? loginPath : `${loginPath}?redirect=${encodeURIComponent(back)}`
}

interface LoginGuardOptions {
  readonly routes: RouteTable
  readonly loginPath: string
  readonly passwordPath: string
  readonly token: () => string | null
  /** The password is one that an administrator gave. */
  readonly mustChangePassword: () => boolean
}

/**
 * Login in the place of a page that needs a session, when there is none; it leads back to that page (SHELL 4). A way back that a
 * crafted link brought along is kept only when it is one of our own routes. Whoever has yet to change the password is led there from
 * everywhere: the server answers nothing else.
 */
export function guardLogin(options: LoginGuardOptions): (place: Place) => Place | null {
  const { routes, loginPath, passwordPath, token } = options
  return (place) => {
    if (place.path === loginPath)
      return [place.query.redirect, place.query.uniIdRedirectUrl].every((url) => isOwn(routes, url))
        ? null
        : { path: loginPath, query: {} }
    if (routes.find(place.path)?.needLogin !== true) return null
    if (token() !== null)
      return options.mustChangePassword() && place.path !== passwordPath
        ? { path: passwordPath, query: {} }
        : null
    const back = formatPlace(place)
    return { path: loginPath, query: back === '/' ? {} : { redirect: back } }
  }
}

function isOwn(routes: RouteTable, url: string | undefined): boolean {
  if (url === undefined) return true
  const place = parsePlace(url)
  return place !== null && routes.find(place.path) !== undefined
}
