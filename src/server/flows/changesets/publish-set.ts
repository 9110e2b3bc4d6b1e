import { ownValue, sameJson } from '../../../../runtime/core/json.ts'
import { needsSecondPerson } from '../../kernel/pages/second-person.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dropPublished } from '../pages/drafts.ts'
import { republish } from '../pages/publish.ts'
import {
  type ApplyContext,
  applyAgain,
  applyAll,
  changedSince,
  doingOf,
  refuseUndone,
  revertAll,
  withClientNotices,
} from './apply.ts'
import type { ChangeSetResult } from './change-set-result.ts'
import { setsOfPage } from './page-sets.ts'
import { audienceOf, endTrial, type Plan, plannedOf, scheduleSet, startTrial, timeOf } from './plan.ts'
import {
  type ChangeSet,
  changeSet,
  type Item,
  isAuthor,
  itemsOf,
  lockChangeSet,
  refuseOutOf,
  stampOf,
} from './store.ts'

/**
 * Publishes everything in a set, or nothing.
 *
 * @param read  its items, if the caller has read them: what they looked at is what is applied
 * @throws Refusal 409 if somebody has meanwhile changed one of the targets, 400 if one cannot be published; `data.items` lists all
 */
export async function publishSet(
  set: ChangeSet,
  hand: ApplyContext,
  read?: readonly Item[],
): Promise<ChangeSetResult> {
  const { ctx } = await doingOf(set, hand)
  const items = read ?? (await itemsOf(set.id, ctx))
  await endTrial(set, hand)
  if (items.length === 0) refuse(409, 'STATE_CONFLICT', text('changeset.empty'))
  const outcomes = await withClientNotices(items, hand, async () => {
    const tried = await applyAll(set, items, hand)
    refuseUndone(tried)
    return tried
  })
  const { userId } = ctx.caller
  await endDrafts(items, hand)
  await changeSet(
    set,
    { status: 'published', published_by: userId, published_at: ctx.now, publish_at: null, failure: '' },
    ctx,
  )
  const changes = outcomes.flatMap(({ item, done }) =>
    (done?.words ?? []).map((one) => `${item.title}: ${one}`),
  )
  return {
    recordId: set.id,
    detail: { title: set.title, note: set.note, changes },
    data: { id: set.id, changes: items.length },
    people: outcomes.flatMap(({ done }) => done?.people ?? []),
  }
}

/** Drafts of those who added the pages: whoever publishes the set may be editing one of the same pages themselves. */
async function endDrafts(items: readonly Item[], { trx, caller: { tenantId } }: ApplyContext): Promise<void> {
  for (const { kind, name, content, added_by } of items) {
    const written = ownValue(content, 'document')
    if (kind !== 'page' || typeof written !== 'string') continue
    await dropPublished(trx, { tenantId, userId: added_by }, { path: name, text: written })
  }
}

interface Publishing extends Plan {
  /** The stamp of the set that the caller looked at; a second person needs one. */
  readonly stamp?: string | null
}

/**
 * Publishes a set as planned: immediately, at a given time, or first to some people; a requested one according to the request.
 *
 * @throws Refusal 409 if it needs a second person, has changed since the caller looked at it, or is in the wrong state
 */
export async function publishAs(
  set: ChangeSet,
  plan: Publishing,
  hand: ApplyContext,
): Promise<ChangeSetResult> {
  refuseOutOf(['open', 'asked', 'partial'], set)
  const { ctx } = await doingOf(set, hand)
  const items = await itemsOf(set.id, hand)
  const isReviewed = set.status !== 'partial' && (await needsSecondPerson(hand.trx, hand.caller.tenantId))
  if (isReviewed) refuseAlone(set, items, hand)
  const { stamp = null } = plan
  if (stamp === null ? isReviewed : stamp !== stampOf(set, items))
    refuse(409, 'STATE_CONFLICT', text('changeset.changed-meanwhile'))
  const isAsked = set.status === 'asked'
  const time = isAsked ? set.publish_at : timeOf(plan, ctx)
  const audience = isAsked ? plannedOf(set) : audienceOf(plan)
  if (time !== null && time > ctx.now) return scheduleSet(set, time, hand)
  return audience === null ? publishSet(set, hand, items) : startTrial(set, audience, hand, items)
}

