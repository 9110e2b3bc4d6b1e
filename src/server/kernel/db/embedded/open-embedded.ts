import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConnectionSource } from '../connection.ts'
import { openPostgresql, POOL_SIZE, type PoolOptions } from '../postgresql.ts'
import { openPglite } from './pglite.ts'
import { POSTGRESQL, startPostmaster, urlIn } from './postmaster.ts'

export interface EmbeddedParts {
  readonly onError: (error: Error) => void
  /** Hears where the data is less safe than it should be. */
  readonly say: (line: string) => void
  readonly pool?: PoolOptions
}

/** Sessions beside the pool: one that listens, one that asks whether the database is there, commands of an operator. */
const OTHER_SESSIONS = 20

/** PGlite's: there where PostgreSQL does not run, or from a release that had nothing else. */
export const PGLITE = 'pg'

/**
 * Opens the database in the data folder: a PostgreSQL server of our own. PGlite is opened where PostgreSQL cannot run, and where its files
 * are there and those of PostgreSQL are not (a server's start moves them first, `moveToPostgresql`).
 */
export async function openEmbedded(dataDir: string, parts: EmbeddedParts): Promise<ConnectionSource> {
  if (await holdsPglite(dataDir)) return openPglite(join(dataDir, PGLITE))
  try {
    return await openOwn(dataDir, parts)
  } catch (error) {
    if (await isThere(join(dataDir, POSTGRESQL, 'db'))) throw error
    parts.say(
      `WARNING: PostgreSQL does not run here (${(error as Error).message}), so the embedded database is PGlite: slower, and what was written in the last moments before a loss of power is lost. Use DATABASE_URL for work that matters.`,
    )
    return openPglite(join(dataDir, PGLITE))
  }
}

/** @throws Error when PostgreSQL cannot run here */
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

/** Whether a server has worked with this folder. */
export const holdsDatabase = async (dataDir: string): Promise<boolean> =>
  (await holdsPglite(dataDir)) || isThere(join(dataDir, POSTGRESQL, 'db'))

/** The address of the database that a server of this machine has open in the folder; null when it is PGlite, which takes no second one. */
export async function urlOfRunning(dataDir: string): Promise<string | null> {
  const folder = join(dataDir, POSTGRESQL)
  return (await isThere(join(folder, 'db', 'postmaster.pid'))) ? urlIn(folder) : null
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
