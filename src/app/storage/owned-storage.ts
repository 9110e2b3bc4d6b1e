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
  const keyOf = (key: string) => `own:${owner()}:${key}`

  async function set(storedKey: string, value: Json): Promise<void> {
    const cipher = await currentCipher()
    await storage.set(storedKey, cipher === null ? value : { locked: cipher.encrypt(value, storedKey) })
  }
  return {
    async get(key) {
      const storedKey = keyOf(key)
      const cipher = await currentCipher()
      const saved = await storage.get(storedKey)
      if (isLocked(saved)) return cipher?.decrypt(saved.locked, storedKey)
      // An older version did not encrypt values.
      if (cipher !== null && saved !== undefined)
        await storage.set(storedKey, { locked: cipher.encrypt(saved, storedKey) })
      return saved
    },
    set: (key, value) => set(keyOf(key), value),
    remove: (key) => storage.remove(keyOf(key)),
  }
}

const isLocked = (saved: Json | undefined): saved is { readonly locked: string } =>
  isObject(saved) && typeof saved.locked === 'string' && Object.keys(saved).length === 1
