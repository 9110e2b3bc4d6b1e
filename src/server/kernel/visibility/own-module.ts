import { type RawBuilder, sql } from 'kysely'
import { rightsEntity } from '../../../model/field-rights.ts'
import { maskedInPools } from '../../../model/followed-fields.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { type Caller, scopeOf } from '../auth/caller.ts'
import { ownRights } from '../auth/permissions.ts'
import { combineMasks, type Mask, rightsMask } from './masking.ts'
import { type Carrier, type OwnedPart, ownedParts } from './owned-parts.ts'
import { isInScope, isLive, isShared, poolsOf } from './predicate.ts'

type Ruled = Pick<MergedModule, 'name' | 'behaviours'>

/**
 * Visibility of a record of a tenant's own module: users whose data scope includes its owner and, with `team`, users it is shared with; in a
 * module without owners, every user who may see the module. A record in a pool is only in the list of the pool ({@link isInOwnPool}).
 */
export const isOwnVisible = (caller: Caller, module: Ruled, row: string): RawBuilder<boolean> =>
  sql<boolean>`(${isLive(caller, row)} and ${isAccessible(caller, module, row, ['read', 'write'])})`

/** The rule without shared records; it also covers deleted records. The query itself must limit the tenant. */
export const isOwnInScope = (caller: Caller, module: Ruled, row: string): RawBuilder<boolean> =>
  isAccessible(caller, module, row, [])

/** Users with the right to edit may change a record if their scope includes its owner, or if it is shared with them for writing. */
export const isOwnWritable = (caller: Caller, module: Ruled, row: string): RawBuilder<boolean> =>
  isAccessible(caller, module, row, ['write'])

/** True for records in a pool of the module that the caller may view, including deleted records. */
export function isInOwnPool(caller: Caller, module: Ruled, row: string): RawBuilder<boolean> {
  const rights = ownRights(module.name)
  if (!hasPools(module) || !caller.permissions.has(`${rights}:pool`)) return sql<boolean>`false`
  return sql<boolean>`(${isOfModule(module, row)} and ${sql.ref(`${row}.owner_id`)} is null
    and ${sql.ref(`${row}.pool_id`)} = any(array(${poolsOf(caller, rights)})))`
}

/** {@link isOwnVisible}, and records in pools that the caller may view. */
export const isOwnSearchable = (caller: Caller, module: Ruled, row: string): RawBuilder<boolean> =>
  hasPools(module)
    ? sql<boolean>`(${isOwnVisible(caller, module, row)} or (${isLive(caller, row)} and ${isInOwnPool(caller, module, row)}))`
    : isOwnVisible(caller, module, row)

/** True for deleted records that the caller may restore: in scope, or from a pool they may delete from. The query itself must limit the tenant. */
export const isOwnRestorable = (caller: Caller, module: Ruled, row: string): RawBuilder<boolean> =>
  hasPools(module)
    ? sql<boolean>`(${isOwnInScope(caller, module, row)} or ${isInOwnPool(caller, module, row)})`
    : isOwnInScope(caller, module, row)

/** @param levels  levels of sharing that give access */
function isAccessible(
  caller: Caller,
  module: Ruled,
  row: string,
  levels: readonly ('read' | 'write')[],
): RawBuilder<boolean> {
  const rights = ownRights(module.name)
  const isOwnerless = !module.behaviours.includes('owned')
  if (isOwnerless || (scopeOf(caller, rights) === 'all' && !hasPools(module))) return isOfModule(module, row)
  const inScope = isInScope(caller, rights, row)
  return hasTeam(module) && levels.length > 0
    ? sql<boolean>`(${isOfModule(module, row)} and (${inScope} or ${isShared(caller, rights, row, levels)}))`
    : sql<boolean>`(${isOfModule(module, row)} and ${inScope})`
}

/** {@link isOwnVisible} of a module with owners, divided into parts, unless the caller's scope is everything. */
export const ownModuleParts = (
  caller: Caller,
  module: Ruled,
  row: string,
  carrier: Carrier,
): readonly OwnedPart[] | null =>
  ownedParts(caller, ownRights(module.name), row, carrier)?.filter(
    ({ by }) => by !== 'id' || hasTeam(module),
  ) ?? null

/** True for a record without an owner whose module has pools. */
export const isPooled = (module: Ruled, { owner_id }: { readonly owner_id: string | null }): boolean =>
  owner_id === null && hasPools(module)

/** The mask of each record of a module: fields that the caller's roles may not see and, in a pool, fields that the module masks there. */
export function masksOfOwn(
  caller: Caller,
  module: MergedModule,
): (row: { readonly owner_id: string | null }) => Mask {
  const rights = rightsMask(caller, rightsEntity(module))
  const inPool = combineMasks(rights, { masked: maskedInPools(module), hidden: new Set() })
  return (row) => (isPooled(module, row) ? inPool : rights)
}

const isOfModule = ({ name }: Ruled, row: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${row}.module`)} = ${name}`
const hasTeam = ({ behaviours }: Ruled): boolean => behaviours.includes('team')
const hasPools = ({ behaviours }: Ruled): boolean => behaviours.includes('pool')
