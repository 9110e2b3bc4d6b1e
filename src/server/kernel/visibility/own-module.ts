import { type RawBuilder, sql } from 'kysely'
import type { MergedModule } from '../../../model/merge-module.ts'
import { type Caller, scopeOf } from '../auth/caller.ts'
import { ownRights } from '../auth/permissions.ts'
import { type Carrier, type OwnedPart, ownedParts } from './owned-parts.ts'
import { isInScope, isLive, isShared } from './predicate.ts'

type Ruled = Pick<MergedModule, 'name' | 'behaviours'>

/**
 * Who sees a record of a tenant's own module: whose scope takes its owner in, and with `team` whoever it is shared with; without owners,
 * whoever may see the module.
 */
export const isOwnVisible = (caller: Caller, module: Ruled, row: string): RawBuilder<boolean> =>
  sql<boolean>`(${isLive(caller, row)} and ${isReached(caller, module, row, ['read', 'write'])})`

/** The same of a record that may be deleted, and without those that are shared; the query itself sees to the tenant. */
export const isOwnInScope = (caller: Caller, module: Ruled, row: string): RawBuilder<boolean> =>
  isReached(caller, module, row, [])

/** Who may change it, given the right to: whose scope takes its owner in, and whoever it is shared with for writing. */
export const isOwnWritable = (caller: Caller, module: Ruled, row: string): RawBuilder<boolean> =>
  isReached(caller, module, row, ['write'])

/** @param levels  at which it may be shared with the caller */
function isReached(
  caller: Caller,
  module: Ruled,
  row: string,
  levels: readonly ('read' | 'write')[],
): RawBuilder<boolean> {
  const isOfModule = sql<boolean>`${sql.ref(`${row}.module`)} = ${module.name}`
  const rights = ownRights(module.name)
  if (!module.behaviours.includes('owned') || scopeOf(caller, rights) === 'all') return isOfModule
  const inScope = isInScope(caller, rights, row)
  return hasTeam(module) && levels.length > 0
    ? sql<boolean>`(${isOfModule} and (${inScope} or ${isShared(caller, rights, row, levels)}))`
    : sql<boolean>`(${isOfModule} and ${inScope})`
}

/** {@link isOwnVisible} of a module with owners taken apart, where the scope of the caller is not everything. */
export const ownModuleParts = (
  caller: Caller,
  module: Ruled,
  row: string,
  carrier: Carrier,
): readonly OwnedPart[] | null =>
  ownedParts(caller, ownRights(module.name), row, carrier)?.filter(
    ({ by }) => by !== 'id' || hasTeam(module),
  ) ?? null

const hasTeam = ({ behaviours }: Ruled): boolean => behaviours.includes('team')
