import { sql } from 'kysely'
import type { CallContext } from '../context/call-context.ts'
import type { Faults } from '../fields/check-record.ts'
import type { InputValues } from '../fields/input.ts'
import { text } from '../text/text.ts'
import { labelOfField } from './described.ts'

/** The activity that a customer or lead comes from must be one of the tenant; one that ended or was deleted since stays with them. */
export async function sourceActivityFaults(
  entity: 'customer' | 'lead',
  { activity_id: id }: InputValues,
  ctx: CallContext,
): Promise<Faults> {
  if (typeof id !== 'string') return {}
  const { rows } =
    await sql`select 1 from activity where tenant_id = ${ctx.caller.tenantId} and id = ${id}`.execute(ctx.trx)
  if (rows.length > 0) return {}
  return {
    activity_id: text('record.not-found', {
      label: labelOfField(entity, 'activity_id', ctx),
      name: id.slice(0, 40),
    }),
  }
}
