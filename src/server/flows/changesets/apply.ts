import { isObject, type Json, type JsonObject, listOf, ownValue } from '../../../../runtime/core/json.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import { requires } from '../../kernel/auth/caller.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { callContextOf } from '../../kernel/calls/run-read.ts'
import type { Database, Trx } from '../../kernel/db/database.ts'
import { checkingBetween } from '../../kernel/pages/check-apart.ts'
import { Refusal, refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { notifyClients } from '../modelling/model-writer.ts'
import { type Change, type ChangeContext, type ChangeResult, type Coming, isUnchanged } from './item-kind.ts'
import { KIND, subjectOf } from './kinds.ts'
import { inOrderOfReverting } from './order.ts'
import { itemWords } from './show.ts'
import { type ChangeSet, changeOf, type Item, noteDone } from './store.ts'
import type { ItemKind } from './tables.ts'

/** The result of one change of a set: done, or the reason why not. */
export interface Outcome {
  readonly item: Pick<Item, 'kind' | 'name' | 'title' | 'words'>
  readonly done: ChangeResult | null
  readonly refusal: Refusal | null
}

/** The person who applies a set, and the transaction. */
export interface ApplyContext {
  readonly trx: Trx
  readonly caller: Caller
  readonly services: Services
}

/** Reads everything again: earlier changes in the same transaction count. */
export async function doingOf(
  { host, note }: Pick<ChangeSet, 'host' | 'note'>,
  { trx, caller, services }: ApplyContext,
): Promise<ChangeContext> {
  return { ctx: await callContextOf(services, caller, trx), services, host, note }
}

/** Applies one change with the rights of the person who applies it. */
export function applyChange(kind: ItemKind, change: Change, doing: ChangeContext): Promise<ChangeResult> {
  requires(doing.ctx.caller, KIND[kind].permission)
  return KIND[kind].apply(change, doing)
}

/** What changes of a set bring, for those that are not applied yet or were refused. */
export function comingWith(items: readonly Item[]): Coming {
  const described = items.flatMap(({ kind, name, content }): [string, JsonObject][] => {
    const description = kind === 'module' ? ownValue(content, 'description') : undefined
    return isObject(description) ? [[name, description]] : []
  })
  const pages = items.flatMap(({ kind, name }) => (kind === 'page' ? [name] : []))
  return { modules: new Map(described), pages: new Set(pages) }
}

/** Applies every change of a set, one after the other, judged with what the others bring; refusals are collected, and the caller rolls back the transaction. */
export async function applyAll(
  set: ChangeSet,
  items: readonly Item[],
  hand: ApplyContext,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  const isDone = (item: Item): boolean => outcomes.some((one) => one.item === item && one.done !== null)
  for (const item of items) {
    const coming = comingWith(items.filter((other) => !isDone(other)))
    const doing = { ...(await doingOf(set, hand)), coming }
    try {
      const done = await applyChange(item.kind, changeOf(item), doing)
      await noteDone(item, done, doing.ctx)
      outcomes.push({ item, done, refusal: null })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcomes.push({ item, done: null, refusal: error })
    }
  }
  return outcomes
}

/** @throws Refusal 409 or 400 with the reasons for each change; nothing if all were applied */
export function refuseUndone(outcomes: readonly Outcome[]): void {
  const refused = outcomes.filter(({ refusal }) => refusal !== null)
  const [first] = refused
  if (first === undefined) return
  const data = { items: outcomes.map(outcomeWords) }
  const message = text('changeset.refused', {
    n: refused.length,
    name: first.item.title,
    why: first.refusal?.message ?? '',
  })
  if (refused.some(isConflict)) refuse(409, 'VERSION_CONFLICT', message, { data })
  refuse(400, 'VALIDATION', message, { data })
}

const isConflict = ({ refusal }: Outcome): boolean => refusal?.error.type === 'VERSION_CONFLICT'

/** A result as sent to the client. */
export function outcomeWords(outcome: Outcome): JsonObject {
  const { item, done, refusal } = outcome
  return {
    ...itemWords({
      ...item,
      title: done?.title ?? item.title,
      words: done === null ? item.words : [...done.words],
    }),
    ok: refusal === null,
    conflict: isConflict(outcome),
    message: refusal?.message ?? '',
    faults: problemLines(refusal),
    data: refusal?.data ?? null,
  }
}

/** The places of the errors, one per line. */
function problemLines(refusal: Refusal | null): string {
  const problems = ownValue(refusal?.data, 'problems')
  if (!Array.isArray(problems)) return ''
  return problems
    .map((problem, i) => {
      const place = listOf(ownValue(refusal?.data, 'places') ?? null)[i] ?? ownValue(problem, 'at') ?? ''
      return `${String(place)} ${String(ownValue(problem, 'message') ?? '')}`.trim()
    })
    .join('\n')
}

/** Applies changes again that were reverted, whatever happened to the same things since; a page gets the version of that time again. */
export async function applyAgain(set: ChangeSet, items: readonly Item[], hand: ApplyContext): Promise<void> {
  const coming = comingWith(items)
  for (const item of changing(items)) {
    const doing = { ...(await doingOf(set, hand)), coming }
    const { kind, name, became } = item
    if (kind === 'page') await KIND.page.revert(name, isObject(became) ? became : {}, doing)
    else {
      const base = await KIND[kind].now(name, item.base, doing)
      await noteDone(item, await applyChange(kind, { ...changeOf(item), base }, doing), doing.ctx)
    }
  }
}

/** Reverts every change, the last first; what they made may name each other, so that what is gone is asked for when all are reverted. */
export async function revertAll(set: ChangeSet, items: readonly Item[], hand: ApplyContext): Promise<void> {
  const subject = ({ kind, name }: Item): string => subjectOf(kind, name)
  const reverting = inOrderOfReverting(changing(items), subject)
  for (const item of reverting)
    await KIND[item.kind].revert(item.name, undoOf(item), await doingOf(set, hand))
  for (const { kind, name } of reverting) await KIND[kind].reverted?.(name, await doingOf(set, hand))
}

/** Runs `work`, which also changes modules, and notifies open clients of the pages that this changes. */
export async function withClientNotices<T>(
  items: readonly Item[],
  hand: ApplyContext,
  work: () => Promise<T>,
): Promise<T> {
  if (!items.some(({ kind, name }) => subjectOf(kind, name).startsWith('module '))) return work()
  const { services, trx, caller } = hand
  const before = await services.modules.within(trx, caller.tenantId)
  const done = await work()
  await notifyClients(services, before, trx, caller.tenantId)
  return done
}

/** Published changes without those that changed nothing. */
const changing = (items: readonly Item[]): readonly Item[] => items.filter(({ undo }) => !isUnchanged(undo))

const undoOf = ({ undo }: Item): JsonObject => (isObject(undo) ? undo : {})

/** Changes of a set whose targets somebody else has changed since. */
export async function changedSince(
  items: readonly Item[],
  doing: ChangeContext,
  same: (one: Json, other: Json) => boolean,
): Promise<readonly Item[]> {
  const last = new Map(changing(items).map((item) => [subjectOf(item.kind, item.name), item]))
  const changed: Item[] = []
  for (const item of last.values()) {
    const now = await KIND[item.kind].now(item.name, item.became, doing)
    if (!same(now, item.became)) changed.push(item)
  }
  return changed
}

class RolledBack extends Error {}

/** What `work` would result in: its transaction is always rolled back. */
export async function dryRun<T>(
  database: Database,
  caller: Caller,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  const found: T[] = []
  try {
    await checkingBetween(caller.tenantId, () =>
      database.tenant(caller, async (trx) => {
        found.push(await work(trx))
        throw new RolledBack()
      }),
    )
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  return found.at(-1) as T
}
