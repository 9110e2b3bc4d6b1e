import { type RawBuilder, sql } from 'kysely'
import { MAX_LEVELS } from '../../../model/tree.ts'
import type { CallContext } from '../context/call-context.ts'
import { text } from '../text/text.ts'

/** Records that stand below each other: customers, and those of own modules that say `tree`. */
export interface Tree {
  /** What is held while they are put below each other, within a tenant. */
  readonly lock: string
  /** What people call the record above. */
  readonly label: string
  /** A query for the record with an id, in the recycle bin too: `id`, `parent_id`, and `visible` if the caller sees it. */
  readonly record: (id: RawBuilder<unknown>) => RawBuilder<unknown>
  /** A query for the `id`s directly below a record. */
  readonly below: (id: RawBuilder<unknown>) => RawBuilder<unknown>
}

/** Evaluated once per row, by its index: the planner would otherwise read all records for each level. */
const perRow = (query: RawBuilder<unknown>) => sql`lateral (${query} offset 0) c`

/**
 * Holds the trees of the tenant until the transaction ends: of two that move records about, one sees what the other did. Take it before a
 * record is held, or people are.
 */
export async function lockTree(
  { lock }: Pick<Tree, 'lock'>,
  { trx, caller }: Pick<CallContext, 'trx' | 'caller'>,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${lock}/${caller.tenantId}`}, 0))`.execute(trx)
}

/**
 * Whether a record may stand below another: the other is there for the caller to see, no circle, five levels at most (DOMAIN 1.1).
 *
 * @param id  the record itself; null while it is new
 * @returns a sentence, or null when all is well
 */
export async function parentFault(
  tree: Tree,
  parentId: string,
  id: string | null,
  ctx: CallContext,
): Promise<string | null> {
  const { label } = tree
  if (parentId === id) return text('tree.is-itself', { label })
  await lockTree(tree, ctx)
  const above = await standingAbove(tree, parentId, ctx)
  if (above[0]?.visible !== true) return text('tree.unknown', { label })
  if (above.some((one) => one.id === id)) return text('tree.is-below', { label })
  return above.length + 1 + (await levelsBelow(tree, id, ctx)) > MAX_LEVELS
    ? text('tree.deep', { label, most: MAX_LEVELS })
    : null
}

/** Whether a record that comes back from the recycle bin fits where it stood. What stood above it and is gone counts for nothing. */
export async function fitsBack(tree: Tree, parentId: string, id: string, ctx: CallContext): Promise<boolean> {
  const above = await standingAbove(tree, parentId, ctx)
  if (above.length === 0) return true
  return (
    above.every((one) => one.id !== id) && above.length + 1 + (await levelsBelow(tree, id, ctx)) <= MAX_LEVELS
  )
}

/** Those of the records that are the one named or stand somewhere below it. */
export async function atOrBelow(
  tree: Tree,
  id: string,
  among: readonly string[],
  { trx }: Pick<CallContext, 'trx'>,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ of: string }>`
    with recursive up as (
      select a.id as of, c.id, c.parent_id, 1 as depth from unnest(${[...among]}::text[]) a (id)
        cross join ${perRow(tree.record(sql`a.id`))}
      union all
      select up.of, c.id, c.parent_id, up.depth + 1 from up cross join ${perRow(tree.record(sql`up.parent_id`))}
        where up.depth <= ${MAX_LEVELS}
    ) select distinct of from up where id = ${id}`.execute(trx)
  return new Set(rows.map(({ of }) => of))
}

/** A record and all that it stands below, the nearest first, as far as a tree may be high and one more. */
async function standingAbove({ record }: Tree, id: string, { trx }: Pick<CallContext, 'trx'>) {
  const { rows } = await sql<{ id: string; visible: boolean }>`
    with recursive up as (
      select c.id, c.parent_id, 1 as depth, c.visible from (${record(sql`${id}`)}) c
      union all
      select c.id, c.parent_id, up.depth + 1, true from up cross join ${perRow(record(sql`up.parent_id`))}
        where up.depth <= ${MAX_LEVELS}
    ) select id, visible from up order by depth`.execute(trx)
  return rows
}

async function levelsBelow(
  { below }: Tree,
  id: string | null,
  { trx }: Pick<CallContext, 'trx'>,
): Promise<number> {
  if (id === null) return 0
  const { rows } = await sql<{ depth: number }>`
    with recursive down as (
      select c.id, 1 as depth from (${below(sql`${id}`)}) c
      union all
      select c.id, down.depth + 1 from down cross join ${perRow(below(sql`down.id`))} where down.depth <= ${MAX_LEVELS}
    ) select coalesce(max(depth), 0) as depth from down`.execute(trx)
  return rows[0]?.depth ?? 0
}
