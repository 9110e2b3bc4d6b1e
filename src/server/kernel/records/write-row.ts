import { type RawBuilder, sql } from 'kysely'
import type { Asking } from '../asking/asking.ts'
import type { Tables } from '../db/tables.ts'
import { ownNumbers } from './own-numbers.ts'

/** Columns and what to write into them. Names are the program's own, never the caller's. */
export type Columns = Readonly<Record<string, unknown>>

/**
 * Inserts a record of the caller's tenant, its author and times with it, and in one of the product's the numbers that the tenant's own fields
 * count.
 * @returns false when a unique index had something against it; nothing is written then
 */
export async function insertRow(
  table: keyof Tables & string,
  columns: Columns,
  asking: Asking,
): Promise<boolean> {
  const row = await newRow(table, columns, asking)
  const { rows } = await sql`${insertion(table, row)} returning 1`.execute(asking.trx)
  return rows.length > 0
}

/** What is asked of a row in the statement that inserts it. */
interface Along {
  /** A question to `made`, the row as it was stored; nothing where a unique index had something against it. */
  readonly read: RawBuilder<unknown>
  /** What else is written, each named as `name as (…)`. */
  readonly more?: readonly RawBuilder<unknown>[]
}

/** {@link insertRow}, and what is asked of the new row and written with it by the same statement. */
export async function insertReading<Row>(
  table: keyof Tables & string,
  columns: Columns,
  { read, more = [] }: Along,
  asking: Asking,
): Promise<Row | undefined> {
  const row = await newRow(table, columns, asking)
  const made = sql`made as (${insertion(table, row)} returning *)`
  const { rows } = await sql<Row>`with ${sql.join([made, ...more])} ${read}`.execute(asking.trx)
  return rows[0]
}

async function newRow(table: keyof Tables & string, columns: Columns, asking: Asking): Promise<Columns> {
  const { caller, now, model } = asking
  const numbers = await ownNumbers(table === 'record' ? undefined : model.modules.get(table), asking)
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
  return sql`insert into ${sql.table(table)} (${sql.join(names.map((it) => sql.ref(it)))})
    values (${sql.join(names.map((it) => row[it]))}) on conflict do nothing`
}

/** Writes columns of a record of the caller's tenant and counts its version up. */
export async function updateRow(
  table: keyof Tables & string,
  id: string,
  columns: Columns,
  { trx, caller, now }: Asking,
): Promise<void> {
  const row: Columns = { ...columns, updated_by: caller.userId, updated_at: now }
  const sets: RawBuilder<unknown>[] = Object.entries(row).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  )
  await sql`update ${sql.table(table)} set ${sql.join(sets)}, version = version + 1
    where tenant_id = ${caller.tenantId} and id = ${id}`.execute(trx)
}
