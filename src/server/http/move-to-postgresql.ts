import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { backUp } from '../flows/backup/back-up.ts'
import { restore } from '../flows/backup/restore.ts'
import type { ConnectionSource } from '../kernel/db/connection.ts'
import { createDatabase } from '../kernel/db/database.ts'
import { syncFolder } from '../kernel/db/durable.ts'
import { holdsPglite, openOwn, PGLITE } from '../kernel/db/embedded/open-embedded.ts'
import { openPglite } from '../kernel/db/embedded/pglite.ts'
import { POSTGRESQL, removeLeftover } from '../kernel/db/embedded/postmaster.ts'

export interface MoveParts {
  readonly print: (line: string) => void
  readonly onError: (error: Error) => void
}

/** Where PGlite's files are moved afterwards. */
const OLD = `${PGLITE}.moved`

/**
 * Migrates a data folder from PGlite to PostgreSQL, where PostgreSQL can run: every row is written, read again and compared. The new database is
 * built beside the old one, so that a start that is interrupted can begin again; the old files are kept. Uploaded files stay in place.
 */
export async function moveToPostgresql(dataDir: string, { print, onError }: MoveParts): Promise<void> {
  if (!(await holdsPglite(dataDir))) return
  const aside = join(dataDir, 'moving')
  await removeLeftover(aside)
  await mkdir(aside, { mode: 0o700 })
  try {
    const source = await openOwn(aside, { print, onError }).catch((error: Error) => {
      print(
        `WARNING: the embedded database stays PGlite, as PostgreSQL does not start here (${error.message})`,
      )
      return null
    })
    if (source === null) return
    print('moving the embedded database from PGlite to PostgreSQL: once, and it takes a while')
    await copy(dataDir, source)
    await rename(join(aside, POSTGRESQL), join(dataDir, POSTGRESQL))
    await rename(join(dataDir, PGLITE), join(dataDir, OLD))
    await syncFolder(dataDir)
    print(`moved; ${join(dataDir, OLD)} is what was before, and can be removed`)
  } finally {
    await removeLeftover(aside)
  }
}

async function copy(dataDir: string, source: ConnectionSource): Promise<void> {
  const from = createDatabase(await openPglite(join(dataDir, PGLITE)))
  const into = createDatabase(source)
  const frames = new PassThrough()
  try {
    const given = backUp({ database: from, files: null, secrets: null, now: Date.now }, frames).catch(
      (error: Error) => void frames.destroy(error),
    )
    await restore({
      database: into,
      source: frames,
      print: () => undefined,
      keepFile: () => Promise.reject(new Error('files are not moved')),
    })
    await given
  } finally {
    await Promise.all([from.close(), into.close()])
  }
}
