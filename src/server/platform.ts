import { appRoutes } from './auth/app-routes.ts'
import { loginRoutes } from './auth/login-routes.ts'
import { userRoutes } from './auth/user-routes.ts'
import { dictRoutes } from './dict/routes.ts'
import { fileRoutes } from './files/routes.ts'
import { modelRoutes } from './model/routes.ts'
import { modelScreenRoutes } from './model/screen-routes.ts'
import { pageRoutes } from './pages/routes.ts'
import { regionRoutes } from './regions/routes.ts'
import type { Resource } from './resource.ts'

/** The platform half: one line per resource. */
export const PLATFORM: readonly Resource[] = [
  appRoutes,
  loginRoutes,
  userRoutes,
  dictRoutes,
  fileRoutes,
  pageRoutes,
  modelRoutes,
  modelScreenRoutes,
  regionRoutes,
]
