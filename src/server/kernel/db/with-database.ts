import { asOwner, type Place } from '../config/place.ts'
import { prepareDataFolder, refuseUnfinished } from './data-folder.ts'
import type { Database } from './database.ts'
import { urlOfRunning } from './embedded/open-embedded.ts'
import { FolderInUse, lockFolder } from './folder-lock.ts'
import { connectDatabase, type DatabasePlace, grantServing } from './open.ts'

type Work<T> = (database: Database) => Promise<T>

/** Opens the database of a place for one command; the embedded one even while a server uses it, unless it is PGlite. */
export async function withDatabase<T>(place: Place, work: Work<T>): Promise<T> {
  const { databaseUrl: url, dataDir: folder } = place
  const parts = { url, folder, onError: () => undefined }
  return url === undefined ? withEmbedded({ ...parts, folder }, work) : using(parts, work)
}

/** Opens the database for a command that creates or changes tables. Afterwards the serving user may use them, as after a start. */
export function withOwner<T>(place: Place, work: Work<T>): Promise<T> {
  return withDatabase(asOwner(place), async (database) => {
    const done = await work(database)
    if (place.migrateUrl !== undefined && place.databaseUrl !== undefined)
      await grantServing(database, place.databaseUrl)
    return done
  })
}

/** @throws FolderInUse if a server has it open and it is PGlite, which allows only one process */
async function withEmbedded<T>(
  parts: DatabasePlace & { readonly folder: string },
  work: Work<T>,
): Promise<T> {
  const { folder } = parts
  await prepareDataFolder(folder)
  const lock = await lockFolder(folder).catch(async (error: unknown) => {
    if (!(error instanceof FolderInUse)) throw error
    return { error, url: await urlOfRunning(folder) }
  })
  if (typeof lock !== 'function') {
    if (lock.url === null) throw lock.error
    return using({ ...parts, url: lock.url }, work)
  }
  try {
    await refuseUnfinished(folder)
    return await using(parts, work)
  } finally {
    await lock()
  }
}

async function using<T>(parts: DatabasePlace, work: Work<T>): Promise<T> {
  const database = await connectDatabase(parts, (line) => process.stderr.write(`${line}\n`))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
