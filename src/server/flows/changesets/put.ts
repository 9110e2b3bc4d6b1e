import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { isObject, sameJson } from '../../../../runtime/core/json.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import { requires } from '../../kernel/auth/caller.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { callContextOf } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { findWritten } from '../../kernel/pages/overrides.ts'
import { readJsonText } from '../../kernel/pages/read-files.ts'
import { Refusal, refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { findDrafts } from '../pages/drafts.ts'
import { mergeWithCurrent } from '../pages/merging.ts'
import { applyAll, applyChange, doingOf, dryRun } from './apply.ts'
import type { Change, ChangeResult } from './item-kind.ts'
import { KIND } from './kinds.ts'
import { type ChangeSet, changeOf, type Item, itemsOf, storeItem } from './store.ts'
import type { ItemKind } from './tables.ts'

/** A change that was tried: as it is to be stored, and its result. */
export interface TriedChange {
  readonly change: Change
  readonly done: Pick<ChangeResult, 'title' | 'words'>
}

/** What is added to a set. */
export interface Posted {
  readonly kind: ItemKind
  readonly change: JsonObject
  /** The set it is added to, so that it may use names that the set introduces. */
  readonly set: ChangeSet | null
}

/**
 * Applies a change and rolls it back: this generates the names it will have, and reports problems immediately.
 * A page is stored even with errors, as a draft is: the page check reports them.
 *
 * @throws Refusal like the call that makes the change directly
 */
export function tryChange(
  { kind, change, set }: Posted,
  { caller, host }: { readonly caller: Caller; readonly host: string },
  services: Services,
): Promise<TriedChange> {
  requires(caller, KIND[kind].permission)
  return dryRun(services.database, caller, async (trx) => {
    const hand = { trx, caller, services }
    const place = set ?? { host, note: '' }
    const others = set === null ? [] : await itemsOf(set.id, { trx, caller })
    const first = await doingOf(place, hand)
    const given = kind === 'page' ? await fromDraft(change, first.ctx, services) : change
    const read = await KIND[kind].read(given, first, (name) => {
      const existing = others.find((other) => other.kind === kind && other.name === name)
      return existing === undefined ? undefined : changeOf(existing)
    })
    if (set !== null)
      await applyAll(
        set,
        others.filter((other) => isOther(other, kind, read.name)),
        hand,
      )
    if (kind === 'page') return { change: read, done: await pageWords(read, hand, place) }
    const done = await applyChange(kind, read, await doingOf(place, hand))
    return { change: done.changeToStore ?? read, done }
  })
}

const isOther = (item: Item, kind: ItemKind, name: string): boolean =>
  item.kind !== kind || item.name !== name

/** The page is taken from the author's draft, unless a document is posted. */
async function fromDraft(change: JsonObject, ctx: CallContext, { pages }: Services): Promise<JsonObject> {
  if (change.document !== undefined || typeof change.path !== 'string') return change
  const { draft } = await findDrafts(pages.pathOf(change.path), ctx)
  if (draft === null) return refuse(404, 'NOT_FOUND', text('changeset.no-draft'))
  return { ...change, document: draft.text, base: draft.base }
}

async function pageWords(
  change: Change,
  hand: Parameters<typeof doingOf>[1],
  where: Parameters<typeof doingOf>[0],
): Promise<Pick<ChangeResult, 'title' | 'words'>> {
  const { services } = hand
  try {
    return await applyChange('page', change, await doingOf(where, hand))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { title: services.pages.routeOf(change.name).title || change.name, words: [] }
  }
}

/** Merges a page of a set with what was published since: both changes are kept, and in a conflict the set's wins. */
export async function mergeItem(
  set: ChangeSet,
  name: string,
  { ctx, services }: { readonly ctx: CallContext; readonly services: Services },
): Promise<Json> {
  const item = (await itemsOf(set.id, ctx)).find((one) => one.kind === 'page' && one.name === name)
  if (item === undefined) return refuse(404, 'NOT_FOUND', text('call.not-found'))
  const { content, base } = changeOf(item)
  const { document: written } = content
  const page = {
    path: name,
    base: Number(base),
    document: documentIn(content),
    ...(typeof written === 'string' ? { text: written } : {}),
  }
  const merged = await mergeWithCurrent(page, ctx, services.pages)
  if (!isObject(merged)) return merged
  const current = await findWritten(ctx.trx, ctx.caller.tenantId, name)
  // Where nothing is left to change, the page stays as it was written.
  const isTheirs = current !== null && sameJson(current.document, merged.document ?? null)
  const left = { document: (isTheirs ? current.text : merged.text) ?? merged.document ?? null }
  const change = { name, content: left, base: merged.revision ?? 0 }
  await storeItem(set, 'page', change, { title: item.title, words: [] }, ctx)
  return { clashes: merged.clashes ?? '', conflicts: merged.conflicts ?? [] }
}

/** The page in a change. @throws Refusal 400 for a text that is not JSON */
export function documentIn({ document: written = null }: JsonObject): Json {
  if (typeof written !== 'string') return written
  const { content } = readJsonText(written, '')
  return content ?? refuse(400, 'VALIDATION', text('page.unreadable'))
}

/** What publishing a set would result in now. */
export function checkSet(set: ChangeSet, caller: Caller, services: Services) {
  return dryRun(services.database, caller, async (trx) => {
    const ctx = await callContextOf(services, caller, trx)
    return applyAll(set, await itemsOf(set.id, ctx), { trx, caller, services })
  })
}
