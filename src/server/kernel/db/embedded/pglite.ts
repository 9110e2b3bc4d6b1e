import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import type { Connection, ConnectionSource } from '../connection.ts'
import { createTurns } from '../turns.ts'
import { COLUMN_READERS } from '../types.ts'

/** The options and extensions our PGlite needs. */
export const OURS = { extensions: { pg_trgm }, parsers: { ...COLUMN_READERS } } as const

/** Opens PGlite in a folder; `null` keeps it in memory (tests). */
export async function openPglite(folder: string | null): Promise<ConnectionSource> {
  return pgliteSource(await PGlite.create({ ...OURS, ...(folder === null ? {} : { dataDir: folder }) }))
}

/** PGlite has one session, so transactions take turns and never interleave. */
export function pgliteSource(pglite: PGlite): ConnectionSource {
  const turns = createTurns()
  return {
    kind: 'pglite',
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
