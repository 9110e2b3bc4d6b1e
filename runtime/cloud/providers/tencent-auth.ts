import { type Json, type JsonObject, ownValue } from '../../core/json.ts'
import { CloudError, codeOf, textOf } from '../cloud-error.ts'
import { createListeners } from '../listeners.ts'
import type { ProviderTools } from '../provider.ts'
import { singleFlight } from '../single-flight.ts'
import type { TencentSpace } from '../space.ts'
import { ANONYMOUS, type AnonymousAccess } from './tencent-anonymous.ts'
import type { TencentStore } from './tencent-store.ts'
import { checkWebAnswer, type WebCall } from './tencent-web.ts'

/** Events of provider 2's login (PROTOCOL 2.2). */
export interface TencentEvents {
  loginStateChanged: undefined
  loginStateExpire: undefined
  loginTypeChanged: { readonly loginType: string }
  anonymousConverted: { readonly env: string }
  refreshAccessToken: undefined
}

/** Login of provider 2. */
export interface TencentAuth {
  signInAnonymously(): Promise<Json>
  /** Signs in with a ticket from the author's own server. */
  signInWithTicket(ticket: string): Promise<void>
  /** Links the anonymous user's data to a custom login. */
  convertAnonymous(ticket: string): Promise<void>
  /** @throws CloudError INVALID_OPERATION for an anonymous user */
  signOut(): Promise<void>
  /** The token for calls: from the refresh token if there is one, else anonymous. */
  accessToken(): Promise<string>
  /** The same after a call with `used` was refused. */
  renew(used: string): Promise<string>
  on<E extends keyof TencentEvents>(event: E, listener: (payload: TencentEvents[E]) => void): () => void
}

const LOGIN_OVER = new Set<unknown>(['SIGN_PARAM_INVALID', 'REFRESH_TOKEN_EXPIRED', 'INVALID_REFRESH_TOKEN'])
/** Maximum number of new refresh tokens to follow, so that a server that always returns another one cannot cause an endless loop. */
const MAX_REFRESHES = 3

export function createTencentAuth(
  space: TencentSpace,
  tools: ProviderTools,
  store: TencentStore,
  anonymous: AnonymousAccess,
  web: WebCall,
): TencentAuth {
  const { clock, text, log } = tools.ports
  const events = createListeners<TencentEvents>(log)

  async function signInAnonymously(): Promise<Json> {
    await anonymous.token()
    await changeLogin(ANONYMOUS)
    // The user info is only stored: the login is valid without it.
    return anonymous.userInfo().catch((error: unknown) => {
      log('warn', `the anonymous user's record could not be read: ${String(error)}`)
      return null
    })
  }

  async function changeLogin(loginType: string): Promise<void> {
    await store.set('login_type', loginType)
    events.fire('loginStateChanged', undefined)
    events.fire('loginTypeChanged', { loginType })
  }

  async function refresh(attempts: number): Promise<string> {
    await store.remove('access_token', 'access_token_expire')
    const refreshToken = await store.get('refresh_token')
    if (refreshToken === undefined) throw new CloudError({ message: text('cloud.not-signed-in') })
    const fields = { refresh_token: refreshToken }
    const answer = await web({ action: 'auth.fetchAccessTokenWithRefreshToken', fields })
    const code = codeOf(answer.code)
    if (code !== undefined) return endLogin(code, refreshToken, attempts)
    const token = textOf(answer.access_token)
    if (token) {
      await store.set('access_token', token)
      await store.set('access_token_expire', clock.now() + Number(answer.access_token_expire ?? 0))
      events.fire('refreshAccessToken', undefined)
      return token
    }
    return takeRefreshToken(answer, attempts)
  }

  async function endLogin(code: string | number, refreshToken: Json, attempts: number): Promise<string> {
    if (code === 'INVALID_REFRESH_TOKEN' && attempts > 0 && (await store.get('login_type')) === ANONYMOUS) {
      const uuid = await store.get('anonymous_uuid')
      const fields = { anonymous_uuid: uuid, refresh_token: refreshToken }
      return takeRefreshToken(
        checkWebAnswer(await web({ action: 'auth.signInAnonymously', fields })),
        attempts,
      )
    }
    if (LOGIN_OVER.has(code)) {
      events.fire('loginStateExpire', undefined)
      await store.remove('refresh_token')
    }
    throw new CloudError({ code, message: text('cloud.refresh-failed', { code }) })
  }

  async function takeRefreshToken(answer: JsonObject, attempts: number): Promise<string> {
    const next = textOf(answer.refresh_token)
    if (!next || attempts <= 0) throw new CloudError({ message: text('cloud.not-signed-in') })
    await store.set('refresh_token', next)
    return refresh(attempts - 1)
  }

  const refreshing = singleFlight(() => refresh(MAX_REFRESHES))

  async function accessToken(): Promise<string> {
    if ((await store.get('refresh_token')) === undefined) return anonymous.token()
    const token = textOf(await store.get('access_token'))
    const expire = Number((await store.get('access_token_expire')) ?? 0)
    return token && expire >= clock.now() ? token : refreshing.run()
  }

  async function signInBy(action: string, fields: JsonObject, failed: string): Promise<void> {
    const token = action === 'auth.signInWithTicket' ? {} : { token: await anonymous.token() }
    const answer = checkWebAnswer(await web({ action, fields, ...token }))
    const refreshToken = textOf(ownValue(answer, 'refresh_token'))
    if (!refreshToken) throw new CloudError({ message: text(failed) })
    await store.remove('anonymous_uuid')
    await store.set('refresh_token', refreshToken)
    await refreshing.run()
    await changeLogin('CUSTOM')
  }

  return {
    signInAnonymously,
    accessToken,
    on: events.on,
    async renew(used) {
      if ((await store.get('refresh_token')) === undefined) return anonymous.renew(used)
      const token = textOf(await store.get('access_token'))
      return token && token !== used ? token : refreshing.run()
    },
    async signInWithTicket(ticket) {
      const refresh_token = (await store.get('refresh_token')) ?? ''
      await signInBy('auth.signInWithTicket', { ticket, refresh_token }, 'cloud.ticket-failed')
    },
    async convertAnonymous(ticket) {
      const anonymous_uuid = await store.get('anonymous_uuid')
      const refresh_token = await store.get('refresh_token')
      const fields = { ticket, anonymous_uuid, refresh_token }
      await signInBy('auth.linkAndRetrieveDataWithTicket', fields, 'cloud.convert-failed')
      events.fire('anonymousConverted', { env: space.spaceId })
    },
    async signOut() {
      if ((await store.get('login_type')) === ANONYMOUS) {
        throw new CloudError({ code: 'INVALID_OPERATION', message: text('cloud.sign-out-anonymous') })
      }
      const refresh_token = await store.get('refresh_token')
      if (refresh_token === undefined) return
      checkWebAnswer(await web({ action: 'auth.logout', fields: { refresh_token } }))
      await store.remove('refresh_token', 'access_token', 'access_token_expire', 'login_type')
      events.fire('loginStateChanged', undefined)
      events.fire('loginTypeChanged', { loginType: 'NULL' })
    },
  }
}
