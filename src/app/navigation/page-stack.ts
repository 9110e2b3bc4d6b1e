import type { HistoryMark } from './hash-location.ts'
import type { Place } from './routes.ts'

/** An opened page. `index` is its position in the browser's history. */
export interface Entry extends Place {
  readonly id: string
  readonly index: number
  /** Opened as a page of the bottom bar. */
  readonly tab: boolean
}

/** Opened pages from the first to the visible one, and the tab pages that are kept alive (SHELL 1.2). */
export interface PageStack {
  readonly entries: readonly [Entry, ...Entry[]]
  readonly kept: readonly Entry[]
}

/** The state that the browser's history stores for a page. */
export const markOf = ({ id, index }: Entry): HistoryMark => ({ id, index })

/** The visible page. */
export function topOf(stack: PageStack): Entry {
  return stack.entries.at(-1) ?? stack.entries[0]
}

/** Every page that is kept alive. */
export function aliveIn(stack: PageStack): readonly Entry[] {
  return [...stack.kept, ...stack.entries]
}

export function startWith(entry: Entry): PageStack {
  return { entries: [entry], kept: [] }
}

/** navigateTo: on top of the others. */
export function pushEntry(stack: PageStack, entry: Entry): PageStack {
  return { ...stack, entries: [...stack.entries, entry] }
}

/** redirectTo: replaces the visible page, which is unloaded. */
export function replaceTop(stack: PageStack, entry: Entry): PageStack {
  const [first, ...rest] = [...stack.entries.slice(0, -1), entry]
  return { ...stack, entries: [first ?? entry, ...rest] }
}

/** switchTab: pages that are not tab pages are unloaded, the others are kept alive. A living page of that path is shown again. */
export function switchTo(stack: PageStack, entry: Entry): PageStack {
  const tabs = aliveIn(stack).filter((one) => one.tab)
  const alive = tabs.find((tab) => tab.path === entry.path)
  const shown = alive ? { ...alive, index: entry.index } : entry
  return { entries: [shown], kept: tabs.filter((tab) => tab.path !== entry.path) }
}

/** navigateBack: pages above `position` are unloaded. */
export function popTo(stack: PageStack, position: number): PageStack {
  const [first, ...rest] = stack.entries.slice(0, position + 1)
  return first ? { ...stack, entries: [first, ...rest] } : stack
}
