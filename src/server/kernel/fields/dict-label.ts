import { sql } from 'kysely'
import type { Field } from '../../../model/description.ts'
import { withRowFields } from '../../../model/rows.ts'
import type { CallContext } from '../context/call-context.ts'
import type { Trx } from '../db/database.ts'

/** The label of a dictionary value; the value itself if it has none. */
export async function labelOf(dict: string, value: string, { trx, caller }: CallContext): Promise<string> {
  const { rows } = await sql<{
    label: string
  }>`select label from dict_item where tenant_id = ${caller.tenantId}
    and type_key = ${dict} and value = ${value}`.execute(trx)
  return rows[0]?.label ?? value
}

/** The tenant whose dictionaries are read; a job has no caller with rights. */
export interface OfTenant {
  readonly trx: Trx
  readonly caller: { readonly tenantId: string }
}

/** Value → label of the dictionaries used by the fields, including fields in rows. */
export async function dictLabels(
  fields: readonly Field[],
  { trx, caller }: OfTenant,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const dicts = [...new Set(withRowFields(fields).flatMap(({ dict }) => (dict === undefined ? [] : [dict])))]
  if (dicts.length === 0) return new Map()
  const { rows } = await sql<{ type_key: string; value: string; label: string }>`select type_key, value, label
    from dict_item where tenant_id = ${caller.tenantId} and type_key = any(${dicts}::text[])`.execute(trx)
  const of = (dict: string) => rows.filter((row) => row.type_key === dict)
  return new Map(dicts.map((dict) => [dict, new Map(of(dict).map(({ value, label }) => [value, label]))]))
}
