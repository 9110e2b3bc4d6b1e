import { type RawBuilder, sql } from 'kysely'
import { SYNC_ENTITIES, type SyncChanges, type SyncEntity } from '../../../contract/sync.ts'
import { requires } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { decodeCursor, encodeCursor, fingerprint } from '../../kernel/lists/cursor.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { withReach } from '../../kernel/visibility/reach.ts'
import { keysOf, type Reached, reachedBy, reachMark } from './places.ts'
import { endedBetween, isOfAnother, present, type Snapshot } from './snapshot.ts'
import { SYNCED } from './synced.ts'

/** Maximum records of one answer (DOMAIN 8.6). */
const PAGE = 500
/** How long changes are kept (`flows/jobs/cleaning.ts`). */
export const SYNC_DAYS = 14
const DAY_MS = 86_400_000

/** The request of the client. */
export interface ChangesBody {
  readonly since?: string | null
  readonly entities?: readonly SyncEntity[]
}

/** A snapshot and its time. */
interface Moment {
  readonly snapshot: Snapshot
  readonly at: number
}

/** The content of the cursor: progress through the lists, or through the changes between two snapshots. */
type Progress = Walk | Round
interface Walk {
  readonly start: Moment
  readonly entity: number
  readonly cursor: string | null
}
interface Round {
  readonly from: Moment
  readonly until: Moment | null
  readonly after: Change | null
}

/** Transaction, index of the entity in {@link SYNC_ENTITIES}, id. */
type Change = readonly [xid: number, entity: number, id: string]

/** The rows that one call adds to the answer, and where the next one continues. */
interface Step {
  readonly ids: readonly (readonly [SyncEntity, string])[]
  readonly progress: Progress
  readonly hasMore: boolean
}

/**
 * POST /mini/sync/changes: the changes that a client must apply to its copy of the caller's records (those with an owner; never records in pools).
 * First it receives everything, by the lists themselves; then, each time, the changes. Triggers record in `sync_change` which record changed in
 * which transaction and its owner before and after; whether the caller sees it now, and its content, is read when the answer is written.
 * A record that became invisible, for whatever reason, is one with a change in the caller's reach that can no longer be found.
 * Positions are snapshots, not times: a transaction that began early and ends late was running in the old snapshot and has ended in the new one,
 * so it is reported exactly then; there is no time lag, and nothing is sent twice for safety. A walk through the lists may meet rows that move:
 * everything
 * that changes after its first snapshot is sent again afterwards.
 * Whatever is not in the records (rights, departments, shared records and their expiry) is in the cursor as a fingerprint. If it changes, or
 * the cursor is older than the kept changes, the client starts over (`reset`).
 *
 * @throws Refusal 400 BAD_FILTER for a cursor that is not the caller's, 405 for an entity they may not see
 */
export async function changesOf(body: ChangesBody, given: CallContext): Promise<SyncChanges> {
  const ctx = await withReach(given)
  const entities = entitiesOf(body, ctx)
  const reached = await reachedBy(ctx, entities)
  const { snapshot, life } = await present(ctx.trx)
  const mark = `${reachMark(reached, entities)}${life}`
  const now: Moment = { snapshot, at: ctx.now.getTime() }
  const known = body.since ? readCursor(body.since, ctx) : null
  const goesOn = known !== null && known.mark === mark && !isForgotten(known.progress, now)
  const progress: Progress = goesOn ? known.progress : { start: now, entity: 0, cursor: null }
  const step =
    'start' in progress
      ? await walk(progress, entities, ctx)
      : await round(progress, progress.until ?? now, entities, reached)
  return {
    reset: !goesOn,
    ...(await draw(step.ids, ctx, 'from' in progress)),
    next: writeCursor(mark, step.progress, ctx),
    hasMore: step.hasMore,
  }
}

function entitiesOf({ entities }: ChangesBody, { caller }: CallContext): readonly SyncEntity[] {
  const allowed = SYNC_ENTITIES.filter((it) => {
    const { permission } = SYNCED[it]
    return permission === null || caller.permissions.has(permission)
  })
  const wanted = SYNC_ENTITIES.filter((it) => entities?.includes(it) ?? allowed.includes(it))
  for (const it of wanted) if (!allowed.includes(it)) requires(caller, SYNCED[it].permission ?? '')
  return wanted
}

