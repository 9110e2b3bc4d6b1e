import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from '../../kernel/config/place.ts'
import { prepareDataFolder, UNFINISHED } from '../../kernel/db/data-folder.ts'
import { syncFolder } from '../../kernel/db/durable.ts'
import { PGLITE } from '../../kernel/db/embedded/open-embedded.ts'
import { POSTGRESQL, removeLeftover } from '../../kernel/db/embedded/postmaster.ts'
import { lockFolder } from '../../kernel/db/folder-lock.ts'
import { connectDatabase } from '../../kernel/db/open.ts'
import { withWayOn } from '../../kernel/db/way-on.ts'
import { withOwner } from '../../kernel/db/with-database.ts'
import { writeChunks } from '../../kernel/files/database-file-store.ts'
import { createFileStore, NOWHERE } from '../../kernel/files/file-store.ts'
import { createS3FileStore } from '../../kernel/files/s3-file-store.ts'
import { type Restored, restore, type StoreFile } from './restore.ts'
import { unpack } from './save.ts'

export interface RestoreFrom {
  readonly file: string
  readonly key: string | null
  readonly print: (line: string) => void
}

/**
 * Restores a backup into the database of a place, which must be empty. Files are written to wherever the place stores them: the configured object
 * storage, otherwise the database of a PostgreSQL server, or the folder beside the embedded one.
 */
export function restoreInto(place: Place, from: RestoreFrom): Promise<Restored> {
  return place.databaseUrl === undefined ? intoFolder(place, from) : intoServer(place, from)
}

async function intoServer(place: Place, { file, key, print }: RestoreFrom): Promise<Restored> {
  await prepareDataFolder(place.dataDir)
  return withOwner(place, (database) =>
    restoreRows({
      database,
      source: unpack(file, key),
      print,
      keepFile: keeperOf(place, (trx, { tenantId, id }, content) => writeChunks(trx, tenantId, id, content)),
    }),
  )
}

/**
 * Restores into a temporary folder until it is complete. A marker meanwhile prevents the folder from being used: a server does not start on it, and
 * the next restore removes what an interrupted one has left.
 */
async function intoFolder(place: Place, { file, key, print }: RestoreFrom): Promise<Restored> {
  const { dataDir } = place
  await prepareDataFolder(dataDir)
  const unlock = await lockFolder(dataDir)
  try {
    const mark = join(dataDir, UNFINISHED)
    const aside = join(dataDir, 'restoring')
    if (!(await isThere(mark))) await refuseUsed(dataDir)
    await writeFile(mark, 'A backup is being restored into this folder, or was when it ended.\n')
    await removeLeftover(aside)
    for (const name of MADE) await rm(join(dataDir, name), { recursive: true, force: true })
    const restored = await restoreAside(aside, { file, key, print }, place).catch(async (error: unknown) => {
      await rm(aside, { recursive: true, force: true })
      await rm(mark, { force: true })
      throw error
    })
    for (const name of MADE)
      if (await isThere(join(aside, name))) await rename(join(aside, name), join(dataDir, name))
    await syncFolder(dataDir)
    await rm(aside, { recursive: true, force: true })
    await rm(mark)
    return restored
  } finally {
    await unlock()
  }
}

/** The restore into an open database. @throws Error with a way on if there is no room for it */
const restoreRows = (parts: Parameters<typeof restore>[0]): Promise<Restored> =>
  restore(parts).catch(withWayOn('the restore failed', 'restore again'))

/** An object storage receives files immediately, even if restoring the rows fails later: a repeated restore uses the same names. */
function keeperOf({ storage }: Pick<Place, 'storage'>, otherwise: StoreFile): StoreFile {
  if (storage === null) return otherwise
  const store = createS3FileStore(storage, NOWHERE)
  return (_, { tenantId, id }, content) => store.write(tenantId, id, content)
}

/**
 * @param folder  does not exist yet; contains the database and the files afterwards
 * @param place  whose object storage receives the files; default: none
 */
export async function restoreAside(
  folder: string,
  { file, key, print }: RestoreFrom,
  place: Pick<Place, 'storage'> = { storage: null },
): Promise<Restored> {
  const files = join(folder, 'files')
  await mkdir(files, { recursive: true, mode: 0o700 })
  const database = await connectDatabase({ folder, onError: () => undefined }, print)
  const store = createFileStore(files)
  try {
    return await restoreRows({
      database,
      source: unpack(file, key),
      print,
      keepFile: keeperOf(place, (_, { tenantId, id }, content) => store.write(tenantId, id, content)),
    })
  } finally {
    await database.close()
  }
}

/** What a restore creates in a data folder. */
const MADE = ['files', POSTGRESQL, PGLITE]

/** @throws Error if the folder contains a database or files already */
async function refuseUsed(dataDir: string): Promise<void> {
  for (const name of MADE) {
    const entries = await readdir(join(dataDir, name)).catch(() => [])
    if (entries.length > 0)
      throw new Error(
        `${join(dataDir, name)} is there already: a backup goes into an empty folder only (set DATA_DIR, or move that one away); nothing was changed`,
      )
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
