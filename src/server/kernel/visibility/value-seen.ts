import { type RawBuilder, sql } from 'kysely'
import { holdsPermission } from '../../../contract/permission.ts'
import { rightName, rightsEntity } from '../../../model/field-rights.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { Caller } from '../auth/caller.ts'
import { isClear } from '../auth/field-rights.ts'
import { ownRights } from '../auth/permissions.ts'
import { isOwnInScope, isOwnVisible } from './own-module.ts'
import { isShippedListed } from './shipped.ts'

/**
 * Records `r` of a tenant of which the caller may be told the value of a field: those in their lists, and deleted ones in scope, if they see the
 * field in full. Who only describes modules is told how many there are.
 */
export function isValueSeen(
  module: MergedModule | undefined,
  field: string,
  caller: Caller,
): RawBuilder<boolean> {
  const none = sql<boolean>`false`
  const described = module?.fields.find(({ name }) => name === field)
  if (module === undefined || described === undefined) return none
  const isOwn = module.origin === 'tenant'
  const rights = isOwn ? ownRights(module.name) : module.name
  if (!holdsPermission(caller.permissions, `${rights}:view`)) return none
  if (!isClear(caller, rightsEntity(module), rightName(module, described))) return none
  if (!isOwn) return isShippedListed(caller, module.name, 'r')
  return sql<boolean>`(${isOwnVisible(caller, module, 'r')} or ${isOwnInScope(caller, module, 'r')})`
}
