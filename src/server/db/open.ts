import { join } from 'node:path'
import { createDatabase, type Database } from './database.ts'
import { openEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { openPostgresql } from './postgresql.ts'

/** Where the data lives: `url` is a PostgreSQL server; without it the embedded database in `folder` (`null`: memory). */
export interface DatabasePlace {
  readonly url?: string | undefined
  readonly folder: string | null
  readonly onError: (error: Error) => void
}

/** Opens the database and brings it up to date. */
export async function openDatabase(place: DatabasePlace): Promise<Database> {
  const source =
    place.url === undefined
      ? await openEmbedded(place.folder === null ? null : join(place.folder, 'pg'))
      : openPostgresql(place.url, place.onError)
  const database = createDatabase(source)
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
