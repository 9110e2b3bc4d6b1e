import { type Entry, type PageStack, topOf } from './page-stack.ts'
import type { Place, RouteTable } from './routes.ts'

const LIST = '/index'
const RECORD = '/detail'

/** Decides which pages a wide window shows side by side. */
export interface SideBySide {
  /** The list that the visible record was opened from, shown at its left. Null if the page is shown alone. */
  readonly listOf: (stack: PageStack) => Entry | null
  /** The list of a record, for an address that only contains the record. */
  readonly belowOf: (record: Place) => Place | null
}

/**
 * Shows a record beside its list: the page `…/detail` beside `…/index` of the same folder, if the window is wide enough.
 *
 * @param isWide  whether it is at the moment
 */
export function createSideBySide(routes: Pick<RouteTable, 'find'>, isWide: () => boolean): SideBySide {
  const pathOfList = (record: string): string | null => {
    if (!record.endsWith(RECORD)) return null
    const path = record.slice(0, -RECORD.length) + LIST
    const route = routes.find(path)
    return route === undefined || route.alone ? null : path
  }
  return {
    listOf(stack) {
      const below = stack.entries.at(-2)
      return below !== undefined && isWide() && pathOfList(topOf(stack).path) === below.path ? below : null
    },
    belowOf({ path }) {
      const list = isWide() ? pathOfList(path) : null
      return list === null ? null : { path: list, query: {} }
    },
  }
}
