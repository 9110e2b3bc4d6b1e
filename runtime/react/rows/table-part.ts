import type { Page } from '../../core/page/page.ts'
import { isWideWindow } from '../kit/use-at-desk.ts'
import { fetchPart } from '../page/fetch-part.ts'
import { objectsOf } from '../page/options.ts'

type Part = typeof import('../desk/record-table.tsx')

/** What {@link tablePart} answers once the part is there. */
let ready: Promise<Part> | undefined

const load = (): Promise<Part> => fetchPart(() => import('../desk/record-table.tsx'))

/**
 * Fetches what rows stand in as a table, for a page that has such rows in a wide window; null where it is not wanted or there. It
 * comes before the page is drawn: a table that was waited for below a `Suspense` would come in sight 300 ms after its rows, for so
 * long React keeps a placeholder once shown.
 */
export function prepareTable(page: Page): Promise<void> | null {
  const isWanted = [...page.nodes.values()].some(
    ({ type, options }) => type === 'list' && objectsOf(options.columns).length > 0,
  )
  if (!isWanted || ready !== undefined || !isWideWindow()) return null
  return load().then(
    (part) => {
      // A promise would answer later, and the placeholder would be shown.
      ready = { then: (done: (part: Part) => void) => done(part) } as unknown as Promise<Part>
    },
    () => undefined,
  )
}

/** For `lazy`: at once where it was prepared, else (a window made wide later) when it comes. */
export const tablePart = (): Promise<Part> => ready ?? load()
