import { sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { Scope, Trx } from '../db/database.ts'
import { json } from '../db/json.ts'

/** A field whose kind is being changed, and the progress. */
export interface Conversion {
  readonly module: string
  readonly field: string
  readonly was: Field
  readonly made: Field
  /** Records with a value at the start. */
  readonly total: number
  readonly done: number
  readonly lastId: string
}

/** Conversions of a tenant that are not finished. */
export async function openConversions(trx: Trx, tenantId: string): Promise<readonly Conversion[]> {
  const { rows } = await sql<Conversion>`select module, field, was, made, total, done, last_id as "lastId"
    from field_conversion where tenant_id = ${tenantId} order by module, field`.execute(trx)
  return rows
}

/** One of them, locked until the transaction ends; none if another server has just finished it. */
export async function lockConversion(
  trx: Trx,
  tenantId: string,
  module: string,
  field: string,
): Promise<Conversion | undefined> {
  const { rows } = await sql<Conversion>`select module, field, was, made, total, done, last_id as "lastId"
    from field_conversion where tenant_id = ${tenantId} and module = ${module} and field = ${field}
    for update`.execute(trx)
  return rows[0]
}

/** Stores that the values of a field are to be converted to another kind. */
export async function beginConversion(
  trx: Trx,
  { tenantId, userId }: Scope,
  { module, field, was, made, total }: Omit<Conversion, 'done' | 'lastId'>,
): Promise<void> {
  await trx
    .insertInto('field_conversion')
    .values({
      tenant_id: tenantId,
      module,
      field,
      was: json(was as unknown as Json),
      made: json(made as unknown as Json),
      total,
      created_by: userId,
    })
    .execute()
}
