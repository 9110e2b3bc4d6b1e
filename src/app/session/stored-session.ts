import { type Json, type JsonObject, valueAt } from '../../../runtime/core/json.ts'
import type { TypedStorage } from '../storage/typed-storage.ts'

const TOKEN = 'token'
const EXPIRES = 'token_expires'
const TENANT = 'tenant'
const USER = 'user'
const DRAFT_KEY = 'draft_key'

/** A session as stored on the device, shared by all tabs. */
export function createStoredSession(storage: TypedStorage, now: () => number) {
  return {
    /** The token, unless it has expired. */
    token(): string | null {
      const value = storage.get(TOKEN)
      const expires = storage.get(EXPIRES)
      if (typeof value !== 'string' || value === '') return null
      return typeof expires === 'number' && expires <= now() ? null : value
    },
    hasToken: (): boolean => storage.get(TOKEN) !== undefined,
    tenant: (): string => String(storage.get(TENANT) ?? ''),
    user: (): Json | undefined => storage.get(USER),
    draftKey(): string | null {
      const key = storage.get(DRAFT_KEY)
      return typeof key === 'string' ? key : null
    },
    keepUser(user: JsonObject, draftKey: Json | undefined): void {
      if (typeof draftKey === 'string') storage.set(DRAFT_KEY, draftKey)
      storage.set(USER, user)
    },
    /** Where the device's clock is so far ahead that a new token seems to have expired, the server alone tells its end. */
    keepToken(token: string, expiresAt: Json | undefined): void {
      storage.set(TOKEN, token)
      if (typeof expiresAt === 'number' && expiresAt > now()) storage.set(EXPIRES, expiresAt)
      else storage.remove(EXPIRES)
    },
    keepTenant(answer: JsonObject): void {
      storage.set(TENANT, answer.tenantId ?? valueAt(answer, 'tenant.id') ?? '')
    },
    clear(): void {
      for (const key of [TOKEN, EXPIRES, TENANT, USER, DRAFT_KEY]) storage.remove(key)
    },
  }
}
