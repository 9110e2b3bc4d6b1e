import type { ComponentType } from 'react'
import type { Page } from '../../core/page/page.ts'
import { preparedPart } from '../page/prepared-part.ts'
import type { PullProps } from './pull-refresh.tsx'

const part = preparedPart(() => import('./pull-refresh.tsx'))

const isPulled = (page: Page): boolean => page.settings.pullDownRefresh === true

/** Loads the pull-to-refresh component; null if the page does not allow it or it is loaded. */
export const preparePull = (page: Page): Promise<void> | null => (isPulled(page) ? part.prepare() : null)

/** The pull-to-refresh component; null if the page does not allow it or it could not be loaded. */
export const pullOf = (page: Page): ComponentType<PullProps> | null =>
  isPulled(page) ? (part.get()?.PullRefresh ?? null) : null
