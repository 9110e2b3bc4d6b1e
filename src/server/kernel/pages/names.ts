import type { KnownNames } from '../../../../runtime/core/check/known-names.ts'
import { ACTIONS } from '../auth/permissions.ts'
import type { Database, Trx } from '../db/database.ts'

/** Every right that a role can be given for the product. */
export const PERMISSIONS: ReadonlySet<string> = new Set(
  Object.entries(ACTIONS).flatMap(([module, actions]) => actions.map((action) => `${module}:${action}`)),
)

/** Dictionaries that some tenant has: what pages on disk may name. */
export async function allDictionaries(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.system((trx) => trx.selectFrom('dict_type').select('key').distinct().execute())
  return new Set(rows.map(({ key }) => key))
}

/** What a tenant's own pages may name. */
export async function namesOfTenant(
  trx: Trx,
  tenantId: string,
  routes: ReadonlySet<string>,
): Promise<KnownNames> {
  const rows = await trx.selectFrom('dict_type').select('key').where('tenant_id', '=', tenantId).execute()
  return { dictionaries: new Set(rows.map(({ key }) => key)), permissions: PERMISSIONS, routes }
}
