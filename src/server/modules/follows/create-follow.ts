import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { FollowRow } from '../../../contract/follow.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { type InputValues, refuseFaults } from '../../kernel/fields/input.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { announce } from '../../kernel/records/announce.ts'
import { openFaults } from '../../kernel/records/checked-write.ts'
import { describedColumns, writtenFields } from '../../kernel/records/described.ts'
import { pastFaults } from '../../kernel/records/next-follow.ts'
import { pick } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { insertReading } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { linkCall } from './calls.ts'
import { changeWithFollow } from './change-with-follow.ts'
import { checkFollow, FURTHER_PARTS, MAX_BACKDATE_DAYS, MAX_FUTURE_MS } from './check-follow.ts'
import { drawFollow, madeFollow, type StoredFollow } from './follow-row.ts'
import { notifyMentioned } from './notify-colleagues.ts'
import { rememberMethod } from './remember-method.ts'
import {
  factsWith,
  type NewFollow,
  refreshSummary,
  type SummaryFacts,
  summaryFacts,
  targetSummary,
} from './summary.ts'
import type { FollowTarget } from './tables.ts'
import {
  isOwnTarget,
  type ResolvedTarget,
  refuseForeignContacts,
  refuseTarget,
  resolveTarget,
} from './target.ts'
import { withDistance } from './visits.ts'

/**
 * Creates a follow-up and applies its consequences in one transaction: summary, next date, follow status, recycling date, and a change of stage or
 * level of the record (DOMAIN 1.10).
 *
 * @throws Refusal 400 with field messages, 404 without the target, 405 if the caller may only read it
 */
export async function createFollow(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
  writtenAt: Date = ctx.now,
): Promise<WriteResult<Json>> {
  // These queries are sent together, in one round trip.
  const posted = targetOfPosted(body, ctx)
  const [{ values: given, faults }, pageFaults] = await Promise.all([checkFollow(body, ctx), form(body)])
  const values: InputValues = { ...given, followed_at: given.followed_at ?? writtenAt }
  refuseFaults({ ...openFaults('follow', pageFaults, ctx), ...dateFaults(values, ctx), ...faults })
  const { target, facts } = await posted(values.target_type as FollowTarget, String(values.target_id))
  if (!target.can_follow) await refuseTarget(target, 'follow:add', ctx)
  if (target.is_converted === true) refuse(409, 'STATE_CONFLICT', text('lead.converted'))
  await refuseForeignContacts((values.contact_ids ?? []) as string[], target, ctx)
  if (given.followed_at == null && writtenAt < ctx.now)
    values.followed_at = await inOrder(writtenAt, values, ctx)
  if (values.location != null)
    values.location = (await withDistance(
      values.location as Json,
      target.customer_id,
      ctx,
    )) as InputValues[string]
  const isChanged = await changeWithFollow(values, target, ctx)
  const follow = newFollow(values, ctx)
  const isNextGiven = Object.hasOwn(body, 'next_follow_at') && body.next_follow_at !== ''
  const next = isNextGiven ? (values.next_follow_at as Date | null) : undefined
  const known = isChanged ? undefined : await facts
  const [record, early] = await Promise.all([
    insertFollow(follow, values, target, ctx),
    known === undefined ? undefined : refreshSummary(target, next, ctx, factsWith(known, follow)),
  ])
  const { id } = record
  await linkCall(
    {
      id,
      call: values.call,
      at: values.followed_at as Date,
      target_type: values.target_type as FollowTarget,
      target_id: String(values.target_id),
    },
    ctx,
  )
  const summary = await targetSummary(target, early ?? (await refreshSummary(target, next, ctx)), ctx)
  await notifyOwner(target, record, ctx)
  await notifyMentioned((values.mention_ids ?? []) as string[], record, record.content, ctx)
  return {
    data: { id, version: 1, record: record as unknown as Json, target: summary },
    recordId: id,
    detail: pick(body, ['target_type', 'target_id', 'method', 'result']),
  }
}

/** The locked target of a follow-up. `facts`: the data of its summary, if only one record has one. */
interface LockedTarget {
  readonly target: ResolvedTarget
  readonly facts?: Promise<SummaryFacts | undefined>
}

/**
 * Begins to load the posted target while the other fields are being checked.
 * @returns the target for the checked type and id; a second query only if they differ from the posted ones
 */
