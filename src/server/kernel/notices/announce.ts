import { sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import type { MessageLink } from '../../../contract/message.ts'
import { isClear, mergeFieldRights } from '../auth/field-rights.ts'
import type { Trx } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { json } from '../db/json.ts'
import { notifyPeople } from '../live/notify.ts'
import { isTextCode, text } from '../text/text.ts'
import { EVENT_RULES, isSubscribed, type MessageEvent } from './events.ts'
import { CATEGORY_OF, type LinkEntity, linkTo } from './links.ts'
import { pushLater } from './push-later.ts'
import { type QuietHours, shownAt } from './quiet.ts'

/** An event that people are notified of (DOMAIN 5). */
export interface Announcement {
  readonly event: MessageEvent
  readonly tenantId: string
  /** The person who caused it, who is not notified; null is the system. */
  readonly actorId: string | null
  readonly now: Date
  readonly receivers: readonly string[]
  readonly entity: LinkEntity
  /** The records it is about; a single one is linked to its detail page. */
  readonly ids: readonly string[]
  /** Placeholders of the text: names, counts, dates. */
  readonly params?: Readonly<Record<string, string | number>>
  /** The field that `amount` is and those it follows from, if it is not the usual one of its entity. */
  readonly amountOf?: readonly [entity: string, ...fields: string[]] | null
  /** Target of a tap, if it is not the record's own screen. */
  readonly link?: MessageLink
  /** A key notifies the same person only once, however often it is used. */
  readonly sourceKey?: string
  /** Unread messages of a group are merged into one. */
  readonly groupKey?: string
}

interface Receiver extends QuietHours {
  readonly user_id: string
  readonly switched: readonly string[]
  readonly timezone: string
}

const MAX_TITLE = 60
const MAX_CONTENT = 300
const MAX_SOURCE = 300

/**
 * Writes the messages of an announcement in the caller's transaction; open clients are notified when it commits, people in their quiet hours when
 * these end. Nobody is notified of their own action, of events they switched off, or twice for one key.
 */
export async function announce(trx: Trx, announcement: Announcement): Promise<void> {
  const people = await receiversOf(trx, announcement)
  const unseen = await seeingNoAmount(trx, announcement, people)
  const rows = people.map((person) =>
    rowFor(person, unseen.has(person.user_id) ? withoutAmount(announcement) : announcement),
  )
  const merged: string[] = []
  for (const row of rows.filter((it) => it.group_key !== null)) merged.push(await merge(trx, row))
  const plain = rows.filter((row) => row.group_key === null)
  if (plain.length > 0)
    await trx
      .insertInto('message')
      .values(plain.map((row) => ({ ...row, link: json(row.link) })))
      .execute()
  const now = rows.filter((row) => row.is_told).map((row) => row.receiver_id)
  await notifyPeople(trx, announcement.tenantId, now, { kind: 'message' })
  await pushLater(trx, announcement.tenantId, [...merged, ...plain.map((row) => row.id)])
}

/** Enabled members who want this event and were not yet notified for this key. */
async function receiversOf(trx: Trx, announcement: Announcement): Promise<readonly Receiver[]> {
  const receiverIds = [...new Set(announcement.receivers)].filter(
    (id) => id !== announcement.actorId && id !== '',
  )
  if (receiverIds.length === 0) return []
  const { rows } = await sql<Receiver>`select m.user_id, t.timezone, coalesce(s.switched, '{}') as switched,
      coalesce(s.quiet, true) as quiet, coalesce(s.quiet_from, '21:00') as quiet_from, coalesce(s.quiet_to, '08:00') as quiet_to
    from membership m join tenant t on t.id = m.tenant_id
    left join message_setting s on s.tenant_id = m.tenant_id and s.user_id = m.user_id
    where m.tenant_id = ${announcement.tenantId} and m.user_id = any(${receiverIds}::text[]) and m.status = 'enabled'
      and m.deleted_at is null order by m.user_id`.execute(trx)
  const willing = rows.filter((row) => isSubscribed(announcement.event, row.switched))
  if (announcement.sourceKey === undefined || willing.length === 0) return willing
  const keys = willing.map((row) => keyFor(announcement.sourceKey ?? '', row.user_id))
  const fresh = await sql<{
    source_key: string
  }>`insert into message_source (tenant_id, source_key, created_at)
    select ${announcement.tenantId}, unnest(${keys}::text[]), ${announcement.now}::timestamptz
    on conflict do nothing returning source_key`.execute(trx)
  const isFresh = new Set(fresh.rows.map((row) => row.source_key))
  return willing.filter((row) => isFresh.has(keyFor(announcement.sourceKey ?? '', row.user_id)))
}

/** The field that an amount is, by the entity of a message. */
const AMOUNTS: Readonly<Partial<Record<LinkEntity, readonly [entity: string, field: string]>>> = {
  bussiness: ['bussiness', 'amount'],
  contract: ['contract', 'amount'],
  payment: ['payment', 'amount'],
  plan: ['plan', 'plan_amount'],
}

/** Receivers whose roles hide the amount in a message. */
async function seeingNoAmount(
  trx: Trx,
  { tenantId, entity, params, amountOf = AMOUNTS[entity] ?? null }: Announcement,
  people: readonly Receiver[],
): Promise<ReadonlySet<string>> {
  if (params?.amount === undefined || amountOf === null || people.length === 0) return new Set()
  const { rows } = await sql<{ user_id: string; rights: readonly unknown[] }>`select a.user_id,
      jsonb_agg(r.field_rights) as rights
    from role_assignment a join role r on r.tenant_id = a.tenant_id and r.id = a.role_id and r.deleted_at is null
    where a.tenant_id = ${tenantId} and a.user_id = any(${people.map((it) => it.user_id)}::text[])
    group by a.user_id`.execute(trx)
  const [of, ...fields] = amountOf
  const barred = rows.filter(({ rights }) => {
    const fieldRights = mergeFieldRights(rights)
    return fields.some((field) => !isClear({ fieldRights }, of, field))
  })
  return new Set(barred.map(({ user_id }) => user_id))
}

const withoutAmount = (announcement: Announcement): Announcement => ({
  ...announcement,
  params: { ...announcement.params, amount: text('record.withheld'), sum: '' },
})

function keyFor(sourceKey: string, userId: string): string {
  return `${userId}/${sourceKey}`.slice(0, MAX_SOURCE)
}

type Row = ReturnType<typeof rowFor>

function rowFor(person: Receiver, announcement: Announcement) {
  const { category, fixed, urgent } = EVENT_RULES[announcement.event]
  const shown = fixed || urgent ? announcement.now : shownAt(person, announcement.now, person.timezone)
  return {
    tenant_id: announcement.tenantId,
    id: newId(announcement.now.getTime()),
    receiver_id: person.user_id,
    category: category === 'entity' ? CATEGORY_OF[announcement.entity] : category,
    event: announcement.event,
    title: wordsOf(announcement, 'title').slice(0, MAX_TITLE),
    content: wordsOf(announcement, 'content').slice(0, MAX_CONTENT),
    link: { ...(announcement.link ?? linkTo(announcement.entity, announcement.ids)) },
    sender_id: announcement.actorId,
    group_key: announcement.groupKey ?? null,
    shown_at: shown,
    is_told: shown <= announcement.now,
    created_at: announcement.now,
  }
}

/** The text of an event; `{what}` is the kind of record, `{count}` the number of records, `{amount}` money. */
function wordsOf({ event, entity, ids, params = {} }: Announcement, part: 'title' | 'content'): string {
  const code = `message.${event}.${part}`
  const subjectKey = `message.what.${entity}`
  const money = typeof params.amount === 'number' ? { amount: moneyText(params.amount) } : {}
  const places = {
    what: isTextCode(subjectKey) ? text(subjectKey) : '',
    count: ids.length,
    ...params,
    ...money,
  }
  const words = isTextCode(code) ? text(code, places) : event
  return words.replace(/\{\w+\}/g, '').trim()
}

/** Adds to the unread message of the group, or creates one. @returns its id */
async function merge(trx: Trx, row: Row): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`insert into message (tenant_id, id, receiver_id, category, event, title, content, link, sender_id, group_key,
      shown_at, is_told, created_at)
    values (${row.tenant_id}, ${row.id}, ${row.receiver_id}, ${row.category}, ${row.event}, ${row.title}, ${row.content},
      ${json(row.link)}, ${row.sender_id}, ${row.group_key}, ${row.shown_at}, ${row.is_told}, ${row.created_at})
    on conflict (tenant_id, receiver_id, group_key) where group_key is not null and read_at is null and deleted_at is null
    do update set title = excluded.title, content = excluded.content, link = excluded.link, sender_id = excluded.sender_id,
      shown_at = excluded.shown_at, is_told = excluded.is_told, created_at = excluded.created_at,
      merged = message.merged + 1 returning id`.execute(trx)
  return rows[0]?.id ?? row.id
}
