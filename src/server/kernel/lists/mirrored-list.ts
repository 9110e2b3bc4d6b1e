import { type RawBuilder, sql } from 'kysely'
import type { Filter } from '../../../contract/list.ts'
import type { Asking } from '../asking/asking.ts'
import { type FilterContext, mirroredIds } from './filter-sql.ts'
import type { ListSpec } from './list-spec.ts'

/** Maximum records of a filter that are looked up one by one; a filter that finds more is met soon enough by walking the list. */
const RARE_MOST = 1000

/** What filters of a list depend on; lists of pools show what nobody holds, all others what somebody does. */
export const contextOf = (
  { row, pooled }: Pick<ListSpec, 'row' | 'pooled'>,
  { now, zone }: Pick<Asking, 'now' | 'zone'>,
): FilterContext => ({ row, now, zone, isHeld: pooled !== true })

/**
 * The ids that the rarest of the filters finds, read off the mirror of its field; null where none has one, or each finds too many. One
 * statement, whatever is asked.
 */
export async function rareIds(
  spec: ListSpec,
  filters: readonly Filter[],
  asking: Asking,
): Promise<readonly string[] | null> {
  const queries = filters.flatMap(
    (filter) => mirroredIds(filter, spec.filters, contextOf(spec, asking), asking.caller.tenantId) ?? [],
  )
  if (queries.length === 0) return null
  const each = queries.map((query, i) => sql`array(${query} limit ${RARE_MOST + 1}) as ${sql.ref(`i${i}`)}`)
  const { rows } = await sql<Record<string, readonly string[]>>`select ${sql.join(each)}`.execute(asking.trx)
  const found = Object.values(rows[0] ?? {}).sort((a, b) => a.length - b.length)
  const [rarest] = found
  return rarest === undefined || rarest.length > RARE_MOST ? null : [...new Set(rarest)]
}

/** A query of what all mirrored filters find together, read by index alone; null without one. */
export function idsOfAll(
  spec: ListSpec,
  filters: readonly Filter[],
  asking: Asking,
): RawBuilder<unknown> | null {
  const { tenantId } = asking.caller
  const found = filters.flatMap(
    (filter) => mirroredIds(filter, spec.filters, contextOf(spec, asking), tenantId) ?? [],
  )
  return found.length === 0 ? null : sql.join(found, sql` intersect `)
}
