import pg from 'pg'
import type { Connection, ConnectionSource } from './connection.ts'
import { COLUMN_READERS } from './types.ts'

type Reader = (text: string) => unknown

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): Reader {
    const own = COLUMN_READERS[oid]
    return own ?? (pg.types.getTypeParser(oid, format ?? 'text') as Reader)
  },
}

/**
 * A PostgreSQL server (15 or later) behind a pool of up to `size` sessions. Its statements are short: compiling one to machine code
 * (`jit`) takes longer than running it.
 */
export function openPostgresql(url: string, onError: (error: Error) => void, size = 10): ConnectionSource {
  const pool = new pg.Pool({ connectionString: url, max: size, types: types as pg.CustomTypesConfig })
  pool.on('error', onError)
  // A session that is lost while somebody holds it says so itself.
  pool.on('connect', (client) => {
    client.on('error', onError)
    client.query('set jit = off').catch(onError)
  })
  const listeners = new Set<() => Promise<void>>()
  return {
    kind: 'postgresql',
    async acquire() {
      return connectionOf(await pool.connect())
    },
    async listen(channel, heard) {
      const stop = await listenOn(url, channel, heard, onError)
      listeners.add(stop)
      return async () => {
        listeners.delete(stop)
        await stop()
      }
    },
    async close() {
      for (const stop of listeners) await stop()
      await pool.end()
    },
  }
}

function connectionOf(client: pg.PoolClient): Connection {
  return {
    async query(text, parameters) {
      const result = await client.query(text, [...parameters])
      return { rows: result.rows, affected: result.rowCount ?? 0 }
    },
    async exec(text) {
      await client.query(text)
    },
    release(broken = false) {
      client.release(broken)
    },
  }
}

const RECONNECT_MS = 1000

/** Listening needs a session of its own; a lost one is opened again until stopped. */
async function listenOn(
  url: string,
  channel: string,
  heard: (payload: string) => void,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({ connectionString: url })
    fresh.on('notification', (message) => heard(message.payload ?? ''))
    fresh.on('error', onError)
    fresh.on('end', again)
    await fresh.connect()
    await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
    client = fresh
  }
  const again = (): void => {
    if (stopped) return
    timer = setTimeout(() => {
      connect().catch((error: Error) => {
        onError(error)
        again()
      })
    }, RECONNECT_MS)
  }
  await connect()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await client?.end()
  }
}
