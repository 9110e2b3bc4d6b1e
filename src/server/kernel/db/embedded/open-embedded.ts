import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConnectionSource } from '../connection.ts'
import { openPostgresql, POOL_SIZE, type PoolOptions } from '../postgresql.ts'
import { openPglite } from './pglite.ts'
import { POSTGRESQL, startPostmaster, urlIn } from './postmaster.ts'
import { CannotRun } from './programs.ts'

export interface EmbeddedParts {
  readonly onError: (error: Error) => void
  /** Told where the data is less safe than it should be. */
  readonly print: (line: string) => void
  readonly pool?: PoolOptions
}

/** Sessions besides the pool: one that listens, one that probes the database, commands of an operator. */
const OTHER_SESSIONS = 20

/** PGlite's folder: used where PostgreSQL does not run, or created by a release that had only PGlite. */
export const PGLITE = 'pg'

/**
 * Opens the database in the data folder: a PostgreSQL server of our own. PGlite is opened where PostgreSQL's programs cannot run, and where only
 * PGlite's files exist (a server's start moves them first, `moveToPostgresql`); a folder without room, or with another fault, stays as it is.
 */
export async function openEmbedded(dataDir: string, parts: EmbeddedParts): Promise<ConnectionSource> {
  if (await holdsPglite(dataDir)) return openPglite(join(dataDir, PGLITE))
  try {
    return await openOwn(dataDir, parts)
  } catch (error) {
    if (!(error instanceof CannotRun) || (await isThere(join(dataDir, POSTGRESQL, 'db')))) throw error
    parts.print(
      `WARNING: PostgreSQL does not run here (${error.message}), so the embedded database is PGlite: slower, and what was written in the last moments before a loss of power is lost. Use DATABASE_URL for work that matters.`,
    )
    return openPglite(join(dataDir, PGLITE))
  }
}

/** @throws CannotRun if PostgreSQL's programs do not run here; Error with a sentence for any other reason */
export async function openOwn(
  dataDir: string,
  { onError, pool = {} }: EmbeddedParts,
): Promise<ConnectionSource> {
  const sessions = (pool.size ?? POOL_SIZE) + OTHER_SESSIONS
  const postmaster = await startPostmaster({ folder: join(dataDir, POSTGRESQL), sessions, onError })
  const source = openPostgresql(postmaster.url, onError, pool)
  return {
    ...source,
    async close() {
      await source.close()
      await postmaster.stop()
    },
  }
}

/** A database that only PGlite reads. */
export async function holdsPglite(dataDir: string): Promise<boolean> {
  return (
    (await isThere(join(dataDir, PGLITE, 'PG_VERSION'))) && !(await isThere(join(dataDir, POSTGRESQL, 'db')))
  )
}

/** Whether a server has used this folder. */
export const holdsDatabase = async (dataDir: string): Promise<boolean> =>
  (await holdsPglite(dataDir)) || isThere(join(dataDir, POSTGRESQL, 'db'))

/** The address of the database that a server of this machine has open in the folder; null for PGlite, which allows only one process. */
export async function urlOfRunning(dataDir: string): Promise<string | null> {
  const folder = join(dataDir, POSTGRESQL)
  return (await isThere(join(folder, 'db', 'postmaster.pid'))) ? urlIn(folder) : null
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
