import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Place } from '../../kernel/config/place.ts'
import type { Database } from '../../kernel/db/database.ts'
import { FILE_PLACES, type FilePlace, filesIn } from '../../kernel/files/file-places.ts'
import type { FileStore } from '../../kernel/files/file-store.ts'

/** The result of a move. */
export interface MovedFiles {
  readonly moved: number
  /** Files that were already there. */
  readonly there: number
  /** Files that were not found. */
  readonly missing: readonly string[]
  /** Files whose content differs from the upload: not moved. */
  readonly damaged: readonly string[]
}

interface KnownFile {
  readonly tenantId: string
  readonly id: string
  readonly sha256: string
  /** Its content may be deleted. */
  readonly isDeleted: boolean
}

const BATCH = 200

/**
 * Moves the content of all files to one place while servers run: each is written, compared and only then removed from its old place. After an
 * interruption, the next run continues.
 */
export async function moveFiles(
  database: Database,
  place: Place,
  { to, print }: { readonly to: FilePlace; readonly print: (line: string) => void },
): Promise<MovedFiles> {
  const target = filesIn(to, place, database)
  const sources = FILE_PLACES.filter((one) => one !== to && (one !== 's3' || place.storage !== null)).map(
    (one) => filesIn(one, place, database),
  )
  const counts = { moved: 0, there: 0 }
  const missing: string[] = []
  const damaged: string[] = []
  let last = { tenantId: '', id: '' }
  for (;;) {
    const files = await nextFiles(database, last)
    for (const file of files) {
      const end = await moveOne(file, target, sources)
      if (end === 'moved' || end === 'there') counts[end] += 1
      else if (!file.isDeleted) (end === 'missing' ? missing : damaged).push(`${file.tenantId}/${file.id}`)
    }
    const [end] = files.slice(-1)
    if (end === undefined) return { ...counts, missing, damaged }
    last = end
    print(`${counts.moved} moved, ${counts.there} there already`)
  }
}

async function moveOne(
  { tenantId, id, sha256 }: KnownFile,
  target: FileStore,
  sources: readonly FileStore[],
): Promise<'moved' | 'there' | 'missing' | 'damaged'> {
  const isThere = (await target.has(tenantId, id)) && (await sumOf(target, tenantId, id)).sum === sha256
  if (!isThere) {
    const found = await firstWith(sources, tenantId, id)
    if (found === null) return (await target.has(tenantId, id)) ? 'damaged' : 'missing'
    const { sum, content } = await sumOf(found, tenantId, id)
    if (sum !== sha256) return 'damaged'
    await target.remove(tenantId, id)
    await target.write(tenantId, id, content)
    if ((await sumOf(target, tenantId, id)).sum !== sha256)
      throw new Error(`what was written of file ${tenantId}/${id} reads otherwise; nothing was taken away`)
  }
  for (const source of sources) await source.remove(tenantId, id)
  return isThere ? 'there' : 'moved'
}

async function firstWith(
  stores: readonly FileStore[],
  tenantId: string,
  id: string,
): Promise<FileStore | null> {
  for (const store of stores) if (await store.has(tenantId, id)) return store
  return null
}

async function sumOf(
  store: FileStore,
  tenantId: string,
  id: string,
): Promise<{ sum: string; content: Buffer }> {
  const chunks: Buffer[] = []
  for await (const chunk of (await store.read(tenantId, id)) ?? [])
    chunks.push(Buffer.from(chunk as Uint8Array))
  const content = Buffer.concat(chunks)
  return { sum: createHash('sha256').update(content).digest('hex'), content }
}

async function nextFiles(
  database: Database,
  last: { readonly tenantId: string; readonly id: string },
): Promise<readonly KnownFile[]> {
  return database.system(async (trx) => {
    const { rows } =
      await sql<KnownFile>`select tenant_id as "tenantId", id, sha256, deleted_at is not null as "isDeleted" from file
      where (tenant_id, id) > (${last.tenantId}, ${last.id}) and gone_at is null order by tenant_id, id limit ${BATCH}`.execute(
        trx,
      )
    return rows
  })
}
