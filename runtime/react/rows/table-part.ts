import type { Page } from '../../core/page/page.ts'
import { isWideWindow } from '../kit/use-at-desk.ts'
import { fetchPart } from '../page/fetch-part.ts'
import { objectsOf } from '../page/options.ts'
import { preparedPart } from '../page/prepared-part.ts'

type Table = typeof import('../desk/record-table.tsx')

const load = (): Promise<Table> => import('../desk/record-table.tsx')
const part = preparedPart(load)

/** Fetches what rows stand in as a table, for a page that has such rows in a wide window; null where it is not wanted or there. */
export function prepareTable(page: Page): Promise<void> | null {
  const isWanted = [...page.nodes.values()].some(
    ({ type, options }) => type === 'list' && objectsOf(options.columns).length > 0,
  )
  return isWanted && isWideWindow() ? part.prepare() : null
}

/** For `lazy`: at once where it was prepared, else (a window made wide later) when it comes. */
export function tablePart(): Promise<Table> {
  const table = part.get()
  if (table === null) return fetchPart(load)
  // A promise would answer later, and the placeholder would be shown.
  return { then: (done: (table: Table) => void) => done(table) } as unknown as Promise<Table>
}
