import { type RawBuilder, sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { Scope, Trx } from '../db/database.ts'
import { json } from '../db/json.ts'

/** A tenant's latest changes to one module. */
export interface Override {
  readonly name: string
  readonly version: number
  readonly kind: 'own' | 'difference'
  readonly description: JsonObject
  readonly deleted: boolean
}

/** What a transaction has read, by the row's place and who wrote it: a change set reads all modules again for each of its changes. */
const readBefore = new WeakMap<Trx, ReadonlyMap<string, Override>>()

/** The latest version of every module that a tenant has changed, including deleted ones. A transaction gets the same object for the same row. */
export async function readOverrides(trx: Trx, tenantId: string): Promise<readonly Override[]> {
  const before = readBefore.get(trx)
  const known = [...(before?.keys() ?? [])]
  const { rows } = await sql<Override & { row: string }>`select name, version, kind, deleted, row,
      case when row = any(${known}::text[]) then null else description end as description
    from (select distinct on (name) name, version, kind, deleted, description, concat_ws(' ', xmin, ctid) as row
      from module_override where tenant_id = ${tenantId} order by name, version desc) latest`.execute(trx)
  const read = new Map(
    rows.map(({ row, ...override }): [string, Override] => [row, before?.get(row) ?? override]),
  )
  readBefore.set(trx, read)
  return [...read.values()]
}

/** The last kind of each field of a module and its version, including fields removed since. */
export async function lastKinds(
  trx: Trx,
  tenantId: string,
  module: string,
): Promise<ReadonlyMap<string, { readonly kind: string; readonly version: number }>> {
  const { rows } = await sql<{
    name: string
    kind: string
    version: number
  }>`select distinct on (f ->> 'name') f ->> 'name' as name, f ->> 'kind' as kind, o.version
    from module_override o, jsonb_array_elements(case jsonb_typeof(o.description -> 'fields')
      when 'array' then o.description -> 'fields' else '[]' end) f
    where o.tenant_id = ${tenantId} and o.name = ${module} and f ->> 'kind' is not null
    order by f ->> 'name', o.version desc`.execute(trx)
  return new Map(rows.map(({ name, ...is }) => [name, is]))
}

/** A field in a given version of its module. */
export async function fieldAt(
  trx: Trx,
  tenantId: string,
  module: string,
  { name, version }: { readonly name: string; readonly version: number },
): Promise<Field | undefined> {
  const { rows } = await sql<{
    field: Field
  }>`select jsonb_path_query_first(description, '$.fields[*] ? (@.name == $name)', ${JSON.stringify({ name })}::jsonb) as field
    from module_override where tenant_id = ${tenantId} and name = ${module} and version = ${version}`.execute(
    trx,
  )
  return rows[0]?.field
}

/** Locks a tenant's changes to its modules until the transaction ends: two simultaneous saves run one after the other. */
export async function lockModules(trx: Trx, tenantId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`module/${tenantId}`}, 0))`.execute(trx)
}

/**
 * Locks the tenant's changes to its modules until the transaction ends, shared with all others who write records; false if they differ from
 * what the server knows. A tenant without changes has no fields of its own.
 *
 * @param versions  those that the server knows
 */
export const sharedModelLock = (
  tenantId: string,
  versions: ReadonlyMap<string, number>,
): RawBuilder<boolean> =>
  versions.size === 0
    ? sql<boolean>`true`
    : sql<boolean>`crm_model_hold(${tenantId}, ${[...versions.keys()]}::text[], ${[...versions.values()]}::int[])`

/** Waits for everybody who writes records of a tenant, and blocks new writes until the transaction ends. */
export async function blockWriters(trx: Trx, tenantId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(crm_model_lock(${tenantId}))`.execute(trx)
}

/** Writes the next version. The caller holds the lock on the tenant's modules. */
export async function addOverride(
  trx: Trx,
  { tenantId, userId }: Scope,
  { name, version, kind, description, deleted }: Override,
): Promise<void> {
  await trx
    .insertInto('module_override')
    .values({
      tenant_id: tenantId,
      name,
      version,
      kind,
      description: json(description as Json),
      deleted,
      created_by: userId,
    })
    .execute()
}
