/** Calls that can be intercepted (PROTOCOL 1.4). */
export type CloudApi =
  | 'callFunction'
  | 'uploadFile'
  | 'deleteFile'
  | 'getTempFileURL'
  | 'getFileInfo'
  | 'chooseAndUploadFile'
  | 'database'
  | 'databaseForJQL'
  | 'callObject'

/** Each may be asynchronous and is awaited; if `invoke` fails, so does the call. `invoke` may change the arguments. */
export interface Interceptor {
  readonly invoke?: (args: Record<string, unknown>) => unknown
  readonly success?: (result: unknown) => unknown
  readonly fail?: (error: unknown) => unknown
  readonly complete?: (outcome: unknown) => unknown
}
type Moment = keyof Interceptor

export interface Interceptors {
  /** Adding the same function twice has no effect. */
  add(api: CloudApi, interceptor: Interceptor): void
  /** Without an interceptor, all of that call are removed. */
  remove(api: CloudApi, interceptor?: Interceptor): void
  /** Runs all interceptors of a moment one after the other. */
  run(api: CloudApi, moment: Moment, payload: unknown): Promise<void>
}

const MOMENTS = ['invoke', 'success', 'fail', 'complete'] as const

export function createInterceptors(): Interceptors {
  const all = new Map<string, Set<(payload: never) => unknown>>()
  const setOf = (api: CloudApi, moment: Moment) => {
    const key = `${api} ${moment}`
    const set = all.get(key) ?? new Set()
    all.set(key, set)
    return set
  }
  return {
    add(api, interceptor) {
      for (const moment of MOMENTS) {
        const step = interceptor[moment]
        if (step) setOf(api, moment).add(step)
      }
    },
    remove(api, interceptor) {
      for (const moment of MOMENTS) {
        const step = interceptor?.[moment]
        if (!interceptor) setOf(api, moment).clear()
        else if (step) setOf(api, moment).delete(step)
      }
    },
    async run(api, moment, payload) {
      for (const step of [...setOf(api, moment)]) await (step as (payload: unknown) => unknown)(payload)
    },
  }
}
