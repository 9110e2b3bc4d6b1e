import { sql } from 'kysely'
import { indexedFields } from '../../../model/indexed-fields.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { MODULE_CHANNEL } from '../../kernel/model/library.ts'
import { lockModules } from '../../kernel/model/overrides.ts'
import { mirrorFields, mirrorKey } from '../../kernel/model/own-index.ts'

/**
 * Fills the mirrored fields of a module shipped with the product, at the first record in a tenant and at the first one after an update of the
 * product. A tenant who never uses the module has none of it in the database.
 */
export async function beginMirrors(module: MergedModule, { trx, caller, model }: CallContext): Promise<void> {
  if (module.shipped !== true) return
  const isKnown = ({ field }: { readonly field: string }): boolean =>
    model.mirrored.has(mirrorKey(module.name, field))
  if (indexedFields(module).every(isKnown)) return
  await lockModules(trx, caller.tenantId)
  if (await mirrorFields(trx, caller, module))
    await sql`select pg_notify(${MODULE_CHANNEL}, ${caller.tenantId})`.execute(trx)
}
