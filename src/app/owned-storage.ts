import type { Storage } from '../../runtime/core/ports.ts'

/**
 * The Storage port that pages get: what they keep belongs to whoever is signed in, in the tenant they work in. Another user or
 * tenant on the same device sees none of it, and finds their own again.
 *
 * @param owner  tenant and user at the time of the call
 */
export function createOwnedStorage(storage: Storage, owner: () => string): Storage {
  const own = (key: string) => `own:${owner()}:${key}`
  return {
    get: (key) => storage.get(own(key)),
    set: (key, value) => storage.set(own(key), value),
    remove: (key) => storage.remove(own(key)),
  }
}
