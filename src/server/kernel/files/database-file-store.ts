import { Readable } from 'node:stream'
import { type Insertable, sql } from 'kysely'
import type { Database, Trx } from '../db/database.ts'
import type { FileStore } from './file-store.ts'

declare module '../db/tables.ts' {
  interface Tables {
    file_chunk: FileChunkTable
  }
}

interface FileChunkTable {
  readonly tenant_id: string
  readonly file_id: string
  readonly part: number
  readonly content: Buffer
}

/** Size of a piece that is read and sent at a time. */
const CHUNK_BYTES = 256 * 1024
/** Number of pieces written by one statement. */
const CHUNKS_PER_INSERT = 8

/**
 * Stores files in pieces in the database. A reader holds no session while its client consumes data: each piece is read separately.
 *
 * @param older  where files were stored before
 */
export function createDatabaseFileStore(database: Database, older: FileStore): FileStore {
  const inTenant = <T>(tenantId: string, work: (trx: Trx) => Promise<T>): Promise<T> =>
    database.tenant({ tenantId, userId: 'files' }, work)
  return {
    write: (tenantId, id, content) => inTenant(tenantId, (trx) => writeChunks(trx, tenantId, id, content)),
    async remove(tenantId, id) {
      await inTenant(tenantId, (trx) =>
        trx.deleteFrom('file_chunk').where('tenant_id', '=', tenantId).where('file_id', '=', id).execute(),
      )
      await older.remove(tenantId, id)
    },
    async has(tenantId, id) {
      const size = await inTenant(tenantId, (trx) => sizeOf(trx, tenantId, id))
      return size !== null || older.has(tenantId, id)
    },
    async read(tenantId, id, range) {
      const size = await inTenant(tenantId, (trx) => sizeOf(trx, tenantId, id))
      if (size === null) return older.read(tenantId, id, range)
      const { start, end } = range ?? { start: 0, end: size - 1 }
      const chunks = async function* (): AsyncGenerator<Buffer> {
        for (let at = start; at <= Math.min(end, size - 1); ) {
          const part = Math.floor(at / CHUNK_BYTES)
          const from = at - part * CHUNK_BYTES
          const length = Math.min(CHUNK_BYTES - from, end - at + 1)
          yield await inTenant(tenantId, (trx) => readPiece(trx, { tenantId, id, part, from, length }))
          at += length
        }
      }
      return Readable.from(chunks(), { objectMode: false })
    },
  }
}

/** Writes a file's pieces. */
export async function writeChunks(trx: Trx, tenantId: string, id: string, content: Buffer): Promise<void> {
  const rows = chunksOf(tenantId, id, content)
  for (let at = 0; at < rows.length; at += CHUNKS_PER_INSERT)
    await trx
      .insertInto('file_chunk')
      .values(rows.slice(at, at + CHUNKS_PER_INSERT))
      .execute()
}

/** An empty file is stored as one empty piece, which shows that it exists. */
function chunksOf(tenantId: string, id: string, content: Buffer): readonly Insertable<FileChunkTable>[] {
  const count = Math.max(1, Math.ceil(content.length / CHUNK_BYTES))
  return Array.from({ length: count }, (_, part) => ({
    tenant_id: tenantId,
    file_id: id,
    part,
    content: content.subarray(part * CHUNK_BYTES, (part + 1) * CHUNK_BYTES),
  }))
}

async function sizeOf(trx: Trx, tenantId: string, id: string): Promise<number | null> {
  const { rows } = await sql<{ part: number; bytes: number }>`
    select part, octet_length(content) as bytes from file_chunk
    where tenant_id = ${tenantId} and file_id = ${id} order by part desc limit 1`.execute(trx)
  const last = rows[0]
  return last === undefined ? null : last.part * CHUNK_BYTES + last.bytes
}

interface Piece {
  readonly tenantId: string
  readonly id: string
  readonly part: number
  readonly from: number
  readonly length: number
}

async function readPiece(trx: Trx, { tenantId, id, part, from, length }: Piece): Promise<Buffer> {
  const { rows } = await sql<{ content: Uint8Array }>`
    select substring(content from ${from + 1}::int for ${length}::int) as content from file_chunk
    where tenant_id = ${tenantId} and file_id = ${id} and part = ${part}`.execute(trx)
  const content = rows[0]?.content
  if (content?.length !== length) throw new Error(`file ${id}: part ${part} is not whole`)
  return Buffer.from(content.buffer, content.byteOffset, content.length)
}
