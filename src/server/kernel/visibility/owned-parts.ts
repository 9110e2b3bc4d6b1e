import { type RawBuilder, sql } from 'kysely'
import { type Caller, type Reach, scopeOf } from '../auth/caller.ts'
import type { DataScope } from '../auth/permissions.ts'
import { columnNamed } from '../db/column.ts'
import {
  customersOfMine,
  departmentsInScope,
  isLive,
  type Owned,
  sharedIds,
  sharedWith,
} from './predicate.ts'

/** A subset of the visible rows with an owner that an index on the named column returns, in the order of a sort. */
export interface OwnedPart {
  readonly by: 'owner' | 'dept' | 'id'
  /** The owner or department of the rows; null: rows of all owners. */
  readonly holder: string | null
  readonly tenantId: string
  /** True if it contains rows of others. */
  readonly hasOthers: boolean
  /** People whose rows are in other parts. */
  readonly without: readonly string[]
  readonly where: RawBuilder<boolean>
}

/** A table whose rows carry the owner and department of a record. */
export interface Carrier {
  /** Its column with the id of the record. */
  readonly id: string
  /** Its rows that count; absent: those not deleted. */
  readonly live?: RawBuilder<boolean>
}

/** Maximum parts that are merged. A caller with more sees most of the tenant's rows, which are read faster in the tenant's order. */
const MAX_PARTS = 40

/** Sizes of the list of users or departments in the statement; unused entries are empty. */
const SIZE_CLASSES = [4, 12, MAX_PARTS]
const NOBODY = ''

/**
 * Callers whose scope has the same size class share a statement: it is prepared once, and not for each number of departments. An unused entry costs
 * one index lookup.
 */
function padded(ids: readonly string[]): readonly string[] {
  const size = SIZE_CLASSES.find((step) => step >= ids.length) ?? ids.length
  return [...ids, ...Array<string>(size - ids.length).fill(NOBODY)]
}

/**
 * `isVisibleOwned` divided into parts: each row is in exactly one part. The parts depend only on the caller's scope and its size class.
 *
 * @param carrier  the table behind `row`, if it is not the entity's own
 * @returns null if one condition for all rows is better: everything, too many parts, or parts that were not looked up (`withReach`)
 */
export function ownedParts(
  caller: Caller,
  entity: Owned,
  row: string,
  carrier: Carrier = { id: 'id' },
): readonly OwnedPart[] | null {
  const { reach, userId } = caller
  const scope = scopeOf(caller, entity)
  if (scope === 'all' || (reach === undefined && needsLookup(scope))) return null
  const live = carrier.live ?? isLive(caller, row)
  const owner = columnNamed(`${row}.owner_id`)
  const dept = columnNamed(`${row}.owner_dept_id`)
  const owners = scope === 'self_sub' ? [...new Set([userId, ...(reach?.people ?? [])])] : [userId]
  const below = departmentsInScope(caller, entity, reach)
  if (owners.length + below.length > MAX_PARTS) return null
  const people = scope === 'self_sub' ? padded(owners) : owners
  const depts = scope === 'dept_sub' || scope === 'dept_custom' ? padded(below) : below
  const isOthers = sql`${owner} <> all(${people}::text[])`
  const isOutsideDepartments =
    depts.length === 0 ? sql`true` : sql`(${dept} is null or ${dept} <> all(${[...depts]}::text[]))`
  const ids =
    reach === undefined
      ? sql`array(${accessibleIdsQuery(caller, entity)})`
      : sql`${[...accessibleIds(reach, entity)]}::text[]`
  const part = (
    by: OwnedPart['by'],
    holder: string | null,
    hasOthers: boolean,
    where: RawBuilder<unknown>,
  ): OwnedPart => ({
    by,
    holder,
    tenantId: caller.tenantId,
    hasOthers,
    without: by === 'owner' ? [] : people,
    where: sql<boolean>`(${live} and ${owner} is not null and ${where})`,
  })
  return [
    ...people.map((id) => part('owner', id, id !== userId, sql`${owner} = ${id}`)),
    ...depts.map((id) => part('dept', id, true, sql`${dept} = ${id} and ${isOthers}`)),
    part(
      'id',
      null,
      true,
      sql`${columnNamed(`${row}.${carrier.id}`)} = any(${ids}) and ${isOthers} and ${isOutsideDepartments}`,
    ),
  ]
}

/** All rows of one owner, or of all owners, as one part. */
export const singlePart = (
  { tenantId }: Caller,
  holder: string | null,
  where: RawBuilder<boolean>,
): OwnedPart => ({ by: 'owner', holder, tenantId, hasOthers: holder === null, without: [], where })

/** True for scopes that must be resolved to users or departments by a query. */
const needsLookup = (scope: DataScope): boolean => scope === 'self_sub' || scope === 'dept_sub'

/** True for a caller whose parts are all known without a query. */
export const needsNoLookup = ({ scopes }: Caller): boolean => !Object.values(scopes).some(needsLookup)

/** {@link accessibleIds} as a query. */
function accessibleIdsQuery(caller: Caller, entity: Owned): RawBuilder<unknown> {
  const shared = sharedWith(caller, entity, ['read', 'write'])
  return entity === 'customer' ? sql`${shared} union all ${customersOfMine(caller)}` : shared
}

/** Ids of records that are visible to the caller whoever owns them. */
export function accessibleIds(reach: Reach, entity: Owned): ReadonlySet<string> {
  const shared = sharedIds(reach, entity, ['read', 'write'])
  return new Set([...shared, ...(entity === 'customer' ? reach.customers : [])])
}
