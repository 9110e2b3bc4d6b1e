import { isObject } from '../../../runtime/core/json.ts'
import type { TextStore } from '../storage/typed-storage.ts'
import type { Entry, PageStack } from './page-stack.ts'

const KEY = 'pages'

/** Stores the opened pages of this tab, so that back works after a reload. */
export function saveStack(store: TextStore, stack: PageStack): void {
  try {
    store.setItem(KEY, JSON.stringify(stack.entries))
  } catch {
    // If it cannot be stored, a reload only loses the pages below.
  }
}

/** The opened pages before a reload; empty if nothing usable is stored. */
export function restoreStack(store: Pick<TextStore, 'getItem'>): readonly Entry[] {
  try {
    const saved: unknown = JSON.parse(store.getItem(KEY) ?? '[]')
    return Array.isArray(saved) ? saved.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is Entry {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    typeof value.index === 'number' &&
    typeof value.path === 'string' &&
    typeof value.tab === 'boolean' &&
    isObject(value.query)
  )
}
