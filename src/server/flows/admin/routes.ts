import type { Resource } from '../../kernel/calls/resource.ts'
import { listMenus, menuDetail, removeMenu, saveMenu } from './admin-menus.ts'
import { saveDefaultSlots } from './default-slots.ts'
import { deptDetail, deptsOfPeople, listDepts, removeDept, saveDept } from './depts.ts'
import { moveDictItem, saveDictItem } from './dict-items.ts'
import { dictDetail, listDicts, removeDictItems, saveDict } from './dicts.ts'
import { flowDetail, listFlows, saveFlowOf } from './flows.ts'
import { handOverAll } from './hand-over.ts'
import { type AdminResource, adminRoutes } from './kind.ts'
import { listLogs, logDetail } from './logs.ts'
import { listNotices, noticeDetail, removeNotice, saveNotice } from './notices.ts'
import { placeUsers } from './place-users.ts'
import { listPools, poolDetail, removePool, savePool } from './pools.ts'
import { listRoles, removeRole, roleDetail, saveRole } from './roles.ts'
import { resetPassword, saveUser } from './save-user.ts'
import { listStages, moveStage, removeStage, saveStage, saveStageRules, stageDetail } from './stages.ts'
import { listTenants, saveTenant, tenantDetail } from './tenant.ts'
import { removeUser, setUserStatus } from './user-status.ts'
import { listUsers, roleOptions, userDetail } from './users.ts'

/** Everything that administrators manage, and the permission for it. */
const KINDS: readonly AdminResource[] = [
  {
    name: 'user',
    permission: 'system:user',
    list: listUsers,
    detail: userDetail,
    reads: { roles: roleOptions, depts: deptsOfPeople },
    save: saveUser,
    remove: removeUser,
    actions: { status: setUserStatus, password: resetPassword, handover: handOverAll, place: placeUsers },
  },
  {
    name: 'role',
    permission: 'system:role',
    list: listRoles,
    detail: roleDetail,
    save: saveRole,
    remove: removeRole,
  },
  {
    name: 'dept',
    permission: 'system:dept',
    list: listDepts,
    detail: deptDetail,
    save: saveDept,
    remove: removeDept,
  },
  {
    name: 'dict',
    permission: 'system:dict',
    list: listDicts,
    detail: dictDetail,
    save: saveDict,
    remove: removeDictItems,
    actions: { item: saveDictItem, move: moveDictItem },
  },
  {
    name: 'menu',
    permission: 'system:menu',
    list: listMenus,
    detail: menuDetail,
    save: saveMenu,
    remove: removeMenu,
    actions: { default: saveDefaultSlots },
  },
  {
    name: 'pool',
    permission: 'system:pool',
    list: listPools,
    detail: poolDetail,
    save: savePool,
    remove: removePool,
  },
  { name: 'flow', permission: 'system:flow', list: listFlows, detail: flowDetail, save: saveFlowOf },
  {
    name: 'stage',
    permission: 'system:flow',
    list: listStages,
    detail: stageDetail,
    save: saveStage,
    remove: removeStage,
    actions: { move: moveStage, rules: saveStageRules },
  },
  {
    name: 'notice',
    permission: 'system:notice',
    list: listNotices,
    detail: noticeDetail,
    save: saveNotice,
    remove: removeNotice,
  },
  { name: 'log', permission: 'system:log', list: listLogs, detail: logDetail },
  {
    name: 'tenant',
    permission: 'system:tenant',
    list: listTenants,
    detail: tenantDetail,
    save: saveTenant,
  },
]

/** /engine/web/{user,role,dept,dict,menu,pool,flow,stage,notice,log,tenant}/… (DOMAIN 8.6). */
export const adminResources: Resource = (app, services) => {
  for (const kind of KINDS) adminRoutes(app, services, kind)
}
