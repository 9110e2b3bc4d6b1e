import { pageRoutes } from './pages/routes.ts'
import type { Resource } from './resource.ts'

/** The platform half: one line per resource. */
export const PLATFORM: readonly Resource[] = [pageRoutes]
