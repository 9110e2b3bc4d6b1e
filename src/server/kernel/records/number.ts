import { sql } from 'kysely'
import type { Trx } from '../db/database.ts'
import { dayText, wallTimeOf } from '../time/zone.ts'

/** Documents with numbers, and their prefixes (DOMAIN 1). */
export const NUMBER_PREFIX = {
  customer: 'KH',
  bussiness: 'SJ',
  contract: 'HT',
  payment: 'HK',
  product: 'CP',
  activity: 'HD',
} as const

/** `KH202611200001`: prefix, day and at least four digits. */
export function numberText(kind: keyof typeof NUMBER_PREFIX, day: string, count: number): string {
  return `${NUMBER_PREFIX[kind]}${day.replaceAll('-', '')}${String(count).padStart(4, '0')}`
}

/**
 * The next number of the tenant's day, taken inside the writing transaction: gaps are possible, repeats are not
 * (DOMAIN 1.16).
 */
export async function nextNumber(
  trx: Trx,
  tenantId: string,
  kind: keyof typeof NUMBER_PREFIX,
  at: { readonly now: Date; readonly zone: string },
): Promise<string> {
  const day = dayText(wallTimeOf(at.now, at.zone))
  const { rows } = await sql<{ last_number: number }>`
    insert into document_counter (tenant_id, kind, day, last_number) values (${tenantId}, ${kind}, ${day}, 1)
    on conflict (tenant_id, kind, day) do update set last_number = document_counter.last_number + 1
    returning last_number`.execute(trx)
  return numberText(kind, day, rows[0]?.last_number ?? 1)
}
