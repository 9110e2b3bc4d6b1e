import type { ComponentType } from 'react'
import type { Page } from '../../core/page/page.ts'
import { fetchPart } from '../page/fetch-part.ts'
import type { PullProps } from './pull-refresh.tsx'

let fetched: ComponentType<PullProps> | null = null

const isPulled = (page: Page): boolean => page.settings.pullDownRefresh === true

/**
 * Fetches what a page is pulled down with; null when the page does not allow it or it is there. It comes before the page is drawn:
 * a page that waited for it below a `Suspense` would appear 300 ms later, because React keeps a placeholder that long once shown.
 */
export function preparePull(page: Page): Promise<void> | null {
  if (!isPulled(page) || fetched !== null) return null
  return fetchPart(() => import('./pull-refresh.tsx')).then(
    ({ PullRefresh }) => {
      fetched = PullRefresh
    },
    () => undefined,
  )
}

/** What a page is pulled down with; null where it does not allow it. Without the part, the page stands without it. */
export const pullOf = (page: Page): ComponentType<PullProps> | null => (isPulled(page) ? fetched : null)
