import { join } from 'node:path'
import type { Place } from '../config/place.ts'
import type { Database } from '../db/database.ts'
import { createDatabaseFileStore } from './database-file-store.ts'
import { createFileStore, type FileStore, NOWHERE } from './file-store.ts'
import { createS3FileStore } from './s3-file-store.ts'

/** Where the content of files can be stored. */
export const FILE_PLACES = ['folder', 'database', 's3'] as const
export type FilePlace = (typeof FILE_PLACES)[number]

type Installation = Pick<Place, 'dataDir' | 'databaseUrl' | 'storage'>

/**
 * Where uploads and results of an installation are stored: in the configured object storage; otherwise, with a `DATABASE_URL`, in that database,
 * because several servers may share it; otherwise in the folder. Files stored elsewhere before are still found there.
 */
export function filesAt(place: Installation, database: Database): FileStore {
  const folder = filesIn('folder', place, database)
  const hasOwn = place.databaseUrl === undefined && place.storage === null
  const store = hasOwn
    ? createFileStore(folderOf(place), filesIn('database', place, database))
    : createDatabaseFileStore(database, folder)
  return place.storage === null ? store : createS3FileStore(place.storage, store)
}

/** A single place. @throws Error with a sentence if the settings do not define it */
export function filesIn(name: FilePlace, place: Installation, database: Database): FileStore {
  if (name === 'folder') return createFileStore(folderOf(place))
  if (name === 'database') return createDatabaseFileStore(database, NOWHERE)
  if (place.storage === null) throw new Error('STORAGE_URL is not set: it says where the object storage is')
  return createS3FileStore(place.storage, NOWHERE)
}

const folderOf = ({ dataDir }: Installation): string => join(dataDir, 'files')
