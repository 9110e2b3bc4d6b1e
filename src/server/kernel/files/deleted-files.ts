import { sql } from 'kysely'
import type { Database, Trx } from '../db/database.ts'
import type { FileStore } from './file-store.ts'

/** An upload in progress counts as deleted until its content is stored; no upload takes longer than this. */
const UNDER_WAY_MS = 3_600_000
const BATCH = 200
/** Maximum per tenant and run; the rest waits for the next run. */
const BATCHES = 10

/** Marks files as deleted: they can no longer be opened, and their content is removed later, with as many attempts as needed. */
export async function markFilesDeleted(
  trx: Trx,
  tenantId: string,
  { ids, now }: { readonly ids: readonly string[]; readonly now: Date },
): Promise<number> {
  if (ids.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`update file set deleted_at = ${now} where tenant_id = ${tenantId}
    and id = any(${[...ids]}::text[]) and deleted_at is null`.execute(trx)
  return Number(numAffectedRows)
}

interface Removal {
  readonly store: FileStore
  readonly tenantId: string
  readonly at: number
}

/** Removes the content of deleted files. @returns the number removed @throws Error if some could not be removed; the others are */
export async function removeDeletedContent(
  database: Database,
  { store, tenantId, at }: Removal,
): Promise<number> {
  let deleted = 0
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const ids = await nextDeleted(database, tenantId, new Date(at - UNDER_WAY_MS))
    const { removed, fault } = await removeAll(store, tenantId, ids)
    await recordDeletion(database, { tenantId, ids: removed, at })
    deleted += removed.length
    if (fault !== null)
      throw new Error(
        `${ids.length - removed.length} files of ${tenantId} could not be removed: ${fault.message}`,
      )
    if (ids.length < BATCH) break
  }
  return deleted
}

/** Removes the content of these files at once. @throws Error if the storage fails; they are tried again later */
export async function removeContentNow(
  database: Database,
  { store, tenantId, at, ids }: Removal & { readonly ids: readonly string[] },
): Promise<void> {
  const { removed, fault } = await removeAll(store, tenantId, ids)
  await recordDeletion(database, { tenantId, ids: removed, at })
  if (fault !== null) throw fault
}

async function removeAll(
  store: FileStore,
  tenantId: string,
  ids: readonly string[],
): Promise<{ readonly removed: readonly string[]; readonly fault: Error | null }> {
  const removed: string[] = []
  let fault: Error | null = null
  for (const id of ids)
    await store.remove(tenantId, id).then(
      () => void removed.push(id),
      (error: Error) => {
        fault ??= error
      },
    )
  return { removed, fault }
}

async function nextDeleted(database: Database, tenantId: string, before: Date): Promise<readonly string[]> {
  const { rows } = await database.system((trx) =>
    sql<{ id: string }>`select id from file where tenant_id = ${tenantId} and deleted_at < ${before}
      and gone_at is null order by deleted_at limit ${BATCH}`.execute(trx),
  )
  return rows.map(({ id }) => id)
}

async function recordDeletion(
  database: Database,
  { tenantId, ids, at }: { readonly tenantId: string; readonly ids: readonly string[]; readonly at: number },
): Promise<void> {
  await database.system((trx) =>
    sql`update file set gone_at = ${new Date(at)} where tenant_id = ${tenantId} and id = any(${[...ids]}::text[])`.execute(
      trx,
    ),
  )
}
