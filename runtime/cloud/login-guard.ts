import { ownValue } from '../core/json.ts'
import type { Clock, Navigator, Text } from '../core/ports.ts'
import type { CloudEvents, NeedLogin } from './call-life.ts'
import { codeOf, textOf } from './cloud-error.ts'
import { DATABASE_LOGIN_CODES, loginTextOf, OBJECT_LOGIN_CODES } from './codes.ts'
import type { Listeners } from './listeners.ts'
import { loginUrl, pathOf } from './login-url.ts'
import type { SavedToken } from './saved-token.ts'

/** The router section of the page configuration (PROTOCOL 1.5). */
export interface LoginRules {
  readonly loginPage: string
  /** Patterns of page paths. */
  readonly needLogin?: readonly string[]
  /** Default true: cloud answers with a token code redirect too. */
  readonly resToLogin?: boolean
  /** Flags of single pages by path without a leading slash; they override the patterns. */
  readonly pages?: Readonly<Record<string, boolean>>
  /** Paths of the pages in the tab bar. */
  readonly tabPages?: readonly string[]
}

export interface LoginGuardPorts {
  readonly navigator: Navigator
  readonly clock: Clock
  readonly text: Text
  /** Full path of the visible page with its query; an empty text before the first page. */
  readonly currentPage: () => string
  /** Resolves when the first page is visible; redirects after answers wait for it. Default: immediately. */
  readonly ready?: () => Promise<void>
}

type Fault = Pick<NeedLogin, 'errCode' | 'errMsg'>
type Move = 'open' | 'redirect' | 'relaunch' | 'switchTab'

export interface LoginGuard {
  /** `stop`: the login page opens instead. With a need-login listener the result is always `go`. */
  check(move: Move, url: string): Promise<'go' | 'stop'>
  /** The same for the first page of the app. */
  checkFirst(): Promise<void>
  dispose(): void
}

/** Redirects to login if a page or an answer of the cloud requires it. @throws Error if the login page requires login */
export function createLoginGuard(
  rules: LoginRules,
  ports: LoginGuardPorts,
  token: SavedToken,
  events: Listeners<CloudEvents>,
): LoginGuard {
  const { navigator, clock, text, currentPage } = ports
  const loginPath = pathOf(rules.loginPage, '')
  const patterns = (rules.needLogin ?? []).map((pattern) => new RegExp(pattern))
  const isTab = (path: string) => (rules.tabPages ?? []).some((page) => pathOf(page, '') === path)
  const flags = new Map(Object.entries(rules.pages ?? {}).map(([page, flag]) => [pathOf(page, ''), flag]))
  if (flags.get(loginPath)) throw new Error(`Login page [${rules.loginPage}] should not be "needLogin"`)

  async function tokenFault(): Promise<string | undefined> {
    const saved = await token.read()
    if (!saved.token) return 'uni-id-check-token-failed'
    return saved.tokenExpired < clock.now() ? 'uni-id-token-expired' : undefined
  }

  function needsLogin(url: string): boolean {
    const path = pathOf(url, currentPage())
    return flags.get(path) ?? patterns.some((pattern) => pattern.test(`/${path}`) || pattern.test(path))
  }

  function requestLogin(fault: Fault, uniIdRedirectUrl: string, move: Move): 'go' | 'stop' {
    if (events.has('needLogin')) {
      clock.after(0, () => events.fire('needLogin', { ...fault, uniIdRedirectUrl }))
      return 'go'
    }
    const page = pathOf(currentPage(), '')
    if (page !== loginPath && pathOf(uniIdRedirectUrl, '') !== loginPath) {
      const by = moveToLogin(move)
      clock.after(0, () => navigator[by](loginUrl(rules.loginPage, uniIdRedirectUrl)))
    }
    return 'stop'
  }

  function moveToLogin(move: Move): Move {
    if (isTab(loginPath)) return move === 'open' || move === 'redirect' ? 'switchTab' : move
    return move === 'switchTab' ? 'open' : move
  }

  async function check(move: Move, url: string): Promise<'go' | 'stop'> {
    if (!needsLogin(url)) return 'go'
    const fault = await tokenFault()
    return fault === undefined ? 'go' : requestLogin(faultOf(fault), fullUrl(url, currentPage()), move)
  }

  const faultOf = (errCode: string): Fault => ({ errCode, errMsg: text(loginTextOf(errCode)) })

  async function redirectAfter(fault: Fault): Promise<void> {
    await ports.ready?.()
    const page = currentPage()
    if (page !== '' && pathOf(page, '') !== loginPath) requestLogin(fault, fullUrl(page, page), 'open')
  }

  const stop = events.on('response', ({ type, content }) => {
    const code = codeOf(ownValue(content, 'errCode'))
    const codes = type === 'clientdb' ? DATABASE_LOGIN_CODES : OBJECT_LOGIN_CODES
    if (
      rules.resToLogin === false ||
      type === 'cloudfunction' ||
      typeof code !== 'string' ||
      !codes.has(code)
    )
      return
    const errMsg = textOf(ownValue(content, 'errMsg')) ?? text(loginTextOf(code))
    void redirectAfter({ errCode: code, errMsg })
  })

  return {
    check,
    async checkFirst() {
      await check('redirect', currentPage())
    },
    dispose: stop,
  }
}

function fullUrl(url: string, here: string): string {
  const query = url.indexOf('?')
  return `/${pathOf(url, here)}${query < 0 ? '' : url.slice(query)}`
}
