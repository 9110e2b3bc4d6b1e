import type { KnownNames } from '../../../../runtime/core/check/known-names.ts'
import type { UserDetail } from '../../../contract/session.ts'
import { ACTIONS, OPERATE } from '../auth/permissions.ts'
import type { Database, Trx } from '../db/database.ts'

/** All permissions of the product. */
export const PERMISSIONS: ReadonlySet<string> = new Set([
  ...Object.entries(ACTIONS).flatMap(([module, actions]) => actions.map((action) => `${module}:${action}`)),
  OPERATE,
])

/** The modules of those permissions. */
export const PERMISSION_MODULES: ReadonlySet<string> = new Set(Object.keys(ACTIONS))

/** What a page can read about its user: from the server, and from the app. */
const USER = {
  id: true,
  account: true,
  name: true,
  mobile: true,
  email: true,
  avatar: true,
  gender: true,
  wechat: true,
  signature: true,
  position: true,
  dept: true,
  deptId: true,
  roles: true,
  homeScope: true,
  permissions: true,
  fieldRights: true,
  mustChangePassword: true,
  tenant: true,
  settings: true,
  draftKey: true,
  menus: true,
  unread: true,
} as const satisfies Record<
  | keyof UserDetail['userInfo']
  | Exclude<keyof UserDetail, 'authorities' | 'selected' | 'userInfo'>
  | 'menus'
  | 'unread',
  true
>
export const USER_FACTS: ReadonlySet<string> = new Set(Object.keys(USER))

/** Dictionaries of any tenant: names that pages on disk may use. */
export async function allDictionaries(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.system((trx) => trx.selectFrom('dict_type').select('key').distinct().execute())
  return new Set(rows.map(({ key }) => key))
}

/** The dictionaries of a tenant. */
export async function dictionariesOf(trx: Trx, tenantId: string): Promise<ReadonlySet<string>> {
  const rows = await trx.selectFrom('dict_type').select('key').where('tenant_id', '=', tenantId).execute()
  return new Set(rows.map(({ key }) => key))
}

/** Names that a tenant's own pages may use. */
export async function namesOfTenant(
  trx: Trx,
  tenantId: string,
  routes: ReadonlySet<string>,
): Promise<KnownNames> {
  return { dictionaries: await dictionariesOf(trx, tenantId), permissions: PERMISSIONS, routes }
}
