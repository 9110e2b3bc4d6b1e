import { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import type { OnMissed, OnNotification } from './connection.ts'

/** The session of this server that receives what other servers send by `pg_notify`. */
export interface Listening {
  /**
   * @param onNotification   receives each payload on `channel`
   * @param missed  called when a lost session is back, with the time since it was lost, in milliseconds: notifications of that time were not received
   * @returns stops it
   */
  listen(channel: string, onNotification: OnNotification, missed: OnMissed): Promise<() => Promise<void>>
  close(): Promise<void>
}

export interface ListeningParts {
  readonly url: string
  readonly onError: (error: Error) => void
  /** Timeout for opening a session and for a statement in it. */
  readonly connectMs: number
}

interface Listener {
  readonly onNotification: OnNotification
  readonly missed: OnMissed
}

/** An open session and how to drop it immediately. */
interface Session {
  readonly client: pg.Client
  readonly destroy: () => void
}

/** Delay before the next attempt: doubles from the first to the last value, each shortened randomly so that servers do not synchronise. */
const FIRST_WAIT_MS = 100
const LAST_WAIT_MS = 5_000
/** Interval of the check whether a silent connection is still alive. */
const BEAT_MS = 20_000
/** Maximum time a session may take to close. */
const GOODBYE_MS = 1_000

/**
 * Listens to all channels on one session. A lost session is reopened until `close`: one attempt at a time, and a failed one leaves nothing behind.
 */
export function createListening({ url, onError, connectMs }: ListeningParts): Listening {
  const channels = new Map<string, Set<Listener>>()
  let current: Promise<Session> | null = null
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let lostAt: number | null = null
  let isClosed = false

  const open = async (): Promise<Session> => {
    const session = newSession(url, connectMs)
    const { client, destroy } = session
    client.on('error', onError)
    client.on('notification', ({ channel, payload = '' }) => {
      for (const { onNotification } of channels.get(channel) ?? []) onNotification(payload)
    })
    try {
      await client.connect()
      for (const channel of channels.keys()) await listenTo(client, channel)
    } catch (error) {
      destroy()
      throw error
    }
    const beat = setInterval(() => client.query('select 1').catch(destroy), BEAT_MS)
    client.once('end', () => {
      clearInterval(beat)
      onLost()
    })
    return session
  }
  const onLost = (): void => {
    current = null
    lostAt ??= performance.now()
    if (isClosed) return
    const maxDelay = Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures)
    timer = setTimeout(reopen, maxDelay * (0.5 + Math.random() / 2))
  }
  const reopen = (): void => {
    timer = undefined
    current = open()
    current.then(back, (error: Error) => {
      failures += 1
      onError(error)
      onLost()
    })
  }
  const back = ({ destroy }: Session): void => {
    if (isClosed) {
      destroy()
      return
    }
    const ms = lostAt === null ? 0 : performance.now() - lostAt
    failures = 0
    lostAt = null
    for (const listeners of channels.values()) for (const { missed } of listeners) missed(ms)
  }

  return {
    async listen(channel, onNotification, missed) {
      // The server is stopped while it starts: otherwise nobody would close the session that is being opened.
      if (isClosed) return async () => {}
      const listener = { onNotification, missed }
      const others = channels.get(channel)
      channels.set(channel, (others ?? new Set()).add(listener))
      // The first caller opens the session; one that arrives while a lost session is being reopened starts listening as soon as it is back.
      if (current === null && timer === undefined) {
        current = open()
        current.catch(() => {
          current = null
        })
      }
      const session = await current
      if (others === undefined && session !== null) await listenTo(session.client, channel)
      return async () => {
        channels.get(channel)?.delete(listener)
      }
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      const session = await current?.catch(() => null)
      if (!session) return
      const patience = setTimeout(session.destroy, GOODBYE_MS)
      await session.client.end()
      clearTimeout(patience)
    },
  }
}

function listenTo(client: pg.Client, channel: string): Promise<unknown> {
  return client.query(`listen ${pg.escapeIdentifier(channel)}`)
}

function newSession(url: string, connectMs: number): Session {
  const socket = new Socket()
  const client = new pg.Client({
    connectionString: url,
    stream: () => socket,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    query_timeout: connectMs,
  })
  return { client, destroy: () => socket.destroy() }
}
