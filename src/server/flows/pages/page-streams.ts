import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Json } from '../../../../runtime/core/json.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import { isSessionOver } from '../../kernel/auth/sessions.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { openStream, type Stream } from '../../kernel/live/stream.ts'
import type { Announcement } from '../../kernel/pages/library.ts'
import { isAmong } from '../../kernel/pages/trials.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Maximum streams on a server for people who are not signed in: by address, and in total. */
const MAX_ADDRESS = 30
const MAX_ANONYMOUS = 1000
/** Maximum per person; a new one replaces the oldest. */
const MAX_PERSON = 6
const RETRY_S = 60
/** Receives the errors of a page; all others just keep its last valid version. */
export const AUTHORS = 'system:form'

interface Reader {
  readonly stream: Stream
  /** With the rights of the last look at the session. */
  caller: Caller | null
  readonly address: string
}

/** The streams of this server for changed pages. */
export interface PageStreams {
  /** @throws Refusal 429 if an address, or all people who are not signed in together, have too many open */
  open(request: FastifyRequest, reply: FastifyReply): void
  close(): void
}

/** Streams of changed pages: open to everybody, within limits; a person's stream ends with their session. */
export function createPageStreams({ pages, sessions, log, now }: Services): PageStreams {
  const readers = new Set<Reader>()
  const end = (reader: Reader): void => {
    readers.delete(reader)
    reader.stream.close()
  }
  const stop = sessions.onChange((userId) => {
    for (const reader of readers) {
      const { caller } = reader
      if (caller?.userId !== userId) continue
      sessions
        .find(caller.sessionId, caller.tenantId)
        .then((state) => {
          if (state === null || isSessionOver(state, now())) end(reader)
          else reader.caller = state.caller
        })
        .catch((error: unknown) => log.error({ err: error }, 'a stream could not be looked at'))
    }
  })
  return {
    open(request, reply) {
      const { caller, ip } = request
      if (caller === null) refuseCrowd(readers, ip)
      const unsubscribe = pages.subscribe((announcement) => {
        if (isFor(announcement, reader.caller)) reader.stream.send(announcement.event as unknown as Json)
      })
      const stream = openStream(reply, () => {
        unsubscribe()
        readers.delete(reader)
      })
      const reader: Reader = { stream, caller, address: ip }
      readers.add(reader)
      // Existing errors, for somebody who reopens the page.
      if (isAuthor(caller)) for (const event of pages.broken()) stream.send(event as unknown as Json)
      const mine = [...readers].filter((one) => caller !== null && one.caller?.userId === caller.userId)
      const [oldest] = mine
      if (oldest !== undefined && mine.length > MAX_PERSON) end(oldest)
    },
    close() {
      stop()
      for (const { stream } of readers) stream.close()
    },
  }
}

const isAuthor = (caller: Caller | null): boolean => caller?.permissions.has(AUTHORS) === true

function isFor({ event, tenantId, audience }: Announcement, caller: Caller | null): boolean {
  if (tenantId !== null && tenantId !== caller?.tenantId) return false
  if (audience !== undefined && (caller === null || !isAmong(audience, caller))) return false
  return isAuthor(caller) || !('problems' in event)
}

function refuseCrowd(readers: ReadonlySet<Reader>, address: string): void {
  const anonymous = [...readers].filter((reader) => reader.caller === null)
  const isFull =
    anonymous.length >= MAX_ANONYMOUS ||
    anonymous.filter((one) => one.address === address).length >= MAX_ADDRESS
  if (isFull)
    refuse(429, 'RATE_LIMIT', text('call.rate-limit', { seconds: RETRY_S }), {
      data: { retryAfter: RETRY_S },
    })
}
