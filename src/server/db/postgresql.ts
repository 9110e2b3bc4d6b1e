import pg from 'pg'
import type { Connection, ConnectionSource } from './connection.ts'
import { createListening } from './listening.ts'
import { COLUMN_READERS } from './types.ts'
import { asUnavailable } from './unavailable.ts'

type Reader = (text: string) => unknown

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): Reader {
    const own = COLUMN_READERS[oid]
    return own ?? (pg.types.getTypeParser(oid, format ?? 'text') as Reader)
  },
}

/** Opening the session that listens takes no longer, or counts as failed. */
const CONNECT_MS = 5_000
const POOL_SIZE = 10
const WAIT_MS = 10_000

export interface PoolOptions {
  /** Sessions at most. Default: 10. */
  readonly size?: number | undefined
  /** So long somebody waits for a session, in milliseconds. Default: 10,000. */
  readonly waitMs?: number | undefined
}

/**
 * What every session begins with. Our statements are short: compiling one to machine code (`jit`) takes longer than running it, and one
 * that runs or waits for long keeps others from their turn. Work that may take longer says so (`patiently` of the database).
 */
const OPENING = `set jit = off; set statement_timeout = '30s'; set lock_timeout = '8s'; set idle_in_transaction_session_timeout = '60s'`

/** A PostgreSQL server (15 or later) behind a pool of sessions. */
export function openPostgresql(
  url: string,
  onError: (error: Error) => void,
  { size = POOL_SIZE, waitMs = WAIT_MS }: PoolOptions = {},
): ConnectionSource {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types: types as pg.CustomTypesConfig,
    keepAlive: true,
    connectionTimeoutMillis: waitMs,
  })
  pool.on('error', onError)
  // A session that is lost while somebody holds it says so itself.
  pool.on('connect', (client) => {
    client.on('error', onError)
    client.query(OPENING).catch(onError)
  })
  const listening = createListening({ url, onError, connectMs: CONNECT_MS })
  return {
    kind: 'postgresql',
    sessions: { count: size, waitMs },
    async acquire() {
      try {
        return connectionOf(await pool.connect())
      } catch (error) {
        throw asUnavailable(error)
      }
    },
    listen: listening.listen,
    async close() {
      await listening.close()
      await pool.end()
    },
  }
}

function connectionOf(client: pg.PoolClient): Connection {
  return {
    async query(text, parameters) {
      const result = await told(client.query(text, [...parameters]))
      return { rows: result.rows, affected: result.rowCount ?? 0 }
    },
    async exec(text) {
      await told(client.query(text))
    },
    release(broken = false) {
      client.release(broken)
    },
  }
}

async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw asUnavailable(error)
  }
}
