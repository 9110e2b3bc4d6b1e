import { changeSetRoutes } from '../flows/changesets/routes.ts'
import { dictRoutes } from '../flows/dict/routes.ts'
import { fileRoutes } from '../flows/files/routes.ts'
import { healthRoutes } from '../flows/health/routes.ts'
import { newPageRoutes } from '../flows/making/page-routes.ts'
import { moduleScreenRoutes } from '../flows/making/routes.ts'
import { modelRoutes } from '../flows/modelling/routes.ts'
import { modelScreenRoutes } from '../flows/modelling/screen-routes.ts'
import { operatorScreenRoutes } from '../flows/operator/screen-routes.ts'
import { packageRoutes } from '../flows/packages/routes.ts'
import { expandRoutes } from '../flows/pages/expand.ts'
import { paletteRoutes } from '../flows/pages/palette.ts'
import { publishingRoutes } from '../flows/pages/publishing-routes.ts'
import { pageRoutes } from '../flows/pages/routes.ts'
import { pageScreenRoutes } from '../flows/pages/screen-routes.ts'
import { regionRoutes } from '../flows/profile/region-routes.ts'
import { pushRoutes } from '../flows/push/routes.ts'
import { appRoutes } from '../flows/sign-in/app-routes.ts'
import { loginRoutes } from '../flows/sign-in/login-routes.ts'
import { userRoutes } from '../flows/sign-in/user-routes.ts'
import type { Resource } from '../kernel/calls/resource.ts'

/** Resources of the platform, one per line. */
export const PLATFORM: readonly Resource[] = [
  appRoutes,
  loginRoutes,
  userRoutes,
  dictRoutes,
  fileRoutes,
  pageRoutes,
  publishingRoutes,
  expandRoutes,
  paletteRoutes,
  pageScreenRoutes,
  changeSetRoutes,
  healthRoutes,
  modelRoutes,
  modelScreenRoutes,
  moduleScreenRoutes,
  newPageRoutes,
  packageRoutes,
  regionRoutes,
  pushRoutes,
  operatorScreenRoutes,
]
