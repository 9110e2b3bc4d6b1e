import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import type { Connection, ConnectionSource } from './connection.ts'
import { createTurns } from './turns.ts'
import { COLUMN_READERS } from './types.ts'

/**
 * The embedded database. It has one session, so transactions take turns and never interleave.
 *
 * @param folder  where it lives; `null` keeps it in memory (tests)
 */
export async function openEmbedded(folder: string | null): Promise<ConnectionSource> {
  const pglite = await PGlite.create({
    ...(folder === null ? {} : { dataDir: folder }),
    extensions: { pg_trgm },
    parsers: { ...COLUMN_READERS },
  })
  const turns = createTurns()
  return {
    kind: 'embedded',
    async acquire() {
      return connectionOf(pglite, await turns.take())
    },
    async listen(channel, heard) {
      const done = await turns.take()
      try {
        const stop = await pglite.listen(channel, heard)
        return () => stop()
      } finally {
        done()
      }
    },
    async close() {
      const done = await turns.take()
      await pglite.close()
      done()
    },
  }
}

function connectionOf(pglite: PGlite, release: () => void): Connection {
  return {
    async query(text, parameters) {
      const result = await pglite.query(text, [...parameters])
      return { rows: result.rows, affected: result.affectedRows ?? 0 }
    },
    async exec(text) {
      await pglite.exec(text)
    },
    release,
  }
}
