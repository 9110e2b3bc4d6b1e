import { sql } from 'kysely'
import type { Services } from '../../kernel/calls/resource.ts'
import { filesOf, keepFile, recordFile } from '../../kernel/files/keep-file.ts'
import type { Turn } from './runner.ts'

/** The type of a sheet. */
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Keeps a sheet that was made; only its person fetches it, by a signed address (`biz` `work`). @returns its id */
export function keepResult(
  { services, caller, inTrx }: Turn,
  name: string,
  content: Buffer,
): Promise<string> {
  return keepFile(filesOf(services), caller.tenantId, content, (id) =>
    inTrx(({ trx }) => recordFile(trx, caller, id, content, { name, ext: 'xlsx', mime: XLSX, biz: 'work' })),
  )
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
