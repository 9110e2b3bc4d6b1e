import type { Config } from '../../kernel/config/config.ts'
import type { GlobalJob } from '../../kernel/context/job.ts'
import type { Database } from '../../kernel/db/database.ts'
import { removeDeletedContent } from '../../kernel/files/deleted-files.ts'
import { filesAt } from '../../kernel/files/file-places.ts'
import type { FileStore } from '../../kernel/files/file-store.ts'
import { tenantIds } from './run-global-job.ts'

const EVERY_MS = 600_000

/** Removes the content of deleted files, and of interrupted uploads; failed removals are tried again. */
export const deletedFilesJob = (place: Pick<Config, 'dataDir' | 'databaseUrl' | 'storage'>): GlobalJob => ({
  name: 'files-gone',
  everyMs: EVERY_MS,
  runAll: (database, at) => removeAllDeletedContent(database, filesAt(place, database), at),
})

/** @returns how many files were removed @throws Error of the first tenant with files that could not be removed; the others were */
export async function removeAllDeletedContent(
  database: Database,
  store: FileStore,
  at: number,
): Promise<number> {
  let deleted = 0
  let fault: unknown = null
  for (const tenantId of await tenantIds(database))
    deleted += await removeDeletedContent(database, { store, tenantId, at }).catch((error: unknown) => {
      fault ??= error
      return 0
    })
  if (fault !== null) throw fault
  return deleted
}
