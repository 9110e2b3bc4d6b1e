import { isObject, type Json, ownValue } from '../../core/json.ts'
import type { Storage } from '../../core/ports.ts'

const VERSION = 'localCachev1'

/** Keys of provider 2's data on the device, per space; all spaces share the device id (PROTOCOL 2.2). */
type TencentKey =
  | 'access_token'
  | 'access_token_expire'
  | 'refresh_token'
  | 'anonymous_uuid'
  | 'login_type'
  | 'token_type'
  | 'user_info'
  | 'x-tcb-trace'
  | 'device_id'

export interface TencentStore {
  get(key: TencentKey): Promise<Json | undefined>
  set(key: TencentKey, content: Json): Promise<void>
  remove(...keys: readonly TencentKey[]): Promise<void>
}

/** Values are stored with a version; one of another version counts as absent. */
export function createTencentStore(storage: Storage, env: string): TencentStore {
  const nameOf = (key: TencentKey) => (key === 'device_id' ? key : `${key}_${env}`)
  return {
    async get(key) {
      const stored = await storage.get(nameOf(key))
      return isObject(stored) && stored.version === VERSION ? ownValue(stored, 'content') : undefined
    },
    set: (key, content) => storage.set(nameOf(key), { version: VERSION, content }),
    async remove(...keys) {
      for (const key of keys) await storage.remove(nameOf(key))
    },
  }
}
