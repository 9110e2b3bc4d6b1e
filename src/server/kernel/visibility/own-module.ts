import { type RawBuilder, sql } from 'kysely'
import type { MergedModule } from '../../../model/merge-module.ts'
import { type Caller, scopeOf } from '../auth/caller.ts'
import { ownRights } from '../auth/permissions.ts'
import { isInScope, isLive } from './predicate.ts'

type Ruled = Pick<MergedModule, 'name' | 'behaviours'>

/**
 * Who sees a record of a tenant's own module: everybody whose scope includes its owner; in a module without owners, everybody who may see the module.
 */
export const isOwnVisible = (caller: Caller, module: Ruled, row: string): RawBuilder<boolean> =>
  sql<boolean>`(${isLive(caller, row)} and ${isOwnInScope(caller, module, row)})`

/** The same for a record that may be deleted; the query itself restricts the tenant. */
export function isOwnInScope(caller: Caller, module: Ruled, row: string): RawBuilder<boolean> {
  const isOfModule = sql<boolean>`${sql.ref(`${row}.module`)} = ${module.name}`
  const rights = ownRights(module.name)
  if (!module.behaviours.includes('owned') || scopeOf(caller, rights) === 'all') return isOfModule
  return sql<boolean>`(${isOfModule} and ${isInScope(caller, rights, row)})`
}
