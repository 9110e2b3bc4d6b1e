import { type RawBuilder, sql } from 'kysely'
import type { CallContext } from '../context/call-context.ts'
import type { Tables } from '../db/tables.ts'
import { ownNumbers } from './own-numbers.ts'

/** Columns and their values. Names are the program's own, never the caller's. */
export type Columns = Readonly<Record<string, unknown>>

/**
 * Inserts a record of the caller's tenant with its author and times, and in a module of the product the values of the tenant's own
 * numbering fields.
 *
 * @returns false if a unique index rejected it; nothing is written then
 */
export async function insertRow(
  table: keyof Tables & string,
  columns: Columns,
  ctx: CallContext,
): Promise<boolean> {
  const row = await newRow(table, columns, ctx)
  const { rows } = await sql`${insertion(table, row)} returning 1`.execute(ctx.trx)
  return rows.length > 0
}

/** Additional queries in the statement that inserts a row. */
interface Along {
  /** A query on `made`, the row as stored; empty if a unique index rejected it. */
  readonly read: RawBuilder<unknown>
  /** Further writes, each named as `name as (…)`. */
  readonly more?: readonly RawBuilder<unknown>[]
}

/** {@link insertRow} with additional queries and writes in the same statement. */
export async function insertReading<Row>(
  table: keyof Tables & string,
  columns: Columns,
  { read, more = [] }: Along,
  ctx: CallContext,
): Promise<Row | undefined> {
  const row = await newRow(table, columns, ctx)
  const insert = sql`made as (${insertion(table, row)} returning *)`
  const { rows } = await sql<Row>`with ${sql.join([insert, ...more])} ${read}`.execute(ctx.trx)
  return rows[0]
}

async function newRow(table: keyof Tables & string, columns: Columns, ctx: CallContext): Promise<Columns> {
  const { caller, now, model } = ctx
  const numbers = await ownNumbers(table === 'record' ? undefined : model.modules.get(table), ctx)
  const isCounted = Object.keys(numbers).length > 0
  return {
    created_by: caller.userId,
    created_at: now,
    updated_by: caller.userId,
    updated_at: now,
    ...columns,
    ...(isCounted
      ? { ext: sql`coalesce((${columns.ext ?? null})::jsonb, '{}') || ${JSON.stringify(numbers)}::jsonb` }
      : {}),
    tenant_id: caller.tenantId,
  }
}

function insertion(table: string, row: Columns): RawBuilder<unknown> {
  const names = Object.keys(row)
  return sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    values (${sql.join(names.map((name) => row[name]))}) on conflict do nothing`
}

/** Writes columns of a record of the caller's tenant and increments its version. */
export async function updateRow(
  table: keyof Tables & string,
  id: string,
  columns: Columns,
  { trx, caller, now }: CallContext,
): Promise<void> {
  const row: Columns = { ...columns, updated_by: caller.userId, updated_at: now }
  const sets: RawBuilder<unknown>[] = Object.entries(row).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  )
  await sql`update ${sql.table(table)} set ${sql.join(sets)}, version = version + 1
    where tenant_id = ${caller.tenantId} and id = ${id}`.execute(trx)
}
