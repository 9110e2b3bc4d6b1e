import { type RawBuilder, sql } from 'kysely'
import { type Caller, scopeOf } from '../auth/caller.ts'
import { departmentsInScope, isLive, type OwnedEntity, sharedIds } from './predicate.ts'

/** A part of the rows with an owner that a caller sees, which an index of the named column answers, in the order of a sort. */
export interface OwnedPart {
  readonly by: 'owner' | 'dept' | 'id'
  /** True where rows of others are in it. */
  readonly hasOthers: boolean
  readonly where: RawBuilder<boolean>
}

/** So many parts are merged at most; somebody who sees more sees so much of the tenant that its own order serves. */
const PARTS_MOST = 40

/**
 * `isVisibleOwned` taken apart: each row is in exactly one part.
 * @returns null where the rule is better asked as a whole: everything, too many parts, or nothing looked up (`withReach`)
 */
export function ownedParts(
  caller: Caller,
  entity: Exclude<OwnedEntity, 'contract'>,
  row: string,
): readonly OwnedPart[] | null {
  const { reach, userId } = caller
  const scope = scopeOf(caller, entity)
  if (reach === undefined || scope === 'all') return null
  const owner = sql.ref(`${row}.owner_id`)
  const dept = sql.ref(`${row}.owner_dept_id`)
  const people = scope === 'self_sub' ? [...new Set([userId, ...reach.people])] : [userId]
  const depts = departmentsInScope(caller, entity, reach)
  if (people.length + depts.length > PARTS_MOST) return null
  const others = sql`${owner} <> all(${people}::text[])`
  const elsewhere =
    depts.length === 0 ? sql`true` : sql`(${dept} is null or ${dept} <> all(${[...depts]}::text[]))`
  const shared = sharedIds(reach, entity, ['read', 'write'])
  const ids = [...new Set([...shared, ...(entity === 'customer' ? reach.customers : [])])]
  const part = (by: OwnedPart['by'], hasOthers: boolean, where: RawBuilder<unknown>): OwnedPart => ({
    by,
    hasOthers,
    where: sql<boolean>`(${isLive(caller, row)} and ${owner} is not null and ${where})`,
  })
  return [
    ...people.map((id) => part('owner', id !== userId, sql`${owner} = ${id}`)),
    ...depts.map((id) => part('dept', true, sql`${dept} = ${id} and ${others}`)),
    ...(ids.length === 0
      ? []
      : [
          part('id', true, sql`${sql.ref(`${row}.id`)} = any(${ids}::text[]) and ${others} and ${elsewhere}`),
        ]),
  ]
}
