import type { Selectable } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'
import { etagOf } from '../../kernel/pages/page-version.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import type { Change, ChangeResult } from './item-kind.ts'
import { inOrder } from './order.ts'
import type { ChangeSetItemTable, ChangeSetTable, SetStatus } from './tables.ts'

export type ChangeSet = Selectable<ChangeSetTable>
export type Item = Selectable<ChangeSetItemTable>

/** A larger set could not be reviewed. */
const MAX_ITEMS = 100

/** The transaction, and the owner of the sets. */
interface In {
  readonly trx: CallContext['trx']
  readonly caller: Pick<CallContext['caller'], 'tenantId'>
}

/** @throws Refusal 404 */
export async function findSet(id: string, ctx: In): Promise<ChangeSet> {
  return (await selectSet(id, ctx).executeTakeFirst()) ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** A set, locked until the transaction ends. @throws Refusal 404 */
export async function lockChangeSet(id: string, ctx: In): Promise<ChangeSet> {
  const found = await selectSet(id, ctx).forUpdate().executeTakeFirst()
  return found ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

const selectSet = (id: string, { trx, caller }: In) =>
  trx.selectFrom('change_set').selectAll().where('tenant_id', '=', caller.tenantId).where('id', '=', id)

/** @throws Refusal 409 for a set that is not in one of these states */
export function refuseOutOf(states: readonly SetStatus[], { status }: ChangeSet): void {
  if (!states.includes(status)) refuse(409, 'STATE_CONFLICT', text(`changeset.is.${status}`))
}

/** The changes of a set in the order in which they are applied. */
export async function itemsOf(id: string, { trx, caller }: In): Promise<readonly Item[]> {
  const rows = await trx
    .selectFrom('change_set_item')
    .selectAll()
    .where('tenant_id', '=', caller.tenantId)
    .where('set_id', '=', id)
    .orderBy('name')
    .execute()
  return inOrder(rows)
}

/** The set that the caller is working on: the one they named, the last they started, or a new one. */
export async function openSetOf(id: string | undefined, host: string, ctx: CallContext): Promise<ChangeSet> {
  if (id !== undefined && id !== '') {
    const named = await lockChangeSet(id, ctx)
    refuseOutOf(['open'], named)
    return named
  }
  const last = await lastOpen(ctx)
  return lockChangeSet(last?.id ?? (await beginSet('', host, ctx)), ctx)
}

/** The set that the caller is working on; null if they have started none. */
export async function lastOpen({ trx, caller }: CallContext): Promise<ChangeSet | null> {
  const row = await trx
    .selectFrom('change_set')
    .selectAll()
    .where('tenant_id', '=', caller.tenantId)
    .where('created_by', '=', caller.userId)
    .where('status', '=', 'open')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Starts a set. @returns its id */
export async function beginSet(
  title: string,
  host: string,
  { trx, caller, now }: CallContext,
): Promise<string> {
  const id = newId(now.getTime())
  await trx
    .insertInto('change_set')
    .values({
      tenant_id: caller.tenantId,
      id,
      title: title === '' ? text('changeset.untitled', { by: caller.name }) : title,
      host,
      created_by: caller.userId,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

export async function changeSet(
  set: Pick<ChangeSet, 'id'>,
  change: Partial<Omit<ChangeSet, 'tenant_id' | 'id' | 'audience'>> & {
    readonly audience?: JsonObject | null
  },
  { trx, caller, now }: In & Pick<CallContext, 'now'>,
): Promise<void> {
  const { audience, ...plain } = change
  await trx
    .updateTable('change_set')
    .set({ ...plain, ...(audience === undefined ? {} : { audience: json(audience) }), updated_at: now })
    .where('tenant_id', '=', caller.tenantId)
    .where('id', '=', set.id)
    .execute()
}

/** Stores a change in a set; replaces an earlier change of the same target. */
export async function storeItem(
  set: Pick<ChangeSet, 'id'>,
  kind: Item['kind'],
  change: Change,
  { title, words }: Pick<ChangeResult, 'title' | 'words'>,
  ctx: CallContext,
): Promise<void> {
  const { trx, caller, now } = ctx
  const existing = await trx
    .selectFrom('change_set_item')
    .select(['kind', 'name'])
    .where('tenant_id', '=', caller.tenantId)
    .where('set_id', '=', set.id)
    .execute()
  const isNew = !existing.some((one) => one.kind === kind && one.name === change.name)
  if (isNew && existing.length >= MAX_ITEMS)
    refuse(422, 'BATCH_TOO_LARGE', text('changeset.too-many', { most: MAX_ITEMS }))
  const row = {
    title,
    content: json(change.content),
    base: json(change.base),
    words: json([...words]),
    added_by: caller.userId,
    added_at: now,
  }
  await trx
    .insertInto('change_set_item')
    .values({ tenant_id: caller.tenantId, set_id: set.id, kind, name: change.name, ...row })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'set_id', 'kind', 'name']).doUpdateSet(row))
    .execute()
}

export async function dropItem(
  set: Pick<ChangeSet, 'id'>,
  { kind, name }: Pick<Item, 'kind' | 'name'>,
  { trx, caller }: CallContext,
): Promise<void> {
  await trx
    .deleteFrom('change_set_item')
    .where('tenant_id', '=', caller.tenantId)
    .where('set_id', '=', set.id)
    .where('kind', '=', kind)
    .where('name', '=', name)
    .execute()
}

/** Records what a published change replaced. */
export async function noteDone(
  item: Item,
  { undo, became, words }: ChangeResult,
  { trx }: CallContext,
): Promise<void> {
  await trx
    .updateTable('change_set_item')
    .set({ undo: json(undo), became: json(became), words: json([...words]) })
    .where('tenant_id', '=', item.tenant_id)
    .where('set_id', '=', item.set_id)
    .where('kind', '=', item.kind)
    .where('name', '=', item.name)
    .execute()
}

/** An item as its kind reads it. */
export const changeOf = ({ name, content, base }: Item): Change => ({
  name,
  content: isObject(content) ? content : {},
  base,
})

export const wordsIn = (words: Json): readonly string[] => (Array.isArray(words) ? words.map(String) : [])

/** Identifies what a set does, to whom and when: another stamp means that it has changed. */
export const stampOf = ({ title, note, publish_at, audience }: ChangeSet, items: readonly Item[]): string =>
  etagOf([
    [title, note, publish_at?.toISOString() ?? null, audience],
    ...items.map(({ kind, name, content, base }): Json => [kind, name, content, base]),
  ])

/** True for the authors of a set. */
export const isAuthor = (set: ChangeSet, items: readonly Item[], userId: string): boolean =>
  [set.created_by, set.asked_by, ...items.map(({ added_by }) => added_by)].includes(userId)