function targetOfPosted(
  body: JsonObject,
  ctx: CallContext,
): (type: FollowTarget, id: string) => Promise<LockedTarget> {
  const { target_type, target_id } = body
  const lock = (type: FollowTarget, id: string) => resolveTarget(type, id, ctx, true)
  const isAlone = target_type === 'customer' || target_type === 'lead'
  if (!isAlone || typeof target_id !== 'string') return async (type, id) => ({ target: await lock(type, id) })
  const locked = lock(target_type, target_id)
  const facts = summaryFacts(target_type, target_id, ctx)
  // If a check refuses the call first, nobody awaits these promises: their errors must not be unhandled.
  for (const pending of [locked, facts]) pending.catch(() => undefined)
  return async (type, id) => {
    if (type !== target_type || id !== target_id) return { target: await lock(type, id) }
    const target = await locked
    // A lead that became a customer has two summaries.
    return target_type === 'lead' && target.customer_id !== null ? { target } : { target, facts }
  }
}

/** Rules for the date of the follow-up and the next date (DOMAIN 1.10). */
export function dateFaults(values: InputValues, ctx: CallContext): Readonly<Record<string, string>> {
  const { now } = ctx
  const { followed_at } = values
  const at = followed_at instanceof Date ? followed_at.getTime() : now.getTime()
  const isFuture = at > now.getTime() + MAX_FUTURE_MS
  const isTooOld = at < now.getTime() - MAX_BACKDATE_DAYS * 86_400_000
  return {
    ...(isFuture ? { followed_at: text('follow.future') } : {}),
    ...(isTooOld ? { followed_at: text('follow.too-old', { days: MAX_BACKDATE_DAYS }) } : {}),
    ...pastFaults('follow', values, ctx),
  }
}

/** Maximum time between two calls of one device that is taken for a delay of the network. */
const MAX_DELAY_MS = 30_000

/** A device sends queued follow-ups in the order they were written, but network delays vary. The later one must be dated later. */
async function inOrder(
  writtenAt: Date,
  values: InputValues,
  { trx, caller, now }: CallContext,
): Promise<Date> {
  const { rows } = await sql<{ last: Date | null }>`select max(followed_at) as last from follow
    where tenant_id = ${caller.tenantId} and author_id = ${caller.userId} and target_id = ${String(values.target_id)}
      and deleted_at is null and created_at > ${new Date(now.getTime() - MAX_DELAY_MS)}
      and followed_at between ${writtenAt} and ${new Date(writtenAt.getTime() + MAX_DELAY_MS)}`.execute(trx)
  const last = rows[0]?.last ?? null
  return last === null ? writtenAt : new Date(last.getTime() + 1)
}

const newFollow = (values: InputValues, { caller, now }: CallContext): NewFollow => ({
  id: newId(now.getTime()),
  author_id: caller.userId,
  followed_at: values.followed_at as Date,
  content: String(values.content ?? ''),
})

/** @returns the stored follow-up; 404 if the caller sees none of its records */
async function insertFollow(
  { id, author_id }: NewFollow,
  values: InputValues,
  target: ResolvedTarget,
  ctx: CallContext,
): Promise<FollowRow> {
  const { customer_id, lead_id, bussiness_id, contract_id, record_module, record_id } = target
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  const columns = {
    ...describedColumns(filled, writtenFields('follow', ctx), FURTHER_PARTS),
    customer_id,
    lead_id,
    bussiness_id,
    contract_id,
    record_module,
    record_id,
    id,
    source: values.call == null ? (values.location == null ? 'manual' : 'visit') : 'call',
    author_id,
  }
  const along = { read: madeFollow(ctx), more: rememberMethod(values, ctx) }
  const created = await insertReading<StoredFollow>('follow', columns, along, ctx)
  return drawFollow(created ?? refuse(404, 'NOT_FOUND', text('call.not-found')), ctx)
}

/** Notifies the owner of a customer when a colleague adds a follow-up (DOMAIN 1.10). */
async function notifyOwner(target: ResolvedTarget, record: FollowRow, ctx: CallContext): Promise<void> {
  const { target_type: type, target_id: id } = record
  if (target.owner_id === null) return
  await announce(
    {
      event: 'follow.by_other',
      to: target.owner_id,
      ...(isOwnTarget(type)
        ? { entity: 'record', link: { route: `/pages/${type}/detail`, query: { id } } }
        : { entity: type }),
      ids: [id],
      params: { name: ctx.caller.name, content: record.content.slice(0, 60) },
    },
    ctx,
  )
}
