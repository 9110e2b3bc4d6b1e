import type { Json } from '../../runtime/core/json.ts'
import type { Storage } from '../../runtime/core/ports.ts'

/** The Storage port in memory. */
export function memoryStorage(): Storage & { readonly values: Map<string, Json> } {
  const values = new Map<string, Json>()
  return {
    values,
    get: async (key) => structuredClone(values.get(key)),
    set: async (key, value) => void values.set(key, structuredClone(value)),
    remove: async (key) => void values.delete(key),
  }
}
