import type { ComponentType } from 'react'
import type { Page } from '../../core/page/page.ts'
import { preparedPart } from '../page/prepared-part.ts'
import type { PullProps } from './pull-refresh.tsx'

const part = preparedPart(() => import('./pull-refresh.tsx'))

const isPulled = (page: Page): boolean => page.settings.pullDownRefresh === true

/** Fetches what a page is pulled down with; null when the page does not allow it or it is there. */
export const preparePull = (page: Page): Promise<void> | null => (isPulled(page) ? part.prepare() : null)

/** What a page is pulled down with; null where it does not allow it, and where it did not come. */
export const pullOf = (page: Page): ComponentType<PullProps> | null =>
  isPulled(page) ? (part.get()?.PullRefresh ?? null) : null
