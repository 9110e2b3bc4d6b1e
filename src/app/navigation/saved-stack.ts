import { isObject } from '../../../runtime/core/json.ts'
import type { TextStore } from '../storage/typed-storage.ts'
import type { Entry, PageStack } from './page-stack.ts'

const KEY = 'pages'

/** Remembers the opened pages of this browser tab, so that back works after a reload. */
export function saveStack(store: TextStore, stack: PageStack): void {
  try {
    store.setItem(KEY, JSON.stringify(stack.entries))
  } catch {
    // Without it a reload only forgets the pages below.
  }
}

/** The opened pages as they were before a reload; empty when nothing usable is there. */
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