/** The next page of the lists, one after the other. */
async function walk(
  { start, entity: first, cursor: begun }: Walk,
  entities: readonly SyncEntity[],
  ctx: CallContext,
): Promise<Step> {
  const ids: (readonly [SyncEntity, string])[] = []
  let cursor = begun
  for (let at = first; at < entities.length; at++) {
    const entity = entities[at] as SyncEntity
    const { list, tab } = SYNCED[entity]
    const limit = PAGE - ids.length
    const request = { tab, keyword: '', filters: [], sort: [], limit, ...(cursor === null ? {} : { cursor }) }
    const page = await openList<{ id: string }>(list, request, ctx).page(({ id }) => ({ id }))
    ids.push(...page.list.map((row) => [entity, (row as { id: string }).id] as const))
    cursor = page.nextCursor
    if (page.hasMore) return { ids, progress: { start, entity: at, cursor }, hasMore: true }
    const isLast = at === entities.length - 1
    if (ids.length === PAGE && !isLast)
      return { ids, progress: { start, entity: at + 1, cursor: null }, hasMore: true }
  }
  return { ids, progress: { from: start, until: null, after: null }, hasMore: false }
}

/** The next page of the changes recorded between two snapshots, in the order of transactions. */
async function round(
  { from, after }: Round,
  until: Moment,
  entities: readonly SyncEntity[],
  reached: Reached,
): Promise<Step> {
  const span = endedBetween(sql.ref('c.xid'), from.snapshot, until.snapshot)
  const { trx, caller } = reached.ctx
  const pages = entities.flatMap((entity) =>
    SYNCED[entity]
      .places(reached.ctx)
      .flatMap((place) => keysOf(reached, place))
      .map((keys) => {
        const number = SYNC_ENTITIES.indexOf(entity)
        // A single key is an equation, so that the rows come in the order of the index.
        const isOfKey = keys.length === 1 ? sql`c.key = ${keys[0]}` : sql`c.key = any(${[...keys]}::text[])`
        return sql`(select distinct c.xid, ${sql.lit(number)} as entity, c.id from sync_change c
          where c.tenant_id = ${caller.tenantId} and ${isOfKey} and c.entity = ${entity}
            and ${span} and ${isBehind(after, number)} order by c.xid, c.id limit ${PAGE + 1})`
      }),
  )
  const { rows } = await sql<{ xid: number; entity: number; id: string }>`
    select distinct xid, entity, id from (${sql.join(pages, sql` union all `)}) noted
    order by xid, entity, id limit ${PAGE + 1}`.execute(trx)
  const page = rows.slice(0, PAGE)
  const last = page.at(-1)
  const hasMore = rows.length > PAGE && last !== undefined
  return {
    ids: page.map(({ entity, id }) => [SYNC_ENTITIES[entity] as SyncEntity, id]),
    progress: hasMore
      ? { from, until, after: [last.xid, last.entity, last.id] }
      : { from: until, until: null, after: null },
    hasMore,
  }
}

function isBehind(after: Change | null, entity: number): RawBuilder<boolean> {
  if (after === null) return sql<boolean>`true`
  const [xid, last, id] = after
  if (entity === last) return sql<boolean>`(c.xid, c.id) > (${xid}::bigint, ${id})`
  return entity > last ? sql<boolean>`c.xid >= ${xid}::bigint` : sql<boolean>`c.xid > ${xid}::bigint`
}

/** The records for the ids; those that the caller does not see are reported as removed, if the client may have had a copy. */
async function draw(
  ids: Step['ids'],
  ctx: CallContext,
  hadCopy: boolean,
): Promise<Pick<SyncChanges, 'changed' | 'deleted'>> {
  const changed: SyncChanges['changed'][number][] = []
  const deleted: SyncChanges['deleted'][number][] = []
  for (const entity of SYNC_ENTITIES) {
    const wanted = [...new Set(ids.filter(([of]) => of === entity).map(([, id]) => id))]
    if (wanted.length === 0) continue
    const found = new Map(await SYNCED[entity].records(wanted, ctx))
    for (const id of wanted) {
      const record = found.get(id)
      if (record !== undefined) changed.push({ entity, id, record })
      else if (hadCopy) deleted.push({ entity, id })
    }
  }
  return { changed, deleted }
}

/** True if changes since then may no longer be stored. One day is a margin for transactions and clocks. */
function isForgotten(progress: Progress, now: Moment): boolean {
  const since = 'start' in progress ? progress.start : progress.from
  return now.at - since.at > (SYNC_DAYS - 1) * DAY_MS || isOfAnother(since.snapshot, now.snapshot)
}

const hashOf = ({ caller }: CallContext) => fingerprint(['sync', caller.tenantId, caller.userId])

function writeCursor(mark: string, progress: Progress, ctx: CallContext): string {
  return encodeCursor({ id: mark, values: [JSON.stringify(progress)] }, hashOf(ctx), ctx.cursorSecret)
}

function readCursor(
  cursor: string,
  ctx: CallContext,
): { readonly mark: string; readonly progress: Progress } {
  const position = decodeCursor(cursor, hashOf(ctx), ctx.cursorSecret)
  const [progress] = position?.values ?? []
  if (position === null || progress === undefined)
    refuse(400, 'BAD_FILTER', text('sync.bad-cursor'), { detail: 'since' })
  return { mark: position.id, progress: JSON.parse(progress) as Progress }
}