/** @throws Refusal 409 if nobody was asked, or the caller is one of the authors */
function refuseAlone(set: ChangeSet, items: readonly Item[], { caller }: ApplyContext): void {
  if (set.status !== 'asked') refuse(409, 'STATE_CONFLICT', text('changeset.ask-first'))
  if (isAuthor(set, items, caller.userId)) refuse(409, 'STATE_CONFLICT', text('changeset.not-yours'))
}

/**
 * Reverts everything that a set has published, or nothing.
 *
 * @param anyway  even if somebody has changed one of the targets since
 */
export function rollBackSet(id: string, anyway: boolean, hand: ApplyContext): Promise<ChangeSetResult> {
  return revertSet(id, anyway, hand, () => true)
}

/**
 * Makes another version of a page current again, and reverts the other changes of the sets that published the versions since; what was published with
 * that version and reverted later is applied again.
 *
 * @param anyway  even if somebody has changed one of the other targets since
 */
export async function rollBackPage(
  { path, revision, anyway }: { readonly path: string; readonly revision: number; readonly anyway: boolean },
  hand: ApplyContext,
): Promise<ChangeSetResult> {
  const sets = await setsOfPage(path, hand)
  // What happens to the page itself is already decided.
  const isOther = ({ kind, name }: Item): boolean => kind !== 'page' || name !== path
  const titles: string[] = []
  for (const { id, title } of sets.filter((set) => set.revision > revision && !set.back)) {
    await revertSet(id, anyway, hand, isOther)
    titles.push(title)
  }
  for (const { id, title } of sets.filter((set) => set.revision === revision && set.back)) {
    await reapplySet(id, hand, isOther)
    titles.push(title)
  }
  await republish({ path, revision }, hand, hand.services)
  return {
    recordId: path,
    detail: { title: path, changes: titles, after: { revision } },
    data: { path, revision, sets: titles.length },
  }
}

/** Applies the other changes of a reverted set again, to the current state. */
async function reapplySet(
  id: string,
  hand: ApplyContext,
  isIncluded: (item: Item) => boolean,
): Promise<void> {
  const set = await lockChangeSet(id, hand)
  refuseOutOf(['back'], set)
  const items = (await itemsOf(id, hand)).filter(isIncluded)
  await withClientNotices(items, hand, () => applyAgain(set, items, hand))
  const { ctx } = await doingOf(set, hand)
  const { userId } = hand.caller
  const again = { published_by: userId, published_at: ctx.now, back_by: null, back_at: null }
  await changeSet(set, { status: 'published', ...again }, ctx)
}

async function revertSet(
  id: string,
  anyway: boolean,
  hand: ApplyContext,
  isLookedAt: (item: Item) => boolean,
): Promise<ChangeSetResult> {
  const set = await lockChangeSet(id, hand)
  refuseOutOf(['published'], set)
  const doing = await doingOf(set, hand)
  const items = await itemsOf(id, hand)
  const changed = await changedSince(items.filter(isLookedAt), doing, sameJson)
  if (changed.length > 0 && !anyway)
    refuse(
      409,
      'STATE_CONFLICT',
      text('changeset.changed-after', { names: changed.map(({ title }) => title).join('、') }),
      {
        data: { items: changed.map(({ kind, name, title }) => ({ kind, name, title })) },
      },
    )
  await withClientNotices(items, hand, () => revertAll(set, items, hand))
  const { ctx } = doing
  await changeSet(set, { status: 'back', back_by: hand.caller.userId, back_at: ctx.now }, ctx)
  return {
    recordId: id,
    detail: { title: set.title, changes: items.map(({ title }) => title) },
    data: { id },
  }
}
