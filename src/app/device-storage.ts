import { type IDBPDatabase, openDB } from 'idb'
import type { Json } from '../../runtime/core/json.ts'
import type { Storage } from '../../runtime/core/ports.ts'

const DATABASE = 'vform-crm'
const STORE = 'values'

/**
 * The Storage port on IndexedDB. A device that cannot store (private mode, full disk) keeps the values in memory instead: the
 * work goes on, only the next start forgets them.
 */
export function createDeviceStorage(): Storage {
  const memory = new Map<string, Json>()
  let opening: Promise<IDBPDatabase> | undefined

  function database(): Promise<IDBPDatabase> {
    opening ??= openDB(DATABASE, 1, { upgrade: (db) => void db.createObjectStore(STORE) })
    return opening
  }
  return {
    async get(key) {
      if (memory.has(key)) return memory.get(key)
      try {
        return (await (await database()).get(STORE, key)) as Json | undefined
      } catch {
        return undefined
      }
    },
    async set(key, value) {
      try {
        await (await database()).put(STORE, value, key)
        memory.delete(key)
      } catch {
        memory.set(key, value)
      }
    },
    async remove(key) {
      memory.delete(key)
      try {
        await (await database()).delete(STORE, key)
      } catch {
        // Nothing was stored, so nothing is left.
      }
    },
  }
}
