import { sql } from 'kysely'
import type { Asking } from '../asking/asking.ts'

/** What people call a value of a dictionary; the value itself where it has none. */
export async function labelOf(dict: string, value: string, { trx, caller }: Asking): Promise<string> {
  const { rows } = await sql<{
    label: string
  }>`select label from dict_item where tenant_id = ${caller.tenantId}
    and type_key = ${dict} and value = ${value}`.execute(trx)
  return rows[0]?.label ?? value
}
