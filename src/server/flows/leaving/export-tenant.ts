import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Database, Trx } from '../../kernel/db/database.ts'
import type { FileStore } from '../../kernel/files/file-store.ts'
import { findTenant, tenantTables } from './tenant-tables.ts'

/** The content of an export; part of it as `report.json`. */
export interface ExportReport {
  readonly tenant: { readonly code: string; readonly name: string }
  readonly at: string
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
  /** Known files whose content is missing. */
  readonly missingFiles: readonly string[]
}

/** Not part of an export: derived copies, notes between servers and clients, and credentials. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  'file_chunk',
  'sync_change',
  'idempotency',
  'session',
  'push_subscription',
  'push_task',
  'job_slot',
  'job_fault',
  'hook_fault',
  'message_source',
  'own_index',
  'own_text',
  'own_number',
  'own_moment',
  'own_ref',
  'stat_day',
])
/** Columns with secrets. */
const SECRETS: Readonly<Record<string, string>> = { connection: 'secrets' }
const BATCH = 500

/**
 * Writes all data of a tenant into an empty folder: a file of JSON lines per table, `people.jsonl` with its logins without passwords, the
 * uploads under their ids, and a report. All rows show the same moment.
 *
 * @throws Error with a sentence if there is no such tenant, or the folder is not empty
 */
export async function exportTenant(
  database: Database,
  code: string,
  { folder, store, now }: { readonly folder: string; readonly store: FileStore; readonly now: number },
): Promise<ExportReport> {
  await emptyFolder(folder)
  const { tenant, rows, files } = await database.patiently(() =>
    database.system(async (trx) => {
      await sql`set transaction isolation level repeatable read, read only`.execute(trx)
      const tenant = await findTenant(trx, code)
      const rows: Record<string, number> = {}
      for (const table of await tenantTables(trx)) {
        if (LEFT_OUT.has(table)) continue
        const secret = SECRETS[table]
        const row = secret === undefined ? sql`to_jsonb(t)` : sql`to_jsonb(t) - ${secret}::text`
        rows[table] = await writeLines(
          trx,
          join(folder, `${table}.jsonl`),
          sql`select (${row})::text as line from ${sql.table(table)} t where t.tenant_id = ${tenant.id}`,
        )
      }
      rows.tenant = await writeLines(
        trx,
        join(folder, 'tenant.jsonl'),
        sql`select to_jsonb(t)::text as line from tenant t where t.id = ${tenant.id}`,
      )
      rows.people = await writeLines(
        trx,
        join(folder, 'people.jsonl'),
        sql`select json_build_object('id', u.id, 'account', u.account, 'mobile', u.mobile, 'email', u.email, 'status', u.status)::text as line
          from app_user u join membership m on m.user_id = u.id where m.tenant_id = ${tenant.id}`,
      )
      const { rows: files } = await sql<{ id: string; ext: string }>`select id, file_ext as ext from file
        where tenant_id = ${tenant.id} and deleted_at is null order by id`.execute(trx)
      return { tenant, rows, files }
    }),
  )
  const missingFiles = await writeFiles(store, { tenantId: tenant.id, files, folder })
  const report: ExportReport = {
    tenant: { code: tenant.code, name: tenant.name },
    at: new Date(now).toISOString(),
    rows,
    files: files.length - missingFiles.length,
    missingFiles,
  }
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 })
  return report
}

/** An export contains everybody's data: no other account of the machine may read it. */
export async function emptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} has something in it: name a new folder`)
}

/** Writes rows as they are read, one cursor batch at a time. @returns how many */
export async function writeLines(trx: Trx, path: string, query: ReturnType<typeof sql>): Promise<number> {
  await sql`declare exported no scroll cursor for ${query}`.execute(trx)
  let file: FileHandle | null = null
  let count = 0
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.raw(String(BATCH))} from exported`.execute(trx)
    if (rows.length === 0) break
    file ??= await open(path, 'wx', 0o600)
    await file.write(rows.map(({ line }) => `${line}\n`).join(''))
    count += rows.length
  }
  await file?.close()
  await sql`close exported`.execute(trx)
  return count
}

async function writeFiles(
  store: FileStore,
  parts: {
    readonly tenantId: string
    readonly files: readonly { readonly id: string; readonly ext: string }[]
    readonly folder: string
  },
): Promise<readonly string[]> {
  const { tenantId, files, folder } = parts
  await mkdir(join(folder, 'files'), { mode: 0o700 })
  const missing: string[] = []
  for (const { id, ext } of files) {
    const content = await store.read(tenantId, id)
    if (content === null) missing.push(id)
    else
      await pipeline(
        content,
        createWriteStream(join(folder, 'files', ext === '' ? id : `${id}.${ext}`), {
          flags: 'wx',
          mode: 0o600,
        }),
      )
  }
  return missing
}
