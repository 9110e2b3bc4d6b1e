import type { Place } from '../config/place.ts'
import { prepareDataFolder, refuseUnfinished } from './data-folder.ts'
import type { Database } from './database.ts'
import { lockFolder } from './folder-lock.ts'
import { connectDatabase } from './open.ts'

/** Opens the database of a place for one command; the embedded one only while no server holds it. */
export async function withDatabase<T>(
  { databaseUrl, dataDir }: Place,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (databaseUrl === undefined) await prepareDataFolder(dataDir)
  const unlock = databaseUrl === undefined ? await lockFolder(dataDir) : async () => undefined
  try {
    if (databaseUrl === undefined) await refuseUnfinished(dataDir)
    const database = await connectDatabase({ url: databaseUrl, folder: dataDir, onError: () => undefined })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  } finally {
    await unlock()
  }
}
