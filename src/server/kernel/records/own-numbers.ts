import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { countedFrom, isCountedOn, numberOf } from '../../../model/number-pattern.ts'
import type { CallContext } from '../context/call-context.ts'
import { dayText, wallTimeOf } from '../time/zone.ts'

/**
 * The next number of a pattern, taken inside the writing transaction: gaps are possible, repeats are not.
 *
 * @param kind  identifies the counter
 */
export async function takeNumber(
  pattern: string,
  kind: string,
  { trx, caller, now, zone }: CallContext,
): Promise<string> {
  const day = dayText(wallTimeOf(now, zone))
  // A counter that never restarts continues after counters that were kept per day before.
  const before = isCountedOn(pattern)
    ? sql`coalesce((select max(last_number) from document_counter where tenant_id = ${caller.tenantId} and kind = ${kind}), 0) + 1`
    : sql`1`
  const { rows } = await sql<{ last_number: number }>`
    insert into document_counter (tenant_id, kind, day, last_number)
    values (${caller.tenantId}, ${kind}, ${countedFrom(pattern, day)}, ${before})
    on conflict (tenant_id, kind, day) do update set last_number = document_counter.last_number + 1
    returning last_number`.execute(trx)
  return numberOf(pattern, day, rows[0]?.last_number ?? 1)
}

/** Numbers of a new record: one for each of the tenant's own numbering fields. */
export async function ownNumbers(module: MergedModule | undefined, ctx: CallContext): Promise<JsonObject> {
  const numbers: Record<string, string> = {}
  for (const { name, kind, number, origin, retired } of module?.fields ?? [])
    if (kind === 'auto-number' && origin === 'tenant' && retired !== true && number !== undefined)
      numbers[name] = await takeNumber(number, `m.${module?.name}.${name}`, ctx)
  return numbers
}
