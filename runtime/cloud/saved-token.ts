import { type Json, ownValue } from '../core/json.ts'
import type { Storage } from '../core/ports.ts'
import { textOf } from './cloud-error.ts'

const TOKEN = 'uni_id_token'
const OLDER_TOKEN = 'uniIdToken'
const EXPIRED = 'uni_id_token_expired'

/** The cloud's login token; `tokenExpired` in milliseconds since the epoch, 0 if unknown. */
interface SavedLogin {
  readonly token: string | undefined
  readonly tokenExpired: number
}

/** A new token from an answer. */
interface NewToken {
  readonly token: string
  readonly tokenExpired: number
}

/** The login token on the device (PROTOCOL 1.2). */
export interface SavedToken {
  read(): Promise<SavedLogin>
  /** Stores and returns `{token, tokenExpired}` if the answer contains both; otherwise does nothing. */
  take(answer: Json | undefined): Promise<NewToken | undefined>
  /** Call it when the user or the tenant changes. */
  forget(): Promise<void>
}

export function createSavedToken(storage: Storage): SavedToken {
  return {
    async read() {
      const token = textOf(await storage.get(TOKEN)) ?? textOf(await storage.get(OLDER_TOKEN))
      return { token, tokenExpired: Number((await storage.get(EXPIRED)) ?? 0) }
    },
    async take(answer) {
      const token = textOf(ownValue(answer, 'token'))
      const tokenExpired = Number(ownValue(answer, 'tokenExpired') ?? 0)
      if (!token || !tokenExpired) return undefined
      await storage.set(TOKEN, token)
      await storage.set(EXPIRED, tokenExpired)
      return { token, tokenExpired }
    },
    async forget() {
      for (const key of [TOKEN, OLDER_TOKEN, EXPIRED]) await storage.remove(key)
    },
  }
}
