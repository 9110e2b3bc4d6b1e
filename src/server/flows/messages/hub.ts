import { AsyncResource } from 'node:async_hooks'
import { sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { LiveEvent } from '../../../contract/message.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import { isSessionOver } from '../../kernel/auth/sessions.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { LIVE_CHANNEL, type LiveHint, readNotice } from '../../kernel/live/notify.ts'
import type { Stream } from '../../kernel/live/stream.ts'
import { isMine, MESSAGE_COLUMNS, MESSAGE_FROM, messageRow, type StoredMessage } from './message-row.ts'
import { unreadCount } from './unread.ts'

/** The open streams of this server. */
export interface Hub {
  /** Adds a stream; it receives the number of unread messages at once, and what it missed since `lastEventId`. */
  add(stream: Stream, caller: Caller, lastEventId: string | null): void
  remove(stream: Stream): void
  closeAll(): void
  /** Listens on the database until stopped. */
  start(): Promise<() => Promise<void>>
}

/** Maximum streams of one person on a server; a new one replaces the oldest. */
const STREAMS_PER_PERSON = 6
/** Maximum messages that a stream sends to catch up; the list contains the others. */
const MAX_MISSED = 50
/** Transactions may commit in another order than they began: messages are read again from this long before the last seen. */
const OVERLAP_MS = 5000

/** Sent to a stream after a period in which notifications may have been lost. */
const MISSED: readonly LiveHint[] = [{ kind: 'unread' }, { kind: 'message' }, { kind: 'todo' }]

const ENDED: LiveEvent = { kind: 'signed-out' }
const OTHER_RIGHTS: LiveEvent = { kind: 'rights' }

interface Listener {
  readonly stream: Stream
  caller: Caller
  /** Version of the caller's rights; null before the first check. */
  ver: string | null
  /** `shown_at` of the newest message sent, and the ids sent within the overlap. */
  seen: number
  knownKeys: Set<string>
  /** False until the earlier unread messages are known, so that only new ones are sent. */
  isPrimed: boolean
  queue: Promise<void>
}

/** The people with streams on this server; content is read as that person, so nothing crosses tenants. */
export function createHub(services: Services): Hub {
  const { database, sessions, log, now } = services
  const people = new Map<string, Set<Listener>>()
  const keyOf = (tenantId: string, userId: string) => `${tenantId}/${userId}`

  const drop = (listener: Listener): void => {
    const key = keyOf(listener.caller.tenantId, listener.caller.userId)
    const mine = people.get(key)
    mine?.delete(listener)
    if (mine?.size === 0) people.delete(key)
  }
  /** Checks whether the session is still valid, and with which rights. @returns false if it has ended */
  const goesOn = async (listener: Listener): Promise<boolean> => {
    const { sessionId, tenantId } = listener.caller
    const state = await sessions.find(sessionId, tenantId)
    if (state === null || isSessionOver(state, now())) {
      drop(listener)
      listener.stream.send(ENDED as unknown as Json)
      listener.stream.close()
      return false
    }
    const { caller, ver } = state
    if (listener.ver !== null && listener.ver !== ver) listener.stream.send(OTHER_RIGHTS as unknown as Json)
    Object.assign(listener, { caller, ver })
    return true
  }
  const send = async (listener: Listener, hint: LiveHint): Promise<void> => {
    if (!(await goesOn(listener))) return
    for (const event of await eventsOf(services, listener, hint)) {
      const id = event.kind === 'message' || event.kind === 'unread' ? String(listener.seen) : undefined
      listener.stream.send(event as unknown as Json, id)
    }
  }
  /** One after another per stream, so that counts never go backwards; without a notification only its session is checked. */
  const later = (listener: Listener, hint: LiveHint | null): void => {
    listener.queue = listener.queue
      .then(async () => void (await (hint === null ? goesOn(listener) : send(listener, hint))))
      .catch((error: unknown) => log.error({ err: error }, 'a stream could not be told'))
  }

  const catchUp = (): void => {
    for (const mine of people.values())
      for (const listener of mine) for (const hint of MISSED) later(listener, hint)
  }

  return {
    add(stream, caller, lastEventId) {
      const last = Number(lastEventId ?? Number.NaN)
      const seen = Number.isSafeInteger(last) && last > 0 ? last : now()
      const listener: Listener = {
        stream,
        caller,
        ver: null,
        seen,
        knownKeys: new Set(),
        isPrimed: last > 0,
        queue: Promise.resolve(),
      }
      const key = keyOf(caller.tenantId, caller.userId)
      const mine = people.get(key) ?? new Set()
      people.set(key, mine.add(listener))
      const [oldest] = mine
      if (mine.size > STREAMS_PER_PERSON && oldest !== undefined) {
        drop(oldest)
        oldest.stream.close()
      }
      later(listener, { kind: 'unread' })
      if (lastEventId !== null) later(listener, { kind: 'message' })
    },
    remove(stream) {
      for (const mine of people.values()) for (const one of mine) if (one.stream === stream) drop(one)
    },
    closeAll() {
      for (const mine of people.values()) for (const { stream } of mine) stream.close()
      people.clear()
    },
    async start() {
      const stopWatching = sessions.onChange((userId) => {
        for (const mine of people.values())
          for (const listener of mine) if (listener.caller.userId === userId) later(listener, null)
      })
      const onNotification = (payload: string): void => {
        const notice = readNotice(payload)
        if (notice === null) return
        for (const user of notice.users)
          for (const listener of people.get(keyOf(notice.tenantId, user)) ?? []) later(listener, notice.hint)
      }
      // The embedded database calls this from within the notifying transaction; what follows must not run inside it.
      const stopListening = await database.listen(LIVE_CHANNEL, AsyncResource.bind(onNotification), catchUp)
      return async () => {
        stopWatching()
        await stopListening()
      }
    },
  }
}

async function eventsOf(
  services: Services,
  listener: Listener,
  hint: LiveHint,
): Promise<readonly LiveEvent[]> {
  if (hint.kind === 'record-changed' || hint.kind === 'job') return [hint]
  return runRead(services, listener.caller, async (ctx) => {
    const unread = await unreadCount(ctx)
    if (hint.kind === 'todo') return [{ kind: 'todo', unread }]
    if (hint.kind === 'unread' && listener.isPrimed) return [{ kind: 'unread', unread }]
    const since = new Date(listener.seen - OVERLAP_MS)
    const { rows } = await sql<StoredMessage>`select ${MESSAGE_COLUMNS} from ${MESSAGE_FROM}
      where ${isMine(ctx)} and g.read_at is null and g.shown_at >= ${since}
      order by g.shown_at desc, g.id desc limit ${MAX_MISSED}`.execute(ctx.trx)
    const key = (row: StoredMessage) => `${row.id}/${row.merged}`
    const fresh = rows.filter((row) => !listener.knownKeys.has(key(row))).reverse()
    listener.knownKeys = new Set(rows.map(key))
    if (!listener.isPrimed) {
      listener.isPrimed = true
      return [{ kind: 'unread', unread }]
    }
    listener.seen = Math.max(listener.seen, ...rows.map((row) => row.shown_at.getTime()))
    return fresh.map((row): LiveEvent => ({ kind: 'message', message: messageRow(row, ctx), unread }))
  })
}
