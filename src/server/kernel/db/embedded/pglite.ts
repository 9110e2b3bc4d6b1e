import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { errorText } from '../../text/error-text.ts'
import type { Connection, ConnectionSource } from '../connection.ts'
import { storageFault } from '../data-folder.ts'
import { createMutex } from '../mutex.ts'
import { COLUMN_READERS } from '../types.ts'

/** The options and extensions our PGlite needs. */
export const PGLITE_OPTIONS = { extensions: { pg_trgm }, parsers: { ...COLUMN_READERS } } as const

/** Opens PGlite in a folder; `null` keeps it in memory (tests). @throws Error that names the folder and the reason */
export async function openPglite(folder: string | null): Promise<ConnectionSource> {
  const place = folder === null ? {} : { dataDir: folder }
  const pglite = await PGlite.create({ ...PGLITE_OPTIONS, ...place }).catch((error: unknown) => {
    const reason = storageFault(error) ?? errorText(error)
    throw new Error(`PGlite in ${folder ?? 'memory'} cannot be opened: ${reason}`, { cause: error })
  })
  return pgliteSource(pglite)
}

/** PGlite has one session, so transactions take turns and never interleave. */
export function pgliteSource(pglite: PGlite): ConnectionSource {
  const mutex = createMutex()
  return {
    kind: 'pglite',
    async acquire() {
      return connectionOf(pglite, await mutex.take())
    },
    async listen(channel, onNotification) {
      const done = await mutex.take()
      try {
        const stop = await pglite.listen(channel, onNotification)
        return () => stop()
      } finally {
        done()
      }
    },
    async close() {
      const done = await mutex.take()
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
    async begin({ fixed, own }) {
      const all = Object.entries({ ...fixed, ...own })
      await pglite.exec(['begin', ...all.map(([name, value]) => `set local ${name} = '${value}'`)].join('; '))
    },
    async end(how) {
      await pglite.exec(how)
    },
    async exec(text) {
      await pglite.exec(text)
    },
    release,
  }
}
