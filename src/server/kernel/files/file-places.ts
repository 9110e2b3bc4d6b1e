import { join } from 'node:path'
import type { Place } from '../config/place.ts'
import type { Database } from '../db/database.ts'
import { createDatabaseFileStore } from './database-file-store.ts'
import { createFileStore, type FileStore } from './file-store.ts'
import { createS3FileStore } from './s3-file-store.ts'

/** Where the bytes of files may lie. */
export const FILE_PLACES = ['folder', 'database', 's3'] as const
export type FilePlace = (typeof FILE_PLACES)[number]

type Installation = Pick<Place, 'dataDir' | 'databaseUrl' | 'storage'>

/** Nothing lies here. */
export const NOWHERE: FileStore = {
  write: () => Promise.reject(new Error('nothing is kept nowhere')),
  remove: async () => undefined,
  has: async () => false,
  read: async () => null,
}

/**
 * Where uploads and results of an installation lie: in the object storage that is named; else with a `DATABASE_URL` in that database, for
 * several servers may share it; else in the folder. What was kept elsewhere before is still found there.
 */
export function filesAt(place: Installation, database: Database): FileStore {
  const folder = createFileStore(join(place.dataDir, 'files'))
  const hasOwn = place.databaseUrl === undefined && place.storage === null
  const kept = hasOwn ? folder : createDatabaseFileStore(database, folder)
  return place.storage === null ? kept : createS3FileStore(place.storage, kept)
}

/** One place alone. @throws Error with a sentence when the settings name none */
export function filesIn(name: FilePlace, place: Installation, database: Database): FileStore {
  if (name === 'folder') return createFileStore(join(place.dataDir, 'files'))
  if (name === 'database') return createDatabaseFileStore(database, NOWHERE)
  if (place.storage === null) throw new Error('STORAGE_URL is not set: it says where the object storage is')
  return createS3FileStore(place.storage, NOWHERE)
}
