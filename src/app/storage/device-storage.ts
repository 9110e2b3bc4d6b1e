import type { IDBPDatabase } from 'idb'
import type { Json } from '../../../runtime/core/json.ts'
import type { Storage } from '../../../runtime/core/ports.ts'
import { openDatabase } from './open-database.ts'

const STORE = 'values'

/** The Storage port of the device. */
export interface DeviceStorage extends Storage {
  /** False while something is held in memory only and would be lost at the next start. */
  lasting(): boolean
  /** Names with this prefix. */
  keys(prefix: string): Promise<readonly string[]>
}

type Database = () => Promise<Pick<IDBPDatabase, 'get' | 'put' | 'delete' | 'getAllKeys'>>

/**
 * The Storage port on IndexedDB. If the device cannot store (private mode, full disk), values are kept in memory: the app works, but they are lost at
 * the next start.
 */
export function createDeviceStorage(database: Database = browserDatabase()): DeviceStorage {
  const memory = new Map<string, Json>()
  async function storedKeys(prefix: string): Promise<readonly IDBValidKey[]> {
    try {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
      return await (await database()).getAllKeys(STORE, range)
    } catch {
      return []
    }
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
        // If nothing could be stored, nothing needs to be deleted.
      }
    },
    async keys(prefix) {
      const stored = await storedKeys(prefix)
      const inMemory = [...memory.keys()].filter((key) => key.startsWith(prefix))
      return [...new Set([...stored.map(String), ...inMemory])]
    },
    lasting: () => memory.size === 0,
  }
}

function browserDatabase(): Database {
  return openDatabase({
    name: 'vform-crm',
    version: 1,
    create: (database) => void database.createObjectStore(STORE),
  })
}
