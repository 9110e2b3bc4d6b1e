import { isObject, type JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { announcePublished } from '../../kernel/pages/library.ts'
import { findHead, lockPage } from '../../kernel/pages/overrides.ts'
import { endTrials, findTrial, putTrial, readAudience, type Trial } from '../../kernel/pages/trials.ts'
import { holdersOf } from '../../kernel/records/member.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { parseDateTime } from '../../kernel/time/zone.ts'
import { judgePosted } from '../pages/check-posted.ts'
import { refuseProblems } from '../pages/publish.ts'
import { bothSides } from '../pages/versions.ts'
import { type ApplyContext, comingWith, doingOf } from './apply.ts'
import type { ChangeSetResult } from './change-set-result.ts'
import { type ChangeSet, changeOf, changeSet, type Item, isAuthor, itemsOf, refuseOutOf } from './store.ts'

/** How a set is published: immediately, at a given time, or first to some people. */
export interface Plan {
  /** `YYYY-MM-DD HH:mm:ss` in the tenant's time zone. */
  readonly at?: string | null
  readonly audience?: JsonObject | null
}

const MAX_USERS = 500

/** The time in a plan; null for none. @throws Refusal 400 for a time in the past */
export function timeOf({ at }: Plan, { zone, now }: CallContext): Date | null {
  if (at === undefined || at === null || at === '') return null
  const time = parseDateTime(at.length === 16 ? `${at}:00` : at, zone)
  if (time === null || time <= now)
    return refuse(400, 'VALIDATION', text('changeset.not-to-come'), {
      fields: { at: text('changeset.not-to-come') },
    })
  return time
}

/** The people in a plan; null for everybody. @throws Refusal 400 if it names nobody */
export function audienceOf({ audience }: Plan): JsonObject | null {
  if (audience === undefined || audience === null) return null
  const { roles, users, percent } = readAudience(audience, '')
  const isNumber = Number.isInteger(percent) && percent >= 0 && percent <= 100
  if (!isNumber || users.length > MAX_USERS || (roles.length === 0 && users.length === 0 && percent === 0))
    return refuse(400, 'VALIDATION', text('changeset.nobody'))
  return { roles: [...roles], users: [...users], percent }
}

/** Schedules the set for automatic publishing, in the caller's name. */
export async function scheduleSet(
  set: ChangeSet,
  time: Date,
  { caller, ...hand }: ApplyContext,
): Promise<ChangeSetResult> {
  const { ctx } = await doingOf(set, { caller, ...hand })
  const change = { status: 'scheduled', publish_at: time, planned_by: caller.userId, failure: '' } as const
  await changeSet(set, change, ctx)
  return { recordId: set.id, detail: { title: set.title }, data: { id: set.id, status: 'scheduled' } }
}

/**
 * Publishes the pages of a set to some people first, or to more of them.
 *
 * @throws Refusal 422 for a set that contains anything but pages, 409 if somebody has published one meanwhile or another trial is running
 */
export async function startTrial(
  set: ChangeSet,
  audience: JsonObject,
  hand: ApplyContext,
  read?: readonly Item[],
): Promise<ChangeSetResult> {
  const { ctx } = await doingOf(set, hand)
  const { trx, caller } = hand
  const items = read ?? (await itemsOf(set.id, ctx))
  if (items.length === 0) refuse(409, 'STATE_CONFLICT', text('changeset.empty'))
  if (items.some(({ kind }) => kind !== 'page')) refuse(422, 'REFERENCED', text('changeset.only-pages'))
  const before = await endTrials(trx, caller.tenantId, set.id)
  for (const item of items) await tryPage(set, item, audience, { ...hand, coming: comingWith(items).pages })
  await changeSet(
    set,
    { status: 'partial', audience, publish_at: null, planned_by: caller.userId, failure: '' },
    ctx,
  )
  await notifyOfTrials([...before, ...(await trialsOf(items, hand))], hand)
  return { recordId: set.id, detail: { title: set.title, audience }, data: { id: set.id, status: 'partial' } }
}

async function tryPage(
  set: ChangeSet,
  item: Item,
  audience: JsonObject,
  hand: ApplyContext & { readonly coming: ReadonlySet<string> },
): Promise<void> {
  const { trx, caller, services } = hand
  const { tenantId } = caller
  const { name: path, content, base } = changeOf(item)
  await lockPage(trx, tenantId, path)
  const head = (await findHead(trx, tenantId, path))?.revision ?? 0
  if (head !== Number(base))
    refuse(409, 'VERSION_CONFLICT', text('page.conflict'), {
      data: await bothSides(path, Number(base), trx, tenantId, services.pages),
    })
  const other = await findTrial(trx, tenantId, path)
  if (other !== null) refuse(409, 'STATE_CONFLICT', text('changeset.tried-already', { title: item.title }))
  const checked = await judgePosted(
    { path, document: content.document ?? null },
    { ...hand, host: set.host },
    services,
  )
  refuseProblems(path, checked)
  await putTrial(trx, tenantId, {
    path,
    document: checked.document,
    audience: readAudience(audience, set.id),
    now: new Date(services.now()),
  })
}

async function trialsOf(items: readonly Item[], { trx, caller }: ApplyContext): Promise<readonly Trial[]> {
  const found: Trial[] = []
  for (const { name } of items) {
    const trial = await findTrial(trx, caller.tenantId, name)
    if (trial !== null) found.push(trial)
  }
  return found
}

/** Tells the open clients of the people concerned to reload the page: each gets their own version. */
async function notifyOfTrials(
  trials: readonly Trial[],
  { trx, caller, services }: ApplyContext,
): Promise<void> {
  for (const { path, etag, audience } of trials)
    await announcePublished(services.database, trx, caller, { path, etag }, audience)
}

/** Ends the trial for some people: they get the same version as all others. */
export async function endTrial(set: Pick<ChangeSet, 'id'>, hand: ApplyContext): Promise<void> {
  await notifyOfTrials(await endTrials(hand.trx, hand.caller.tenantId, set.id), hand)
}

/** Asks somebody else to publish the set, as planned. */
export async function askForSet(set: ChangeSet, plan: Plan, hand: ApplyContext): Promise<ChangeSetResult> {
  refuseOutOf(['open'], set)
  const { ctx } = await doingOf(set, hand)
  if ((await itemsOf(set.id, ctx)).length === 0) refuse(409, 'STATE_CONFLICT', text('changeset.empty'))
  const { userId } = hand.caller
  await changeSet(
    set,
    {
      status: 'asked',
      asked_by: userId,
      publish_at: timeOf(plan, ctx),
      audience: audienceOf(plan),
      failure: '',
    },
    ctx,
  )
  await announce(hand.trx, {
    event: 'changeset.asked',
    tenantId: hand.caller.tenantId,
    actorId: userId,
    now: ctx.now,
    receivers: await holdersOf('system:form', ctx),
    entity: 'notice',
    ids: [],
    params: { by: hand.caller.name, title: set.title },
    link: { route: '/pages/admin/page/set', query: { id: set.id } },
  })
  return { recordId: set.id, detail: { title: set.title }, data: { id: set.id, status: 'asked' } }
}

/**
 * Returns a set to its authors with a reason: it is open again, and shows why it was not published.
 *
 * @throws Refusal 409 if the caller is one of its authors
 */
export async function rejectSet(
  set: ChangeSet,
  reason: string,
  hand: ApplyContext,
): Promise<ChangeSetResult> {
  refuseOutOf(['asked'], set)
  const { ctx } = await doingOf(set, hand)
  const { caller, trx } = hand
  if (isAuthor(set, await itemsOf(set.id, ctx), caller.userId))
    refuse(409, 'STATE_CONFLICT', text('changeset.not-yours'))
  const failure = text('changeset.rejected', { by: caller.name, why: reason })
  await changeSet(set, { status: 'open', publish_at: null, audience: null, asked_by: null, failure }, ctx)
  await announce(trx, {
    event: 'changeset.rejected',
    tenantId: caller.tenantId,
    actorId: caller.userId,
    now: ctx.now,
    receivers: [set.created_by, set.asked_by ?? ''],
    entity: 'notice',
    ids: [],
    params: { by: caller.name, title: set.title, why: reason },
    link: { route: '/pages/admin/page/set', query: { id: set.id } },
  })
  return { recordId: set.id, detail: { title: set.title, reason }, data: { id: set.id, status: 'open' } }
}

/** Cancels a schedule, a trial or a request: the set is open as before. */
export async function cancelPlan(set: ChangeSet, hand: ApplyContext): Promise<ChangeSetResult> {
  refuseOutOf(['asked', 'scheduled', 'partial'], set)
  const { ctx } = await doingOf(set, hand)
  if (set.status === 'asked' && !isAuthor(set, await itemsOf(set.id, ctx), hand.caller.userId))
    refuse(409, 'STATE_CONFLICT', text('changeset.not-your-question'))
  await endTrial(set, hand)
  await changeSet(
    set,
    { status: 'open', publish_at: null, audience: null, asked_by: null, planned_by: null },
    ctx,
  )
  return { recordId: set.id, detail: { title: set.title }, data: { id: set.id, status: 'open' } }
}

/** The plan with which publishing was requested. */
export const plannedOf = ({ audience }: ChangeSet): JsonObject | null =>
  isObject(audience) ? audience : null
