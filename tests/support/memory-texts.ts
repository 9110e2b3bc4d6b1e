import type { TextStore } from '../../src/app/storage/typed-storage.ts'

/** A browser's local storage, in memory. */
export function memoryTexts(values = new Map<string, string>()): TextStore {
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}
