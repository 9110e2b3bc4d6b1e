import { type Json, ownValue } from '../core/json.ts'
import type { Storage } from '../core/ports.ts'
import { textOf } from './cloud-error.ts'

const TOKEN = 'uni_id_token'
const OLDER_TOKEN = 'uniIdToken'
const EXPIRED = 'uni_id_token_expired'

/** Login token of the cloud; `tokenExpired` in milliseconds since the epoch, 0 when unknown. */
interface SavedLogin {
  readonly token: string | undefined
  readonly tokenExpired: number
}

/** A new token as an answer brought it. */
interface NewToken {
  readonly token: string
  readonly tokenExpired: number
}

/** The login token on the device (PROTOCOL 1.2). */
export interface SavedToken {
  read(): Promise<SavedLogin>
  /** Stores `{token, tokenExpired}` if both are there and answers it; otherwise nothing happens. */
  take(answer: Json | undefined): Promise<NewToken | undefined>
  /** To be called when the user or the tenant changes. */
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
