import { createHash } from 'node:crypto'
import type { Services } from '../calls/resource.ts'
import type { Trx } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { filesAt } from './file-places.ts'
import type { FileStore } from './file-store.ts'

/** What a file is known as. */
export interface FileRecord {
  readonly name: string
  readonly ext: string
  readonly mime: string
  /** Who made it, when not a person by hand. */
  readonly biz?: 'work'
}

interface Keeper {
  readonly tenantId: string
  readonly userId: string
}

/** Where the bytes of uploads and results lie. */
export const filesOf = ({ config, database }: Pick<Services, 'config' | 'database'>): FileStore =>
  filesAt(config, database)

/**
 * Keeps bytes under a new id. Its record is written first, as one that is deleted, then the bytes, then the record is made to count: what
 * breaks off between leaves no bytes that nobody knows of (`gone-files.ts` takes them away), and an id that was answered has its file. The
 * bytes are written outside of any transaction, for they may take long.
 *
 * @param also  done together with the record
 */
export async function keepFile(
  services: Pick<Services, 'config' | 'database' | 'now'>,
  caller: Keeper,
  file: FileRecord & { readonly content: Buffer },
  also: (trx: Trx, id: string) => Promise<unknown> = async () => undefined,
): Promise<string> {
  const { database, now } = services
  const id = newId()
  await database.tenant(caller, (trx) => announceFile(trx, caller, { ...file, id, now: now() }))
  await filesOf(services).write(caller.tenantId, id, file.content)
  await database.tenant(caller, async (trx) => {
    await trx
      .updateTable('file')
      .set({ deleted_at: null })
      .where('tenant_id', '=', caller.tenantId)
      .where('id', '=', id)
      .execute()
    await also(trx, id)
  })
  return id
}

interface Announced extends FileRecord {
  readonly id: string
  readonly content: Buffer
  readonly now: number
}

async function announceFile(
  trx: Trx,
  { tenantId, userId }: Keeper,
  { id, content, now, name, ext, mime, biz }: Announced,
): Promise<void> {
  await trx
    .insertInto('file')
    .values({
      tenant_id: tenantId,
      id,
      name,
      file_ext: ext,
      mime,
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      ...(biz === undefined ? {} : { biz }),
      created_by: userId,
      updated_by: userId,
      created_at: new Date(now),
      deleted_at: new Date(now),
    })
    .execute()
}
