import { sql } from 'kysely'
import type { Asking } from '../records/asking.ts'

/** Where values of a dictionary stand in records; a column ending in `[]` is a list. */
const USES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  customer_level: [['customer', 'level']],
  customer_type: [['customer', 'customer_type']],
  customer_stage: [['customer', 'stage']],
  customer_source: [
    ['customer', 'source'],
    ['bussiness', 'source'],
  ],
  customer_tag: [['customer', 'tags[]']],
  lead_source: [['lead', 'source']],
  lead_level: [['lead', 'level']],
  lead_invalid_reason: [['lead', 'invalid_reason']],
  industry: [
    ['customer', 'industry_path[]'],
    ['lead', 'industry'],
  ],
  company_scale: [
    ['customer', 'scale'],
    ['lead', 'scale'],
  ],
  pool_reason: [
    ['customer', 'pool_reason'],
    ['lead', 'pool_reason'],
    ['bussiness', 'pool_reason'],
    ['owner_record', 'reason'],
  ],
  follow_method: [['follow', 'method']],
  follow_result: [['follow', 'result']],
  contact_role: [['contact', 'role']],
  contact_attitude: [['contact', 'attitude']],
  gender: [
    ['contact', 'gender'],
    ['membership', 'gender'],
  ],
  bussiness_type: [['bussiness', 'type']],
  bussiness_stage: [['bussiness', 'stage_id']],
  lose_reason: [['bussiness', 'lose_reason']],
  contract_type: [['contract', 'type']],
  payment_terms: [['contract', 'payment_terms']],
  payment_method: [
    ['payment', 'method'],
    ['payment_plan', 'method'],
  ],
  product_unit: [['product', 'unit']],
  product_category: [['product', 'category_path[]']],
  tax_rate: [['product', 'tax_rate']],
  activity_type: [['activity', 'type']],
}

/** True when a record, also a deleted one, has the value. */
export async function isUsed(key: string, value: string, { trx, caller }: Asking): Promise<boolean> {
  for (const [table, name] of USES[key] ?? []) {
    const column = sql.ref(name.replace('[]', ''))
    const holds = name.endsWith('[]') ? sql`${value} = any(${column})` : sql`${column} = ${value}`
    const { rows } =
      await sql`select 1 from ${sql.table(table)} where tenant_id = ${caller.tenantId} and ${holds}
      limit 1`.execute(trx)
    if (rows.length > 0) return true
  }
  return false
}
