import { type RawBuilder, sql } from 'kysely'
import type { Filter } from '../../../contract/list.ts'
import type { Asking } from '../asking/asking.ts'
import { isMirrored, lookedUp } from './branches.ts'
import { mirroredIds } from './filter-sql.ts'
import type { ListSpec } from './list-spec.ts'

/**
 * A list whose rows are found by mirrors where filters name mirrored fields: once the first rows of the list were tested for them and did not
 * fill a page, so few pass that their ids are asked for. A list that is walked in a mirror's order needs no more than its own branches.
 */
export function withMirrors(spec: ListSpec): ListSpec {
  const { branches, table } = spec
  if (branches === undefined || table === undefined) return spec
  return {
    ...spec,
    branches(asking, tab, sorts, filters) {
      const found = branches(asking, tab, sorts, filters)
      if (found === null) return null
      const ids = idsOf(spec, asking, filters)
      if (ids === null) return isMirrored(sorts) && filters.length > 0 ? null : found
      const at = (column: string) => sql.ref(`${spec.row}.${column}`)
      const isFound = sql<boolean>`(${at('tenant_id')} = ${asking.caller.tenantId} and ${at('id')} = any(array(${ids}))
        and ${spec.visible(asking)})`
      return { each: [lookedUp(spec.row, table, isFound)] }
    },
  }
}

/** What all mirrored filters find; null without one. */
function idsOf(
  spec: ListSpec,
  { caller, now, zone }: Asking,
  filters: readonly Filter[],
): RawBuilder<unknown> | null {
  const found = filters.flatMap(
    (filter) => mirroredIds(filter, spec.filters, { row: spec.row, now, zone }, caller.tenantId) ?? [],
  )
  return found.length === 0 ? null : sql.join(found, sql` intersect `)
}
