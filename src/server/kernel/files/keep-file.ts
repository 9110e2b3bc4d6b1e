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

/** Where the bytes of uploads and results lie. */
export const filesOf = ({ config, database }: Pick<Services, 'config' | 'database'>): FileStore =>
  filesAt(config, database)

/**
 * Keeps bytes under a new id. They are written before their record, so that an id that was answered has its file; outside of any
 * transaction, for the embedded database has one session; and taken away again when `record` fails.
 */
export async function keepFile(
  store: FileStore,
  tenantId: string,
  content: Buffer,
  record: (id: string) => Promise<unknown>,
): Promise<string> {
  const id = newId()
  await store.write(tenantId, id, content)
  try {
    await record(id)
    return id
  } catch (error) {
    await store.remove(tenantId, id)
    throw error
  }
}

/** Writes the record of a file. */
export async function recordFile(
  trx: Trx,
  caller: { readonly tenantId: string; readonly userId: string },
  id: string,
  content: Buffer,
  { name, ext, mime, biz }: FileRecord,
): Promise<void> {
  await trx
    .insertInto('file')
    .values({
      tenant_id: caller.tenantId,
      id,
      name,
      file_ext: ext,
      mime,
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      ...(biz === undefined ? {} : { biz }),
      created_by: caller.userId,
      updated_by: caller.userId,
    })
    .execute()
}
