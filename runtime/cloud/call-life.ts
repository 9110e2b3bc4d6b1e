import type { Json } from '../core/json.ts'
import { type CloudError, toCloudError } from './cloud-error.ts'
import type { Log } from './cloud-ports.ts'
import type { CloudApi, Interceptors } from './interceptors.ts'

/** Events of the cloud client (PROTOCOL 1.4). */
export interface CloudEvents {
  /** Sent after every call of a function, an object or the database; `content` is the result or the error. */
  response: { readonly type: 'cloudfunction' | 'cloudobject' | 'clientdb'; readonly content: unknown }
  /** A page or an answer requires a login. If there is a listener, it handles it and no redirect is made (PROTOCOL 1.5). */
  needLogin: NeedLogin
  /** A new login token was stored. */
  refreshToken: { readonly token: string; readonly tokenExpired: number }
}

export interface NeedLogin {
  readonly errCode: string
  readonly errMsg: string
  /** The destination of the user: an in-app route with its query. */
  readonly uniIdRedirectUrl: string
}

/** Called in the order given here; exceptions are logged. */
export interface Callbacks<T> {
  readonly success?: ((result: T) => void) | undefined
  readonly fail?: ((error: CloudError) => void) | undefined
  readonly complete?: ((outcome: T | CloudError) => void) | undefined
}

export interface LifeSteps<T> {
  readonly api: CloudApi
  /** The arguments, which `invoke` interceptors may change. */
  readonly args: Record<string, unknown>
  /** The call itself; reads `args` again. */
  readonly work: () => Promise<T>
  /** Called between the interceptors and the caller, for success and failure. */
  readonly respond?: (content: T | CloudError) => void
}

/** invoke → work → success or fail → complete → response event (PROTOCOL 1.4). Rejects only with a CloudError. */
export async function runLife<T>(interceptors: Interceptors, steps: LifeSteps<T>): Promise<T> {
  const { api, respond } = steps
  let result: T
  try {
    await interceptors.run(api, 'invoke', steps.args)
    result = await steps.work()
  } catch (thrown) {
    const error = toCloudError(thrown)
    await interceptors.run(api, 'fail', error)
    await interceptors.run(api, 'complete', error)
    respond?.(error)
    throw error
  }
  await interceptors.run(api, 'success', result)
  await interceptors.run(api, 'complete', result)
  respond?.(result)
  return result
}

/** Calls the callbacks, if any; the promise is then never an unhandled rejection. */
export function settle<T>(work: Promise<T>, callbacks: Callbacks<T>, log: Log): Promise<T> {
  const { success, fail, complete } = callbacks
  if (!success && !fail && !complete) return work
  const invoke = <A>(callback: ((value: A) => void) | undefined, value: A) => {
    try {
      callback?.(value)
    } catch (error) {
      log('error', `a callback failed: ${String(error)}`)
    }
  }
  work.then(
    (result) => {
      invoke(success, result)
      invoke(complete, result)
    },
    (thrown: unknown) => {
      const error = toCloudError(thrown)
      invoke(fail, error)
      invoke(complete, error)
    },
  )
  return work
}

/** A deep copy via JSON; `undefined` counts as absent. */
export function copyJson(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json)
}
