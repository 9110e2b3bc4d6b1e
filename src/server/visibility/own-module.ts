import { type RawBuilder, sql } from 'kysely'
import type { MergedModule } from '../../model/merge-module.ts'
import { type Caller, scopeOf } from '../auth/caller.ts'
import { ownRights } from '../auth/permissions.ts'
import { isInScope, isLive } from './predicate.ts'

/** Who sees a record of a tenant's own module: whose scope takes its owner in; without owners, whoever may see the module. */
export function isOwnVisible(
  caller: Caller,
  module: Pick<MergedModule, 'name' | 'behaviours'>,
  row: string,
): RawBuilder<boolean> {
  const isThere = sql<boolean>`${isLive(caller, row)} and ${sql.ref(`${row}.module`)} = ${module.name}`
  const rights = ownRights(module.name)
  if (!module.behaviours.includes('owned') || scopeOf(caller, rights) === 'all')
    return sql<boolean>`(${isThere})`
  return sql<boolean>`(${isThere} and ${isInScope(caller, rights, row)})`
}
