import { sql } from 'kysely'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'
import { filesOf, keepFile, recordFile } from '../../kernel/files/keep-file.ts'
import { signFileUrl } from '../../kernel/files/signed-url.ts'
import type { Turn } from './runner.ts'
import { RESULT_LIFE_MS } from './work.ts'

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

/** A file that a call makes at once. */
export interface MadeFile {
  readonly title: string
  readonly entity: string
  readonly name: string
  readonly ext: string
  readonly mime: string
  readonly content: Buffer
}

/** Keeps a file as a result of work is kept, with a line among the caller's jobs, and goes with it. @returns the address to fetch it from */
export async function keepMade(services: Services, caller: Caller, made: MadeFile): Promise<string> {
  const { title, entity, name, ext, mime, content } = made
  const id = await keepFile(filesOf(services), caller.tenantId, content, (file) =>
    services.database.tenant(caller, async (trx) => {
      const now = new Date(services.now())
      await recordFile(trx, caller, file, content, { name, ext, mime, biz: 'work' })
      await trx
        .insertInto('work')
        .values({
          tenant_id: caller.tenantId,
          id: newId(now.getTime()),
          user_id: caller.userId,
          session_id: caller.sessionId,
          kind: 'export',
          entity,
          title,
          input: json({}),
          status: 'done',
          file_id: file,
          file_name: name,
          created_at: now,
          finished_at: now,
          expires_at: new Date(now.getTime() + RESULT_LIFE_MS),
        })
        .execute()
    }),
  )
  return signFileUrl(caller, id, services.secret, services.now())
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
