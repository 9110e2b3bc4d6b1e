import { sql } from 'kysely'
import { SESSION_CHANNEL } from '../../kernel/auth/sessions.ts'
import type { Database, Trx } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/db/id.ts'
import type { FileStore } from '../../kernel/files/file-store.ts'
import { findTenant, tenantTables } from './tenant-tables.ts'

/** What was erased: rows by table, without tables that had none. */
export interface Erased {
  readonly tenant: string
  readonly rows: Readonly<Record<string, number>>
  /** People who worked for no other tenant: their logins were erased as well. */
  readonly people: number
}

/** Triggers write sums and notes when rows are deleted; these are deleted in a further pass. */
const MAX_ROUNDS = 5

/**
 * Deletes a tenant with all its data. First it is closed, so that nobody writes meanwhile, then the content of its files is removed, then all
 * rows in one transaction; after an interruption, run it again. Earlier backups still contain it.
 *
 * @throws Error with a sentence if there is no such tenant
 */
export async function deleteTenant(
  database: Database,
  code: string,
  { store, now }: { readonly store: FileStore; readonly now: number },
): Promise<Erased> {
  const tenant = await database.system((trx) => findTenant(trx, code))
  await close(database, tenant.id, now)
  for (const id of await fileIds(database, tenant.id)) await store.remove(tenant.id, id)
  return database.patiently(() =>
    database.system(async (trx) => {
      const people = await peopleOf(trx, tenant.id)
      const tables = await tenantTables(trx)
      const rows: Record<string, number> = {}
      for (let round = 0; ; round += 1) {
        const deleted = await deleteRound(trx, tables, tenant.id, rows)
        if (deleted === 0) break
        if (round === MAX_ROUNDS)
          throw new Error(`rows of ${code} come again when they are deleted; nothing was deleted`)
      }
      await sql`delete from session where user_id = any(${[...people]}::text[])`.execute(trx)
      await sql`delete from login_failure f using app_user u where u.account = f.account and u.id = any(${[...people]}::text[])`.execute(
        trx,
      )
      await sql`delete from app_user where id = any(${[...people]}::text[])`.execute(trx)
      await sql`delete from tenant where id = ${tenant.id}`.execute(trx)
      await noteErasure(trx, {
        kind: 'tenant',
        tenant: code,
        rows: { ...rows, app_user: people.length },
        now,
      })
      return { tenant: code, rows, people: people.length }
    }),
  )
}

/** File content may be stored outside the database, which a transaction does not cover. */
async function fileIds(database: Database, tenantId: string): Promise<readonly string[]> {
  const { rows } = await database.system((trx) =>
    sql<{ id: string }>`select id from file where tenant_id = ${tenantId}`.execute(trx),
  )
  return rows.map(({ id }) => id)
}

/** Records the erasure, as evidence. */
export async function noteErasure(
  trx: Trx,
  subject: {
    readonly kind: 'tenant' | 'person'
    readonly tenant: string
    readonly rows: Readonly<Record<string, number>>
    readonly now: number
  },
): Promise<void> {
  await sql`insert into erasure (id, kind, tenant, at, rows)
    values (${newId(subject.now)}, ${subject.kind}, ${subject.tenant}, ${new Date(subject.now)}, ${JSON.stringify(subject.rows)}::jsonb)`.execute(
    trx,
  )
}

/** Prevents everybody from signing in and working there, on every server. */
async function close(database: Database, tenantId: string, now: number): Promise<void> {
  await database.system(async (trx) => {
    await sql`update tenant set status = 'disabled' where id = ${tenantId}`.execute(trx)
    const { rows } = await sql<{
      user_id: string
    }>`update session set revoked_at = ${new Date(now)}, revoked_reason = 'disabled'
      where tenant_id = ${tenantId} and revoked_at is null returning user_id`.execute(trx)
    for (const userId of new Set(rows.map((row) => row.user_id)))
      await database.notify(trx, SESSION_CHANNEL, userId)
  })
}

async function peopleOf(trx: Trx, tenantId: string): Promise<readonly string[]> {
  const { rows } = await sql<{
    user_id: string
  }>`select m.user_id from membership m where m.tenant_id = ${tenantId}
    and not exists (select 1 from membership o where o.user_id = m.user_id and o.tenant_id <> ${tenantId})`.execute(
    trx,
  )
  return rows.map((row) => row.user_id)
}

async function deleteRound(
  trx: Trx,
  tables: readonly string[],
  tenantId: string,
  rows: Record<string, number>,
): Promise<number> {
  let all = 0
  for (const table of tables) {
    const { numAffectedRows = 0n } =
      await sql`delete from ${sql.table(table)} where tenant_id = ${tenantId}`.execute(trx)
    const count = Number(numAffectedRows)
    if (count > 0) rows[table] = (rows[table] ?? 0) + count
    all += count
  }
  return all
}
