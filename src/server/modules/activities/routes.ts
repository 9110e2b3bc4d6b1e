import { callerOf } from '../../kernel/auth/caller.ts'
import { ONE_ID } from '../../kernel/calls/one-id.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { batchOf, type RecordKind, standardRoutes, writer } from '../../kernel/calls/standard-routes.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import { patching } from '../../kernel/records/checked-write.ts'
import { activityDetail, findActivity } from './activity.ts'
import { ACTIVITY_LIST, type ActivityRow, activityCard, activityOptions } from './list-spec.ts'
import { membersOf, saveMembers, signIn } from './members.ts'
import {
  applyActivity,
  cancelActivity,
  createActivity,
  lockActivity,
  removeActivity,
  restoreActivity,
  updateActivity,
} from './write-activity.ts'

const ACTIVITY: RecordKind<ActivityRow> = {
  name: 'activity',
  module: 'activity',
  list: (_, ctx) => describedList(ACTIVITY_LIST, ctx),
  card: activityCard,
  detail: activityDetail,
  create: createActivity,
  update: updateActivity,
  remove: removeActivity,
  restore: restoreActivity,
  options: activityOptions,
  formPage: '/pages/activity/add',
}

const { querystring } = ONE_ID
const MEMBERS = {
  querystring: {
    ...querystring,
    properties: { ...querystring.properties, memberId: { type: 'string', maxLength: 64 } },
  },
} as const

/** /mini/activity/… (DOMAIN 8.3, 8.4). */
export const activityRoutes: Resource = (app, services) => {
  standardRoutes(app, services, ACTIVITY)
  app.get<{ Querystring: { id: string; memberId?: string } }>(
    '/mini/activity/member/list',
    { schema: MEMBERS, config: { permission: 'activity:view' } },
    (request) =>
      runRead(services, callerOf(request), async (ctx) => {
        const { id } = await findActivity(request.query.id, ctx)
        return { list: await membersOf(id, ctx, request.query.memberId || null) }
      }),
  )
  const write = writer(app, services, 'activity')
  write('/mini/activity/member/save', 'activity:edit', saveMembers)
  write('/mini/activity/sign-in', 'activity:sign_in', signIn)
  write('/mini/activity/patch', 'activity:edit', batchOf(patching('activity', lockActivity, applyActivity)))
  write('/mini/activity/cancel', 'activity:edit', cancelActivity)
}
