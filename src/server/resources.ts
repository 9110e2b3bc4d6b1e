import { activityRoutes } from './activities/routes.ts'
import { adminResources } from './admin/routes.ts'
import { approvalRoutes } from './approvals/routes.ts'
import { bussinessRoutes } from './bussiness/routes.ts'
import { contactRoutes } from './contacts/routes.ts'
import { contractRoutes } from './contracts/routes.ts'
import { customerRoutes } from './customers/routes.ts'
import { duplicateRoutes } from './duplicates/routes.ts'
import { followRoutes } from './follows/routes.ts'
import { homeRoutes } from './home/routes.ts'
import { leadRoutes } from './leads/routes.ts'
import { messageRoutes } from './messages/routes.ts'
import { moveRoutes } from './moves/routes.ts'
import { ownRecordRoutes } from './own-records/routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { planRoutes } from './plans/routes.ts'
import { poolRoutes } from './pools/routes.ts'
import { productRoutes } from './products/routes.ts'
import { profileRoutes } from './profile/routes.ts'
import type { Resource } from './resource.ts'
import { searchRoutes } from './search/routes.ts'
import { sheetRoutes } from './sheets/routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { syncRoutes } from './sync/routes.ts'
import { todoRoutes } from './todos/routes.ts'
import { workRoutes } from './work/routes.ts'

/** The business half: one line per resource. */
export const RESOURCES: readonly Resource[] = [
  // Before the writes, which it gathers.
  syncRoutes,
  customerRoutes,
  contactRoutes,
  leadRoutes,
  bussinessRoutes,
  poolRoutes,
  moveRoutes,
  followRoutes,
  duplicateRoutes,
  homeRoutes,
  searchRoutes,
  productRoutes,
  activityRoutes,
  ownRecordRoutes,
  contractRoutes,
  planRoutes,
  paymentRoutes,
  approvalRoutes,
  todoRoutes,
  messageRoutes,
  statsRoutes,
  profileRoutes,
  adminResources,
  workRoutes,
  sheetRoutes,
]
