import pg from 'pg'
import type { Connection, ConnectionSource } from './connection.ts'
import { createListening } from './listening.ts'
import { COLUMN_READERS } from './types.ts'

type Reader = (text: string) => unknown

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): Reader {
    const own = COLUMN_READERS[oid]
    return own ?? (pg.types.getTypeParser(oid, format ?? 'text') as Reader)
  },
}

/** Opening a session takes no longer, or counts as failed. */
const CONNECT_MS = 5_000

/**
 * A PostgreSQL server (15 or later) behind a pool of up to `size` sessions. Its statements are short: compiling one to machine code
 * (`jit`) takes longer than running it.
 */
export function openPostgresql(url: string, onError: (error: Error) => void, size = 10): ConnectionSource {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types: types as pg.CustomTypesConfig,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
  })
  pool.on('error', onError)
  // A session that is lost while somebody holds it says so itself.
  pool.on('connect', (client) => {
    client.on('error', onError)
    client.query('set jit = off').catch(onError)
  })
  const listening = createListening({ url, onError, connectMs: CONNECT_MS })
  return {
    kind: 'postgresql',
    async acquire() {
      return connectionOf(await pool.connect())
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
