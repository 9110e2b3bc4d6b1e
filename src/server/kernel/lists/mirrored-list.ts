import { type RawBuilder, sql } from 'kysely'
import type { Filter } from '../../../contract/list.ts'
import type { TenantModel } from '../model/library.ts'
import { canonical } from '../text/canonical.ts'
import { mirroredIds, mirroredTest } from './filter-sql.ts'
import { contextOf, type Question } from './question.ts'

/** Maximum records of a filter that are looked up one by one; a filter that finds more is met soon enough by walking the list. */
const MAX_RARE = 1000

/**
 * Filters recently found to match many records, with the time: they are not counted again for every page. A wrong entry only causes a slower query.
 */
const frequent = new WeakMap<TenantModel, Map<string, number>>()
const CACHE_MS = 10 * 60_000
const MAX_CACHED = 2000

/** A filter that its mirror can answer, its identity, and a query of its matches. */
interface Mirrored {
  readonly field: string
  readonly key: string
  readonly query: RawBuilder<unknown>
}

function queriesOf({ spec, request, ctx }: Question): readonly Mirrored[] {
  const { tenantId } = ctx.caller
  const context = contextOf(spec, ctx)
  return request.filters.flatMap((filter) => {
    const query = mirroredIds(filter, spec.filters, context, tenantId)
    const key = `${spec.entity}/${context.isHeld}/${canonical(filter)}`
    return query === null ? [] : [{ field: filter.field, key, query }]
  })
}

/**
 * The ids that the most selective filter matches, from the mirror of its field; null if no filter has one, or each matches too many. Always one
 * statement.
 */
export async function rareIds(question: Question): Promise<readonly string[] | null> {
  const { model, now, trx } = question.ctx
  const known = frequent.get(model) ?? new Map<string, number>()
  frequent.set(model, known)
  const stale = queriesOf(question).filter(({ key }) => now.getTime() - (known.get(key) ?? 0) > CACHE_MS)
  if (stale.length === 0) return null
  const each = stale.map(
    (
      { query },
      i,
    ) => sql`(select case when count(*) <= ${MAX_RARE} then coalesce(array_agg(f.record_id), '{}') end
      from (${query} limit ${MAX_RARE + 1}) f) as ${sql.ref(`i${i}`)}`,
  )
  const { rows } = await sql<Record<string, readonly string[] | null>>`select ${sql.join(each)}`.execute(trx)
  const found = stale.map(({ key }, i) => ({ key, ids: rows[0]?.[`i${i}`] ?? null }))
  for (const { key, ids } of found) if (ids === null) note(known, key, now.getTime())
  const [rarest] = found.flatMap(({ ids }) => (ids === null ? [] : [ids])).sort((a, b) => a.length - b.length)
  return rarest === undefined ? null : [...new Set(rarest)]
}

function note(known: Map<string, number>, key: string, at: number): void {
  if (known.size >= MAX_CACHED) known.clear()
  known.set(key, at)
}

/** A query of the ids that match all mirrored filters, each record once, using indexes only; null without mirrored filters. */
export function idsOfAll(question: Question): RawBuilder<unknown> | null {
  const found = queriesOf(question)
  const [only, ...more] = found
  if (only === undefined) return null
  const queries = found.map(({ query }) => query)
  if (more.length > 0) return sql.join(queries, sql` intersect `)
  // A record with several values may match several times; those with a single one are unique, in the order of the query.
  const isOnce = question.spec.filters[only.field]?.kind !== 'codes'
  return isOnce ? only.query : sql`select distinct f.record_id from (${only.query}) f`
}

/** The request without the filters that {@link idsOfAll} answers. */
export function withoutMirrored(question: Question): Question {
  const { spec, request, ctx } = question
  const context = contextOf(spec, ctx)
  const record = { tenantId: sql`null`, id: sql`null` }
  const isLeft = (filter: Filter) => mirroredTest(filter, spec.filters, context, record) === null
  return { ...question, request: { ...request, filters: request.filters.filter(isLeft) } }
}
