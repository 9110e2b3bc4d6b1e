import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Clock } from '../../../runtime/core/ports.ts'
import { openReconnectingStream, type ReconnectingStreamOptions } from '../net/reconnecting-stream.ts'

export interface ServerEventsOptions {
  /** Opens the stream of the signed-in user. */
  readonly open: ReconnectingStreamOptions['open']
  readonly clock: Clock
  /** Asks for the unread count while the stream is down; undefined if that fails too. */
  readonly poll: () => Promise<Json | undefined>
  /** Interval of polling in milliseconds. */
  readonly pollMs: number
  /** The current unread counts of the server. */
  readonly onUnread: (unread: JsonObject) => void
  /** An event with its `kind`, or `{ kind: 'poll' }` if polling found another count. */
  readonly onNews: (event: JsonObject) => void
}

export interface ServerEvents {
  /** Starts for another person, or stops with null; idempotent. */
  follow(person: string | null): void
  /** Reconnects immediately, after the network came back. */
  restart(): void
}

/**
 * Receives events of the signed-in person by server-sent events, and by polling while no event arrives, which includes streams that are open but
 * blocked on the way.
 */
export function listenToServerEvents(options: ServerEventsOptions): ServerEvents {
  let person: string | null = null
  let stream: { restart(): void; stop(): void } | null = null
  let lastUnread = ''
  /** Stops the running polling; null if there is none. */
  let cancelPoll: (() => void) | null = null

  function reportUnread(unread: JsonObject): boolean {
    const counted = JSON.stringify(unread)
    if (counted === lastUnread) return false
    lastUnread = counted
    options.onUnread(unread)
    return true
  }
  function onData(data: string): void {
    const event = readEvent(data)
    if (event === null) return
    // The session is over, so requests would be refused. The next session starts with another `follow`.
    if (event.kind === 'signed-out') stop()
    else if (isObject(event.unread)) reportUnread(event.unread)
    if (event.kind !== 'unread' && event.kind !== 'signed-out') options.onNews(event)
  }
  /** Polls at an interval, independent of attempts to reopen the stream. */
  function startPolling(): void {
    if (cancelPoll !== null) return
    let isActive = true
    const schedule = (): (() => void) =>
      options.clock.after(options.pollMs, async () => {
        const unread = await options.poll()
        if (!isActive) return
        if (isObject(unread) && reportUnread(unread)) options.onNews({ kind: 'poll' })
        cancelTimer = schedule()
      })
    let cancelTimer = schedule()
    cancelPoll = () => {
      isActive = false
      cancelTimer()
    }
  }
  function stopPolling(): void {
    cancelPoll?.()
    cancelPoll = null
  }
  function stop(): void {
    stopPolling()
    stream?.stop()
    stream = null
    lastUnread = ''
  }

  return {
    follow(next) {
      if (next === person) return
      stop()
      person = next
      if (person === null) return
      startPolling()
      stream = openReconnectingStream({
        open: options.open,
        clock: options.clock,
        onData,
        onEnd: startPolling,
        onOpen(afterGap) {
          stopPolling()
          if (afterGap) options.onNews({ kind: 'poll' })
        },
      })
    },
    restart: () => stream?.restart(),
  }
}

function readEvent(data: string): JsonObject | null {
  try {
    const value = JSON.parse(data) as Json
    return isObject(value) && typeof value.kind === 'string' ? value : null
  } catch {
    return null
  }
}
