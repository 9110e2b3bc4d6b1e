import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { newId } from '../db/id.ts'
import { createFileStore } from '../files/file-store.ts'
import type { Services } from '../resource.ts'
import type { Turn } from './runner.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Where the bytes of uploads and results lie. */
export const filesOf = ({ config }: Services) => createFileStore(join(config.dataDir, 'files'))

/** Keeps a sheet that was made; only its person fetches it, by a signed address (`biz` `work`). @returns its id */
export async function keepResult({ services, inTrx }: Turn, name: string, content: Buffer): Promise<string> {
  const id = newId()
  await inTrx(async ({ trx, caller }) => {
    await filesOf(services).write(caller.tenantId, id, content)
    await trx
      .insertInto('file')
      .values({
        tenant_id: caller.tenantId,
        id,
        name,
        file_ext: 'xlsx',
        mime: XLSX,
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        biz: 'work',
        created_by: caller.userId,
        updated_by: caller.userId,
      })
      .execute()
  })
  return id
}

/** Takes away results whose time is over, bytes and all. */
export async function forgetResults(services: Services, tenantId: string): Promise<void> {
  const now = new Date(services.now())
  const gone = await services.database.tenant({ tenantId, userId: 'system' }, async (trx) => {
    const { rows } = await sql<{ file_id: string }>`update work w set file_id = null from work old
      where w.tenant_id = ${tenantId} and w.expires_at < ${now} and w.file_id is not null
        and old.tenant_id = w.tenant_id and old.id = w.id returning old.file_id`.execute(trx)
    const ids = rows.map((row) => row.file_id)
    await sql`update file set deleted_at = ${now} where tenant_id = ${tenantId} and id = any(${ids}::text[])`.execute(
      trx,
    )
    return ids
  })
  const files = filesOf(services)
  for (const id of gone) await files.remove(tenantId, id)
}
