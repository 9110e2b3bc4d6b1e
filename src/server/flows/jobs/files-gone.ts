import type { WholeJob } from '../../kernel/asking/job.ts'
import type { Config } from '../../kernel/config/config.ts'
import type { Database } from '../../kernel/db/database.ts'
import { filesAt } from '../../kernel/files/file-places.ts'
import type { FileStore } from '../../kernel/files/file-store.ts'
import { takeGoneFiles } from '../../kernel/files/gone-files.ts'
import { tenantIds } from './run-whole.ts'

const EVERY_MS = 600_000

/** Takes away the bytes of deleted files, and of uploads that broke off; what the storage refuses now is tried again. */
export const filesGoneJob = (place: Pick<Config, 'dataDir' | 'databaseUrl' | 'storage'>): WholeJob => ({
  name: 'files-gone',
  everyMs: EVERY_MS,
  runAll: (database, at) => takeAllGone(database, filesAt(place, database), at),
})

/** @returns how many files went @throws Error of the first tenant whose files did not all go; those of the others did */
export async function takeAllGone(database: Database, store: FileStore, at: number): Promise<number> {
  let gone = 0
  let fault: unknown = null
  for (const tenantId of await tenantIds(database))
    gone += await takeGoneFiles(database, { store, tenantId, at }).catch((error: unknown) => {
      fault ??= error
      return 0
    })
  if (fault !== null) throw fault
  return gone
}
