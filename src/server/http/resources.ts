import { adminResources } from '../flows/admin/routes.ts'
import { approvalRoutes } from '../flows/approvals/routes.ts'
import { calendarRoutes } from '../flows/calendar/routes.ts'
import { connectionRoutes } from '../flows/connections/routes.ts'
import { duplicateRoutes } from '../flows/duplicates/routes.ts'
import { homeRoutes } from '../flows/home/routes.ts'
import { messageRoutes } from '../flows/messages/routes.ts'
import { moveRoutes } from '../flows/moves/routes.ts'
import { openapiRoutes } from '../flows/openapi/routes.ts'
import { poolRoutes } from '../flows/pools/routes.ts'
import { profileRoutes } from '../flows/profile/routes.ts'
import { searchRoutes } from '../flows/search/routes.ts'
import { sheetRoutes } from '../flows/sheets/routes.ts'
import { statsRoutes } from '../flows/stats/routes.ts'
import { syncRoutes } from '../flows/sync/routes.ts'
import { workRoutes } from '../flows/work/routes.ts'
import type { Resource } from '../kernel/calls/resource.ts'
import { activityRoutes } from '../modules/activities/routes.ts'
import { bussinessRoutes } from '../modules/bussiness/routes.ts'
import { contactRoutes } from '../modules/contacts/routes.ts'
import { contractRoutes } from '../modules/contracts/routes.ts'
import { customerRoutes } from '../modules/customers/routes.ts'
import { followRoutes } from '../modules/follows/routes.ts'
import { leadRoutes } from '../modules/leads/routes.ts'
import { ownRecordRoutes } from '../modules/own-records/routes.ts'
import { paymentRoutes } from '../modules/payments/routes.ts'
import { planRoutes } from '../modules/plans/routes.ts'
import { productRoutes } from '../modules/products/routes.ts'
import { todoRoutes } from '../modules/todos/routes.ts'

/** Resources of the CRM, one per line. */
export const RESOURCES: readonly Resource[] = [
  // Before the resources whose writes it collects.
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
  calendarRoutes,
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
  connectionRoutes,
  openapiRoutes,
  workRoutes,
  sheetRoutes,
]
