import { type Json, ownValue } from '../../core/json.ts'
import type { HttpMethod } from '../../core/ports.ts'
import { CloudError, textOf } from '../cloud-error.ts'
import { exchange } from '../exchange.ts'
import type { ProviderTools } from '../provider.ts'
import { singleFlight } from '../single-flight.ts'
import type { TencentSpace } from '../space.ts'
import type { TencentStore } from './tencent-store.ts'

export const ANONYMOUS = 'ANONYMOUS'

/** The anonymous sign-in of provider 2 (PROTOCOL 2.2). */
export interface AnonymousAccess {
  /** The stored token while it is valid, else a new one. @throws CloudError INVALID_OPERATION for a user with another login */
  token(): Promise<string>
  /** Deletes the given token unless another call has replaced it. @returns the new token */
  renew(used: string): Promise<string>
  userInfo(): Promise<Json>
  hasToken(): Promise<boolean>
}

/** Requests of `https://<env>.ap-shanghai.tcb-api.tencentcloudapi.com/auth/v1/…`. */
export function createAnonymousAccess(
  space: TencentSpace,
  tools: ProviderTools,
  store: TencentStore,
): AnonymousAccess {
  const { http, clock, random, text } = tools.ports
  const base = `https://${space.spaceId}.ap-shanghai.tcb-api.tencentcloudapi.com`

  async function request(method: HttpMethod, path: string, more: Readonly<Record<string, string>> = {}) {
    const headers = {
      ...(method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
      'x-request-id': random.uuid().replaceAll('-', ''),
      'x-device-id': await deviceId(),
      ...more,
    }
    const { timeoutMs } = tools
    const body = method === 'POST' ? { body: {} } : {}
    const reply = await exchange(http, { url: `${base}${path}`, method, headers, timeoutMs, ...body })
    if (reply.status >= 200 && reply.status < 300) return reply.data
    throw new CloudError({
      code: textOf(ownValue(reply.data, 'error')) ?? 'NETWORK_ERROR',
      message: textOf(ownValue(reply.data, 'error_description')) ?? 'network request error',
      cause: reply.failure,
    })
  }

  async function deviceId(): Promise<string> {
    const stored = await store.get('device_id')
    if (typeof stored === 'string' && stored.length >= 16 && stored.length <= 48) return stored
    const uuid = random.uuid().replaceAll('-', '')
    await store.set('device_id', uuid)
    return uuid
  }

  const signIn = singleFlight(async () => {
    const type = await store.get('login_type')
    if (type !== undefined && type !== '' && type !== ANONYMOUS) {
      throw new CloudError({ code: 'INVALID_OPERATION', message: text('cloud.refresh-not-anonymous') })
    }
    const answer = await request('POST', '/auth/v1/signin/anonymously')
    const token = textOf(ownValue(answer, 'access_token'))
    if (!token) throw new CloudError({ code: 'NETWORK_ERROR', message: 'network request error' })
    await store.set('token_type', ownValue(answer, 'token_type') ?? 'Bearer')
    await store.set('access_token', token)
    await store.set('access_token_expire', clock.now() + 1000 * Number(ownValue(answer, 'expires_in') ?? 0))
    return token
  })

  async function living(): Promise<string | undefined> {
    const token = textOf(await store.get('access_token'))
    const expire = Number((await store.get('access_token_expire')) ?? 0)
    return token && expire >= clock.now() ? token : undefined
  }

  const token = async () => (await living()) ?? signIn.run()
  const me = singleFlight(async () => {
    const current = await token()
    const type = textOf(await store.get('token_type')) ?? 'Bearer'
    const info = await request('GET', '/auth/v1/user/me', { authorization: `${type} ${current}` })
    await store.set('user_info', info)
    return info
  })

  return {
    token,
    userInfo: me.run,
    hasToken: async () => (await living()) !== undefined,
    async renew(used) {
      if (textOf(await store.get('access_token')) === used)
        await store.remove('access_token', 'access_token_expire')
      return token()
    },
  }
}
