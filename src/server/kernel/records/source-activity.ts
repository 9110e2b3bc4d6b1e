import { sql } from 'kysely'
import type { CallContext } from '../context/call-context.ts'
import type { Faults } from '../fields/check-record.ts'
import type { InputValues } from '../fields/input.ts'
import { text } from '../text/text.ts'
import { labelOfField } from './described.ts'
import type { FoundRecord } from './find-record.ts'

/** The activity that a customer or lead comes from must be one of the tenant; a new one may not come from a deleted one, a record that is there keeps it. */
export async function sourceActivityFaults(
  entity: 'customer' | 'lead',
  { activity_id: id }: InputValues,
  found: FoundRecord | null,
  ctx: CallContext,
): Promise<Faults> {
  if (typeof id !== 'string') return {}
  const { rows } = await sql`select 1 from activity where tenant_id = ${ctx.caller.tenantId} and id = ${id}
      and (deleted_at is null or ${found !== null})`.execute(ctx.trx)
  if (rows.length > 0) return {}
  return {
    activity_id: text('record.not-found', {
      label: labelOfField(entity, 'activity_id', ctx),
      name: id.slice(0, 40),
    }),
  }
}
