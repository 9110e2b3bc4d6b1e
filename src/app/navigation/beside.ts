import { type Entry, type PageStack, topOf } from './page-stack.ts'
import type { Place, RouteTable } from './routes.ts'

const LIST = '/index'
const RECORD = '/detail'

/** What tells which pages of a wide window stand beside each other. */
export interface Besides {
  /** The list that the record in sight was opened from: drawn at its left. Null where the page in sight stands alone. */
  readonly listOf: (stack: PageStack) => Entry | null
  /** The list that a record belongs to, for an address that names the record alone. */
  readonly belowOf: (record: Place) => Place | null
}

/**
 * A record stands beside its list: the page `…/detail` beside `…/index` of the same folder, in windows wide enough for both.
 *
 * @param isWide  whether the window is now
 */
export function createBesides(routes: Pick<RouteTable, 'find'>, isWide: () => boolean): Besides {
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
