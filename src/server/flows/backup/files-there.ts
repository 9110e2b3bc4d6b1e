import { sql } from 'kysely'
import type { Place } from '../../kernel/config/place.ts'
import type { Database } from '../../kernel/db/database.ts'
import type { FileStore } from '../../kernel/files/file-store.ts'

/** The files named in the database, by whether their content was found. */
export interface FilesThere {
  readonly there: number
  readonly missing: number
}

const BATCH = 1_000
/** Number of concurrent requests: an object storage answers each separately. */
const CONCURRENCY = 16

/** Checks that every file exists, without reading it. */
export async function filesThere(database: Database, store: FileStore): Promise<FilesThere> {
  const counts = { there: 0, missing: 0 }
  for (let last = { tenantId: '', id: '' }; ; ) {
    const { rows } = await database.system((trx) =>
      sql<{ tenantId: string; id: string }>`select tenant_id as "tenantId", id from file
        where (tenant_id, id) > (${last.tenantId}, ${last.id}) and deleted_at is null
        order by tenant_id, id limit ${BATCH}`.execute(trx),
    )
    for (let at = 0; at < rows.length; at += CONCURRENCY) {
      const part = rows.slice(at, at + CONCURRENCY)
      const found = await Promise.all(part.map(({ tenantId, id }) => store.has(tenantId, id)))
      for (const isThere of found) counts[isThere ? 'there' : 'missing'] += 1
    }
    const [end] = rows.slice(-1)
    if (end === undefined) return counts
    last = end
  }
}

/** Where new files of an installation are stored, as text. */
export function describeFiles({ storage, databaseUrl, dataDir }: Place): string {
  if (storage !== null) return `the object storage ${storage.base}`
  return databaseUrl === undefined ? `the folder ${dataDir}/files` : 'the database'
}
