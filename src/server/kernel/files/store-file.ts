import { createHash } from 'node:crypto'
import type { Services } from '../calls/resource.ts'
import type { Trx } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { filesAt } from './file-places.ts'
import type { FileStore } from './file-store.ts'

/** The properties of a file. */
export interface FileRecord {
  readonly name: string
  readonly ext: string
  readonly mime: string
  /** Who created it, if not a person by hand. */
  readonly biz?: 'work'
}

interface Keeper {
  readonly tenantId: string
  readonly userId: string
}

/** Where the content of uploads and results is stored. */
export const filesOf = ({ config, database }: Pick<Services, 'config' | 'database'>): FileStore =>
  filesAt(config, database)

/**
 * Stores content under a new id. First its record is written, marked as deleted, then the content, then the mark is removed: an
 * interruption leaves no content that nobody knows of (`deleted-files.ts` removes it), and a returned id always has its file. The
 * content is written outside any transaction, because it may take long.
 *
 * @param also  done together with the record
 */
export async function storeFile(
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
