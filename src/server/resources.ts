import { activityRoutes } from './activities/routes.ts'
import { approvalRoutes } from './approvals/routes.ts'
import { contractRoutes } from './contracts/routes.ts'
import { customerRoutes } from './customers/routes.ts'
import { duplicateRoutes } from './duplicates/routes.ts'
import { followRoutes } from './follows/routes.ts'
import { homeRoutes } from './home/routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { planRoutes } from './plans/routes.ts'
import { productRoutes } from './products/routes.ts'
import type { Resource } from './resource.ts'
import { searchRoutes } from './search/routes.ts'

/** The business half: one line per resource. */
export const RESOURCES: readonly Resource[] = [
  customerRoutes,
  followRoutes,
  duplicateRoutes,
  homeRoutes,
  searchRoutes,
  productRoutes,
  activityRoutes,
  contractRoutes,
  planRoutes,
  paymentRoutes,
  approvalRoutes,
]
