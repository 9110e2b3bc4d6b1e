import { sql } from 'kysely'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { JobRun } from '../../kernel/context/job.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'
import { markFilesDeleted } from '../../kernel/files/deleted-files.ts'
import { signFileUrl } from '../../kernel/files/signed-url.ts'
import { storeFile } from '../../kernel/files/store-file.ts'
import { madeWith } from './made-with.ts'
import type { WorkJob } from './runner.ts'
import { RESULT_LIFE_MS } from './work.ts'

/** The content type of a sheet. */
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Stores a generated sheet; only its person can fetch it, by a signed address (`biz` `work`). @returns its id */
export function storeResult({ services, caller }: WorkJob, name: string, content: Buffer): Promise<string> {
  return storeFile(services, caller, { name, ext: 'xlsx', mime: XLSX, biz: 'work', content })
}

/** A file that a call generates at once. */
export interface GeneratedFile {
  readonly title: string
  readonly entity: string
  readonly name: string
  readonly ext: string
  readonly mime: string
  readonly content: Buffer
}

/** Stores a file like a result of background work, with an entry in the caller's jobs, and expires with it. @returns the address to fetch it from */
export async function storeGenerated(
  services: Services,
  caller: Caller,
  file: GeneratedFile,
): Promise<string> {
  const { title, entity, name, ext, mime, content } = file
  const id = await storeFile(services, caller, { name, ext, mime, biz: 'work', content }, (trx, file) => {
    const now = new Date(services.now())
    return trx
      .insertInto('work')
      .values({
        tenant_id: caller.tenantId,
        id: newId(now.getTime()),
        user_id: caller.userId,
        session_id: caller.sessionId,
        kind: 'export',
        entity,
        title,
        input: json(madeWith(caller)),
        status: 'done',
        file_id: file,
        file_name: name,
        created_at: now,
        finished_at: now,
        expires_at: new Date(now.getTime() + RESULT_LIFE_MS),
      })
      .execute()
  })
  return signFileUrl(caller, id, services.secret, services.now())
}

/** Deletes expired results. @returns how many */
export async function deleteExpiredResults({
  trx,
  tenantId,
  now,
}: Pick<JobRun, 'trx' | 'tenantId' | 'now'>): Promise<number> {
  const { rows } = await sql<{ file_id: string }>`update work w set file_id = null from work old
    where w.tenant_id = ${tenantId} and w.expires_at < ${now} and w.file_id is not null
      and old.tenant_id = w.tenant_id and old.id = w.id returning old.file_id`.execute(trx)
  return markFilesDeleted(trx, tenantId, { ids: rows.map((row) => row.file_id), now })
}
