import { sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import type { ApprovalEntity, ApprovalStatus } from '../../../contract/approval.ts'
import type { CallContext } from '../context/call-context.ts'
import { notifyPeople } from '../live/notify.ts'
import { announce } from '../notices/announce.ts'
import { linkTo } from '../notices/links.ts'
import { text } from '../text/text.ts'
import { amountFields, type CodedEntity, entityName, tableOf } from './entity.ts'

type NotifiedEvent = 'submit' | 'next' | 'approved' | 'rejected' | 'withdrawn' | 'urge' | 'ask' | 'reply'
/** The module whose events are used: all modules with an approval in their description share one set. */
type Events = CodedEntity | 'record'

export const eventsOf = (entity: ApprovalEntity): Events => tableOf(entity)

/** An event of an approval that people should be notified of (DOMAIN 5). */
export interface Announcement {
  readonly event: `${Events}.${NotifiedEvent}` | `${CodedEntity}.void`
  readonly entity: ApprovalEntity
  readonly recordId: string
  readonly approvalId: string | null
  readonly title: string
  /** Yuan. */
  readonly amount: number
  /** The people concerned; the actor is never notified. */
  readonly receiverIds: readonly string[]
  readonly opinion: string | null
}

/**
 * The single place where contracts, payments and approvals send notifications, inside the writing transaction: messages to those concerned, and a
 * reload of the to-do pages of everybody who was or is asked.
 */
export async function notify(announcement: Announcement, ctx: CallContext): Promise<void> {
  const { trx, caller, now } = ctx
  const { event, entity, recordId, approvalId, title, amount, receiverIds, opinion } = announcement
  const { tenantId } = caller
  const { rows } = await sql<{ people: readonly string[] }>`select a.approver_ids as people from approval a
    where a.tenant_id = ${tenantId} and a.id = ${approvalId}`.execute(trx)
  const [found] = rows
  await announce(trx, {
    event,
    tenantId,
    actorId: caller.userId,
    now,
    receivers: receiverIds,
    entity: tableOf(entity),
    ids: [recordId],
    amountOf: amountFields(entity, ctx),
    params: { by: caller.name, title, amount, opinion: opinion ?? '', ...wordsOf(entity, amount, ctx) },
    link: approvalId === null ? linkTo(tableOf(entity), [recordId]) : linkTo('approval', [approvalId]),
  })
  await notifyPeople(trx, tenantId, [...receiverIds, ...(found?.people ?? []), caller.userId], {
    kind: 'todo',
  })
}

/** How messages name an entity that has no message texts of its own, and its amount if it has one. */
const wordsOf = (
  entity: ApprovalEntity,
  amount: number,
  ctx: CallContext,
): Readonly<Record<'what' | 'sum', string>> => ({
  what: entityName(entity, ctx),
  sum: amount > 0 ? text('approval.sum', { amount: moneyText(amount) }) : '',
})

/** The state of an approval, as stored in its record. */
export const STATUS_WORDS = {
  running: 'approval.status.1',
  approved: 'approval.status.2',
  rejected: 'approval.status.3',
  withdrawn: 'approval.status.4',
} as const satisfies Readonly<Record<ApprovalStatus, string>>

/** 抄送: notifies the people in copy when something is submitted, and how it ended. */
export async function notifyCopies(
  announcement: Pick<Announcement, 'entity' | 'recordId' | 'approvalId' | 'title' | 'amount'> & {
    readonly outcome: ApprovalStatus
  },
  ctx: CallContext,
): Promise<void> {
  const { trx, caller, now } = ctx
  const { entity, recordId, approvalId, title, amount, outcome } = announcement
  const { tenantId } = caller
  const { rows } = await sql<{ people: readonly string[] }>`select a.cc_ids as people from approval a
    where a.tenant_id = ${tenantId} and a.id = ${approvalId}`.execute(trx)
  await announce(trx, {
    event: `${eventsOf(entity)}.cc`,
    tenantId,
    actorId: caller.userId,
    now,
    receivers: rows[0]?.people ?? [],
    entity: tableOf(entity),
    ids: [recordId],
    amountOf: amountFields(entity, ctx),
    ...(approvalId === null ? {} : { link: linkTo('approval', [approvalId]) }),
    params: {
      by: caller.name,
      title,
      amount,
      state: text(STATUS_WORDS[outcome]),
      ...wordsOf(entity, amount, ctx),
    },
  })
}
