import type { Json } from '../../../runtime/core/json.ts'
import { isObject } from '../../../runtime/core/json.ts'
import type { Storage } from '../../../runtime/core/ports.ts'
import type { CurrentCipher } from './cipher.ts'

/**
 * The Storage port for pages: values belong to the signed-in user in their tenant. Another user or tenant on the same device does not see them, and
 * has their own. Values are encrypted, so that nothing readable stays behind after sign-out. Before the first sign-in there is no key and they are
 * not encrypted.
 *
 * @param owner  tenant and user at the time of the call
 */
export function createOwnedStorage(
  storage: Storage,
  owner: () => string,
  currentCipher: CurrentCipher,
): Storage {
  const own = (key: string) => `own:${owner()}:${key}`

  async function set(place: string, value: Json): Promise<void> {
    const cipher = await currentCipher()
    await storage.set(place, cipher === null ? value : { locked: cipher.encrypt(value, place) })
  }
  return {
    async get(key) {
      const place = own(key)
      const cipher = await currentCipher()
      const saved = await storage.get(place)
      if (isLocked(saved)) return cipher?.decrypt(saved.locked, place)
      // An older version did not encrypt values.
      if (cipher !== null && saved !== undefined)
        await storage.set(place, { locked: cipher.encrypt(saved, place) })
      return saved
    },
    set: (key, value) => set(own(key), value),
    remove: (key) => storage.remove(own(key)),
  }
}

const isLocked = (saved: Json | undefined): saved is { readonly locked: string } =>
  isObject(saved) && typeof saved.locked === 'string' && Object.keys(saved).length === 1
