import type { Json } from '../../runtime/core/json.ts'
import type { DeviceStorage } from '../../src/app/storage/device-storage.ts'

/** The Storage port of the device in memory, which counts as lasting. */
export function memoryStorage(): DeviceStorage & { readonly values: Map<string, Json> } {
  const values = new Map<string, Json>()
  return {
    values,
    get: async (key) => structuredClone(values.get(key)),
    set: async (key, value) => void values.set(key, structuredClone(value)),
    remove: async (key) => void values.delete(key),
    keys: async (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)),
    lasting: () => true,
  }
}
