import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { sql } from 'kysely'
import type { Database, Trx } from '../../kernel/db/database.ts'
import type { FileStore } from '../../kernel/files/file-store.ts'
import {
  type FileHead,
  FORMAT,
  type FrameKind,
  type Header,
  packFrame,
  type Secrets,
  type Summary,
  type TableSum,
} from './archive.ts'
import { readRows, settleTexts, tablesOf } from './rows.ts'

/** What is backed up. */
export interface BackUpParts {
  readonly database: Database
  /** Where files outside the database are stored; null omits all files. */
  readonly files: FileStore | null
  /** Null omits them. */
  readonly secrets: Secrets | null
  readonly now: () => number
}

/** Receives one frame after the other, as fast as they are read. */
interface Sink {
  add(kind: FrameKind, body: Buffer | object): Promise<void>
  readonly sha256: string
}

function createSink(out: Writable): Sink {
  const hash = createHash('sha256')
  return {
    async add(kind, body) {
      const frame = packFrame(kind, body)
      if (kind !== 'end') hash.update(frame)
      if (out.destroyed) throw new Error(GONE)
      if (!out.write(frame)) await drained(out)
    },
    get sha256() {
      return hash.copy().digest('hex')
    },
  }
}

const GONE = 'whoever takes the backup has gone'

/** Waits until the receiver can take more. */
function drained(out: Writable): Promise<void> {
  return new Promise((done, fail) => {
    const over = (act: () => void) => (): void => {
      out.off('drain', onDrain).off('close', onClose)
      act()
    }
    const onDrain = over(done)
    const onClose = over(() => fail(new Error(GONE)))
    out.once('drain', onDrain).once('close', onClose)
  })
}

/**
 * Writes everything as frames and ends `out`. All rows show the same moment, because one transaction reads them. On a PostgreSQL server nobody has to
 * wait; the embedded database has one session, so there all calls wait until the rows are read (but not for the files, which never change).
 */
export async function backUp(parts: BackUpParts, out: Writable): Promise<Summary> {
  const { database, secrets } = parts
  const sink = createSink(out)
  const files = createFileCount(sink)
  let isBegun = false
  const { tables, others } = await database.patiently(() =>
    database.system(async (trx) => {
      // Sent data cannot be taken back, so this transaction is not retried.
      if (isBegun) throw new Error('the database changed while it was read: start the backup again')
      isBegun = true
      await sql`set transaction isolation level repeatable read, read only`.execute(trx)
      await settleTexts(trx)
      const tables = await saveTables(trx, parts, sink)
      if (parts.files === null) return { tables, others: [] }
      await saveChunks(trx, files)
      return { tables, others: await filesBeside(trx) }
    }),
  )
  if (parts.files !== null) for (const file of others) await saveFile(parts.files, file, files)
  if (secrets !== null) await sink.add('secrets', secrets)
  const summary: Summary = { tables, files: files.value, sha256: sink.sha256 }
  await sink.add('end', summary)
  out.end()
  return summary
}

async function saveTables(trx: Trx, parts: BackUpParts, sink: Sink): Promise<Record<string, TableSum>> {
  await sink.add('header', await headerOf(trx, parts))
  const sums: Record<string, TableSum> = {}
  for (const table of await tablesOf(trx)) {
    await sink.add('table', { name: table.name, columns: table.columns.map(({ name }) => name) })
    sums[table.name] = await readRows(trx, table, (rows) => sink.add('rows', Buffer.from(rows.join('\n'))))
  }
  return sums
}

async function headerOf(trx: Trx, { database, files, secrets, now }: BackUpParts): Promise<Header> {
  // Only the owner can read the list of migrations.
  await sql`reset role`.execute(trx)
  const { rows } = await sql<{ name: string; checksum: string; from: string }>`
    select name, checksum, current_setting('server_version') as from from schema_migration order by name`.execute(
    trx,
  )
  await sql`set local role crm_system`.execute(trx)
  return {
    format: FORMAT,
    made: new Date(now()).toISOString(),
    from: `${database.kind} ${rows[0]?.from ?? ''}`,
    migrations: rows.map(({ name, checksum }) => ({ name, checksum })),
    hasFiles: files !== null,
    hasSecrets: secrets !== null,
  }
}

interface KnownFile extends FileHead {
  readonly sha256: string | null
}

/** Sends files and counts them. */
interface FileCount {
  begin(file: KnownFile): Promise<void>
  piece(bytes: Buffer): Promise<void>
  end(): void
  miss(): void
  readonly value: Summary['files']
}

function createFileCount(sink: Sink): FileCount {
  let [count, bytes, missing, damaged] = [0, 0, 0, 0]
  let open: { readonly sha256: string | null; readonly hash: ReturnType<typeof createHash> } | null = null
  return {
    async begin({ tenantId, id, sha256 }) {
      open = { sha256, hash: createHash('sha256') }
      count += 1
      await sink.add('file', { tenantId, id })
    },
    async piece(content) {
      bytes += content.length
      open?.hash.update(content)
      await sink.add('bytes', content)
    },
    end() {
      if (open !== null && open.sha256 !== null && open.hash.digest('hex') !== open.sha256) damaged += 1
      open = null
    },
    miss() {
      missing += 1
    },
    get value() {
      return { count, bytes, missing, damaged }
    },
  }
}

const PIECES = 4

/** Files stored in the database, in pieces. */
async function saveChunks(trx: Trx, files: FileCount): Promise<void> {
  await sql`declare saved_files no scroll cursor for
    select c.tenant_id, c.file_id, c.content, f.sha256 from file_chunk c
    left join file f on f.tenant_id = c.tenant_id and f.id = c.file_id
    order by c.tenant_id, c.file_id, c.part`.execute(trx)
  let last = ''
  for (;;) {
    const { rows } = await sql
      .raw<{ tenant_id: string; file_id: string; content: Uint8Array; sha256: string | null }>(
        `fetch ${PIECES} from saved_files`,
      )
      .execute(trx)
    if (rows.length === 0) break
    for (const { tenant_id: tenantId, file_id: id, content, sha256 } of rows) {
      if (`${tenantId}/${id}` !== last) {
        files.end()
        await files.begin({ tenantId, id, sha256 })
        last = `${tenantId}/${id}`
      }
      await files.piece(Buffer.from(content.buffer, content.byteOffset, content.length))
    }
  }
  files.end()
  await sql`close saved_files`.execute(trx)
}

/** Files stored outside the database. */
async function filesBeside(trx: Trx): Promise<readonly KnownFile[]> {
  const { rows } =
    await sql<KnownFile>`select f.tenant_id as "tenantId", f.id, f.sha256 from file f where f.deleted_at is null and not exists (
    select from file_chunk c where c.tenant_id = f.tenant_id and c.file_id = f.id) order by 1, 2`.execute(trx)
  return rows
}

async function saveFile(store: FileStore, file: KnownFile, files: FileCount): Promise<void> {
  const content = await store.read(file.tenantId, file.id)
  if (content === null) return files.miss()
  await files.begin(file)
  for await (const chunk of content) await files.piece(chunk as Buffer)
  files.end()
}
