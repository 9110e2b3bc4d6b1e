import type { Page } from '../../core/page/page.ts'
import { isWideWindow } from '../kit/use-is-desktop.ts'
import { fetchPart } from '../page/fetch-part.ts'
import { objectsOf } from '../page/options.ts'
import { preparedPart } from '../page/prepared-part.ts'

type Table = typeof import('../desk/record-table.tsx')

const load = (): Promise<Table> => import('../desk/record-table.tsx')
const part = preparedPart(load)

/** Loads the table of rows for a page with lists in a wide window; null if not needed or loaded. */
export function prepareTable(page: Page): Promise<void> | null {
  const isWanted = [...page.nodes.values()].some(
    ({ type, options }) => type === 'list' && objectsOf(options.columns).length > 0,
  )
  return isWanted && isWideWindow() ? part.prepare() : null
}

/** For `lazy`: immediately if it was prepared, else (a window widened later) when it is loaded. */
export function tablePart(): Promise<Table> {
  const table = part.get()
  if (table === null) return fetchPart(load)
  // A real promise would resolve later, and the placeholder would be shown.
  return { then: (done: (table: Table) => void) => done(table) } as unknown as Promise<Table>
}
