import { sql } from 'kysely'
import { type JobRun, type TenantJob, weekly } from '../../kernel/context/job.ts'
import { markFilesDeleted } from '../../kernel/files/deleted-files.ts'
import { tenantTables } from '../leaving/tenant-tables.ts'

const DAY_MS = 86_400_000
/** Maximum per tenant and run; the others wait for the next. */
const MAX_FILES = 50_000
/** Interval between the two checks that must both find no reference: somebody may have been about to add one. */
const RECHECK_DAYS = 6
/** The address of a file, with its id. */
const NAME = '/engine/web/file/([[:alnum:]_-]+)'
/** These tables hold files and do not refer to any. */
const NO_NAMES: ReadonlySet<string> = new Set(['file', 'file_chunk'])

/**
 * Deletes uploads and results that nothing refers to: of a form that was never sent, a removed attachment, the result of interrupted
 * work. A reference is the file's address anywhere in a row of the tenant, or a piece of work. A file is deleted if it is old (`days`: forms wait on
 * phones) and two weekly checks found no reference.
 *
 * @param days  0: none are deleted
 */
export const unreferencedFilesJob = (days: number): TenantJob => ({
  name: 'unnamed-files',
  schedule: weekly('04:00'),
  run: (run) => (days === 0 ? Promise.resolve(0) : deleteUnreferenced(run, days)),
})

/** @returns how many files were marked as deleted */
export async function deleteUnreferenced(run: JobRun, days: number): Promise<number> {
  const { trx, tenantId, now } = run
  const ids = await candidates(run, days)
  if (ids.length === 0) return 0
  const named = await namedAmong(ids, run)
  const unnamed = ids.filter((id) => !named.has(id))
  await sql`update file set looked_at = ${now}, unnamed_at = null
    where tenant_id = ${tenantId} and id = any(${[...named]}::text[])`.execute(trx)
  const { rows } = await sql<{ id: string }>`select id from file where tenant_id = ${tenantId}
    and id = any(${unnamed}::text[]) and unnamed_at is not null`.execute(trx)
  await sql`update file set looked_at = ${now}, unnamed_at = coalesce(unnamed_at, ${now})
    where tenant_id = ${tenantId} and id = any(${unnamed}::text[])`.execute(trx)
  return markFilesDeleted(trx, tenantId, { ids: rows.map(({ id }) => id), now })
}

/** Old files: first those without a reference at the last check, then those checked longest ago. */
async function candidates({ trx, tenantId, now }: JobRun, days: number): Promise<readonly string[]> {
  const before = (count: number): Date => new Date(now.getTime() - count * DAY_MS)
  const { rows } = await sql<{
    id: string
  }>`select id from file where tenant_id = ${tenantId} and deleted_at is null
    and created_at < ${before(days)} and (unnamed_at is null or unnamed_at < ${before(RECHECK_DAYS)})
    order by unnamed_at nulls last, looked_at nulls first, id limit ${MAX_FILES}`.execute(trx)
  return rows.map(({ id }) => id)
}

async function namedAmong(ids: readonly string[], { trx, tenantId }: JobRun): Promise<ReadonlySet<string>> {
  const wanted = [...ids]
  const named = new Set<string>()
  const hear = ({ rows }: { readonly rows: readonly { readonly id: string }[] }): void => {
    for (const { id } of rows) named.add(id)
  }
  for (const table of await readableTables(trx))
    if (!NO_NAMES.has(table))
      hear(
        await sql<{ id: string }>`select distinct m[1] as id
          from ${sql.table(table)} t, lateral regexp_matches(t::text, ${NAME}, 'g') m
          where t.tenant_id = ${tenantId} and t::text like '%/engine/web/file/%' and m[1] = any(${wanted}::text[])`.execute(
          trx,
        ),
      )
  hear(
    await sql<{
      id: string
    }>`select f.id from work w, lateral unnest(array[w.file_id, w.input ->> 'fileId']) f (id)
      where w.tenant_id = ${tenantId} and f.id = any(${wanted}::text[])`.execute(trx),
  )
  hear(
    await sql<{ id: string }>`select m[1] as id from tenant t, lateral regexp_matches(t.logo, ${NAME}) m
      where t.id = ${tenantId}`.execute(trx),
  )
  return named
}

/** A table that no call can read cannot show a file to anybody. */
async function readableTables(trx: JobRun['trx']): Promise<readonly string[]> {
  const tables = await tenantTables(trx)
  const { rows } = await sql<{ name: string }>`select name from unnest(${[...tables]}::text[]) name
    where has_table_privilege(quote_ident(name), 'select')`.execute(trx)
  return rows.map(({ name }) => name)
}
