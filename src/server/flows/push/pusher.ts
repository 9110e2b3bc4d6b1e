import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { MessageLink } from '../../../contract/message.ts'
import type { PushPayload } from '../../../contract/push.ts'
import type { AllowedAddresses } from '../../kernel/config/inner-addresses.ts'
import type { Database } from '../../kernel/db/database.ts'
import { EVENT_RULES, isMessageEvent } from '../../kernel/notices/events.ts'
import { linkTo, urlOf } from '../../kernel/notices/links.ts'
import { DEVICE_DAYS } from '../../kernel/notices/push-later.ts'
import type { Resolve } from '../connections/outgoing-request.ts'
import { type Sent, sendPush } from './send.ts'
import type { Vapid } from './vapid.ts'

export interface PusherParts {
  readonly database: Database
  readonly vapid: Vapid
  readonly reach: AllowedAddresses
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly resolve?: Resolve
}

/** Sends queued messages. */
export interface Pusher {
  /** Runs until nothing is due. @returns how many were sent */
  run(): Promise<number>
}

/** Maximum concurrent deliveries. */
const BATCH = 40
/** How long a row is reserved: longer than a batch may take, so that no two servers send the same one. */
const TAKEN_SECONDS = 60
const MAX_ATTEMPTS = 5
const FIRST_WAIT_SECONDS = 30
/** Pause for a service that did not answer, so that its failure does not delay other messages. */
const REST_MS = 60_000
/** Older messages are no longer useful. */
const DAY_MS = 86_400_000

interface Task {
  readonly tenant_id: string
  readonly subscription_id: string
  readonly message_id: string
  readonly attempts: number
  readonly taken_until: Date
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly category: PushPayload['category']
  readonly event: string
  readonly title: string
  readonly content: string
  readonly link: MessageLink | null
  readonly unread: number
  /** Still unread, recent, and the device is still signed in. */
  readonly wanted: boolean
}

/**
 * Reserves rows, sends them outside any transaction, and records the results. If a server dies in between, another takes over its rows after the
 * reservation expires; a device that receives a message twice shows one notification, because both have the message's name.
 */
export function createPusher(parts: PusherParts): Pusher {
  const { database, vapid, reach, log, now } = parts
  const resting = new Map<string, number>()

  const send = async (task: Task): Promise<Sent> => {
    const origin = new URL(task.endpoint).origin
    const until = resting.get(origin) ?? 0
    if (until > now()) return { end: 'later', reason: 'resting', afterMs: until - now() }
    resting.delete(origin)
    const sent = await sendPush(task, payloadOf(task), {
      vapid,
      reach,
      now: now(),
      urgent: isUrgent(task.event),
      ...(parts.resolve === undefined ? {} : { resolve: parts.resolve }),
    })
    if (sent.end === 'later' && !sent.reason.startsWith('status')) resting.set(origin, now() + REST_MS)
    return sent
  }
  const deal = async (task: Task): Promise<boolean> => {
    const sent: Sent = task.wanted ? await send(task) : { end: 'refused', reason: '' }
    if ('reason' in sent && sent.reason !== '' && sent.reason !== 'resting')
      log.warn(
        { service: new URL(task.endpoint).host, why: sent.reason, attempts: task.attempts },
        'a push was not taken',
      )
    await settle(database, task, sent)
    return sent.end === 'ok'
  }
  return {
    async run() {
      for (let count = 0; ; ) {
        const tasks = await reserveTasks(database, now())
        if (tasks.length === 0) return count
        const ends = await Promise.all(tasks.map(deal))
        count += ends.filter(Boolean).length
      }
    },
  }
}

/** Due rows that nobody has reserved, by the database's clock, which all servers share. */
async function reserveTasks(database: Database, now: number): Promise<readonly Task[]> {
  const at = new Date(now)
  const lapsed = new Date(now - DEVICE_DAYS * DAY_MS)
  const { rows } = await database.system((trx) =>
    sql<Task>`with due as (
        select tenant_id, subscription_id, message_id from push_task
        where due_at <= now() and (taken_until is null or taken_until < now())
        order by due_at limit ${BATCH} for update skip locked
      ), taken as (
        update push_task t set taken_until = now() + make_interval(secs => ${TAKEN_SECONDS}), attempts = t.attempts + 1
        from due d where t.tenant_id = d.tenant_id and t.subscription_id = d.subscription_id and t.message_id = d.message_id
        returning t.*
      )
      select t.tenant_id, t.subscription_id, t.message_id, t.attempts, t.taken_until, s.endpoint, s.p256dh, s.auth,
        g.category, g.event, g.title, g.content, g.link,
        (select count(*)::int from message u where u.tenant_id = g.tenant_id and u.receiver_id = g.receiver_id
          and u.deleted_at is null and u.read_at is null and (u.is_told or u.shown_at <= ${at})) as unread,
        g.read_at is null and g.deleted_at is null and g.shown_at > ${new Date(now - DAY_MS)}
          and exists (select 1 from session x where x.user_id = s.user_id and x.device_id = s.device_id
            and x.tenant_id = s.tenant_id and x.revoked_at is null and not x.handed_over and x.expires_at > ${lapsed}) as wanted
      from taken t
      join push_subscription s on s.tenant_id = t.tenant_id and s.id = t.subscription_id
      join message g on g.tenant_id = t.tenant_id and g.id = t.message_id`.execute(trx),
  )
  return rows
}

/** Messages exempt from quiet hours must not be delayed by the device either. */
function isUrgent(event: string): boolean {
  if (!isMessageEvent(event)) return false
  const { urgent, fixed } = EVENT_RULES[event]
  return urgent === true || fixed === true
}

function payloadOf(task: Task): PushPayload {
  return {
    id: task.message_id,
    to: task.subscription_id,
    category: task.category,
    title: task.title,
    content: task.content,
    url: urlOf(task.link ?? linkTo('notice', [])),
    unread: task.unread,
  }
}

/** Records the end of a task, unless the message was queued again meanwhile. */
async function settle(database: Database, task: Task, sent: Sent): Promise<void> {
  const isIt = sql`tenant_id = ${task.tenant_id} and subscription_id = ${task.subscription_id}`
  const isTask = sql`${isIt} and message_id = ${task.message_id} and taken_until = ${task.taken_until}`
  await database.system(async (trx) => {
    if (sent.end === 'gone')
      await sql`delete from push_subscription where tenant_id = ${task.tenant_id} and id = ${task.subscription_id}
        and endpoint = ${task.endpoint}`.execute(trx)
    else if (sent.end === 'later' && (sent.reason === 'resting' || task.attempts < MAX_ATTEMPTS)) {
      const isResting = sent.reason === 'resting'
      const wait = (sent.afterMs ?? 0) / 1000 || FIRST_WAIT_SECONDS * 4 ** (task.attempts - 1)
      await sql`update push_task set taken_until = null, due_at = now() + make_interval(secs => ${wait}),
        attempts = attempts - ${isResting ? 1 : 0} where ${isTask}`.execute(trx)
    } else await sql`delete from push_task where ${isTask}`.execute(trx)
  })
}
