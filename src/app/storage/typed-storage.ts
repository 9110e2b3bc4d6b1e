import type { Json } from '../../../runtime/core/json.ts'
import { isObject } from '../../../runtime/core/json.ts'

/** The part of the browser's local storage that is used. */
export interface TextStore {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** A store of the browser. A forbidden one already throws when it is accessed. */
export function storeOf(store: () => TextStore): TextStore {
  return {
    getItem: (key) => store().getItem(key),
    setItem: (key, value) => store().setItem(key, value),
    removeItem: (key) => store().removeItem(key),
  }
}

/** Small values by key; `get` of a missing key is undefined. If the store is full or forbidden, only the write is lost. */
export interface TypedStorage {
  get(key: string): Json | undefined
  set(key: string, value: Json): void
  remove(key: string): void
}

const TYPES = new Set(['string', 'number', 'boolean', 'object', 'undefined'])

/**
 * The wrapper of SHELL 2.1: texts are stored raw, everything else as `{type, data}`. Texts that look like a wrapper are wrapped too, so that they are
 * read back unchanged (SHELL 6).
 */
export function createTypedStorage(store: TextStore): TypedStorage {
  return {
    get(key) {
      const text = attempt(() => store.getItem(key))
      return text === null || text === undefined ? undefined : unwrap(text)
    },
    set: (key, value) => void attempt(() => store.setItem(key, wrap(value))),
    remove: (key) => void attempt(() => store.removeItem(key)),
  }
}

function wrap(value: Json): string {
  if (typeof value === 'string' && readWrapper(value) === undefined) return value
  return JSON.stringify({ type: typeof value, data: value })
}

function unwrap(text: string): Json {
  const wrapper = readWrapper(text)
  return wrapper === undefined ? text : wrapper.data
}

function readWrapper(text: string): { readonly data: Json } | undefined {
  if (!text.startsWith('{')) return undefined
  const value = attempt(() => JSON.parse(text) as Json)
  if (!isObject(value) || typeof value.type !== 'string' || !TYPES.has(value.type)) return undefined
  const keys = Object.keys(value)
  if (keys.length === 1) return { data: '' }
  // Dates, which another version wrote, are read as the text they were written as (SHELL 2.1).
  const fits = typeof value.data === value.type || (value.type === 'object' && isMoment(value.data))
  return keys.length === 2 && fits ? { data: value.data ?? null } : undefined
}

function isMoment(data: Json | undefined): boolean {
  return typeof data === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(data)
}

function attempt<T>(task: () => T): T | undefined {
  try {
    return task()
  } catch {
    return undefined
  }
}
