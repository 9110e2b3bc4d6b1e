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

/** A part of the rows with an owner that a caller sees, which an index of the named column answers, in the order of a sort. */
export interface OwnedPart {
  readonly by: 'owner' | 'dept' | 'id'
  /** Whose rows they are, an owner's or a department's; null: everybody's. */
  readonly holder: string | null
  readonly tenantId: string
  /** True where rows of others are in it. */
  readonly hasOthers: boolean
  /** People whose rows are in other parts. */
  readonly without: readonly string[]
  readonly where: RawBuilder<boolean>
}

/** A table whose rows carry the owner and department of a record. */
export interface Carrier {
  /** Its column that names the record. */
  readonly id: string
  /** Its rows that count; absent: those not deleted. */
  readonly live?: RawBuilder<boolean>
}

/** Maximum parts that are merged; somebody who sees more sees so much of the tenant that its own order is the faster way. */
const PARTS_MOST = 40

/** Number of people or departments in the statement; unused places hold nothing. */
const STEPS = [4, 12, PARTS_MOST]
const NOBODY = ''

/**
 * The same statement serves all whose reach is of one step: it is prepared once, and not for each number of departments there is. No rows of
 * nobody cost one look into an index.
 */
function inSteps(ids: readonly string[]): readonly string[] {
  const size = STEPS.find((step) => step >= ids.length) ?? ids.length
  return [...ids, ...Array<string>(size - ids.length).fill(NOBODY)]
}

/**
 * `isVisibleOwned` taken apart: each row is in exactly one part. What the parts are follows from the caller's scope and a step of its size alone.
 * @param carrier  the table behind `row`, when it is not the entity's own
 * @returns null where the rule is better asked as a whole: everything, too many parts, or one whose parts were not looked up (`withReach`)
 */
export function ownedParts(
  caller: Caller,
  entity: Owned,
  row: string,
  carrier: Carrier = { id: 'id' },
): readonly OwnedPart[] | null {
  const { reach, userId } = caller
  const scope = scopeOf(caller, entity)
  if (scope === 'all' || (reach === undefined && isLookedUp(scope))) return null
  const live = carrier.live ?? isLive(caller, row)
  const owner = columnNamed(`${row}.owner_id`)
  const dept = columnNamed(`${row}.owner_dept_id`)
  const own = scope === 'self_sub' ? [...new Set([userId, ...(reach?.people ?? [])])] : [userId]
  const below = departmentsInScope(caller, entity, reach)
  if (own.length + below.length > PARTS_MOST) return null
  const people = scope === 'self_sub' ? inSteps(own) : own
  const depts = scope === 'dept_sub' || scope === 'dept_custom' ? inSteps(below) : below
  const others = sql`${owner} <> all(${people}::text[])`
  const elsewhere =
    depts.length === 0 ? sql`true` : sql`(${dept} is null or ${dept} <> all(${[...depts]}::text[]))`
  const ids =
    reach === undefined
      ? sql`array(${reachedBy(caller, entity)})`
      : sql`${[...reachedIds(reach, entity)]}::text[]`
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
    ...depts.map((id) => part('dept', id, true, sql`${dept} = ${id} and ${others}`)),
    part(
      'id',
      null,
      true,
      sql`${columnNamed(`${row}.${carrier.id}`)} = any(${ids}) and ${others} and ${elsewhere}`,
    ),
  ]
}

/** All rows of somebody, or of everybody, as one part. */
export const wholePart = (
  { tenantId }: Caller,
  holder: string | null,
  where: RawBuilder<boolean>,
): OwnedPart => ({ by: 'owner', holder, tenantId, hasOthers: holder === null, without: [], where })

/** Scopes that come down to people or departments who have to be looked up. */
const isLookedUp = (scope: DataScope): boolean => scope === 'self_sub' || scope === 'dept_sub'

/** True for somebody of whose rows every part is known without looking anything up. */
export const isScopedPlainly = ({ scopes }: Caller): boolean => !Object.values(scopes).some(isLookedUp)

/** {@link reachedIds} as a query. */
function reachedBy(caller: Caller, entity: Owned): RawBuilder<unknown> {
  const shared = sharedWith(caller, entity, ['read', 'write'])
  return entity === 'customer' ? sql`${shared} union all ${customersOfMine(caller)}` : shared
}

/** Records that are seen by their id, whoever has them. */
export function reachedIds(reach: Reach, entity: Owned): ReadonlySet<string> {
  const shared = sharedIds(reach, entity, ['read', 'write'])
  return new Set([...shared, ...(entity === 'customer' ? reach.customers : [])])
}
