import type { Json } from '../../../runtime/core/json.ts'
import { isObject } from '../../../runtime/core/json.ts'
import type { Storage } from '../../../runtime/core/ports.ts'
import type { Locker } from './locker.ts'

/**
 * The Storage port that pages get: what they keep belongs to whoever is signed in, in the tenant they work in. Another user or
 * tenant on the same device sees none of it, and finds their own again. It is locked: who has signed out leaves nothing readable
 * behind. Before anybody has signed in there is nothing to lock it with, and it lies open.
 *
 * @param owner  tenant and user at the time of the call
 */
export function createOwnedStorage(storage: Storage, owner: () => string, locker: Locker): Storage {
  const own = (key: string) => `own:${owner()}:${key}`

  async function set(place: string, value: Json): Promise<void> {
    const lock = await locker()
    await storage.set(place, lock === null ? value : { locked: lock.shut(value, place) })
  }
  return {
    async get(key) {
      const place = own(key)
      const lock = await locker()
      const saved = await storage.get(place)
      if (isLocked(saved)) return lock?.open(saved.locked, place)
      // An older version did not lock.
      if (lock !== null && saved !== undefined) await storage.set(place, { locked: lock.shut(saved, place) })
      return saved
    },
    set: (key, value) => set(own(key), value),
    remove: (key) => storage.remove(own(key)),
  }
}

const isLocked = (saved: Json | undefined): saved is { readonly locked: string } =>
  isObject(saved) && typeof saved.locked === 'string' && Object.keys(saved).length === 1
