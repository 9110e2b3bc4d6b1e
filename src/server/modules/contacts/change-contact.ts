import { sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { InputValues } from '../../kernel/fields/input.ts'
import type { Changeable } from '../../kernel/records/change-record.ts'
import type { FoundRecord } from '../../kernel/records/find-record.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { searchOf } from '../customers/contacts.ts'

const WAYS = ['mobile', 'telephone', 'wechat', 'email'] as const

/** How a contact is changed (DOMAIN 1.3). */
export const CONTACT_CHANGE: Changeable = {
  entity: 'contact',
  notClearable: ['is_key', 'is_primary', 'birthday_lunar'],
  async faults(values, found, ctx) {
    const after = { ...found, ...values } as Readonly<Record<string, unknown>>
    const isReachable = WAYS.some((field) => (after[field] ?? null) !== null)
    const report = await reportFault(values, found, ctx)
    return {
      ...(isReachable ? {} : { mobile: text('contact.reachable') }),
      ...(report === null ? {} : { report_to_id: report }),
    }
  },
  async derive(source, found, ctx) {
    if (found !== null) await refuseTwin(String(found.customer_id), source, found.id, ctx)
    return searchOf(source as InputValues)
  },
}

/** The superior must be another contact of the same customer (DOMAIN 1.3). */
async function reportFault(
  values: InputValues,
  found: FoundRecord | null,
  { trx, caller }: CallContext,
): Promise<string | null> {
  const { report_to_id } = values
  if (typeof report_to_id !== 'string') return null
  const customerId = found?.customer_id ?? values.customer_id ?? ''
  const { rows } = await sql<{ id: string; customer_id: string }>`
    with recursive up as (
      select id, customer_id, report_to_id, 1 as depth from contact
        where tenant_id = ${caller.tenantId} and id = ${report_to_id} and deleted_at is null
      union all
      select k.id, k.customer_id, k.report_to_id, up.depth + 1 from contact k join up on k.id = up.report_to_id
        where k.tenant_id = ${caller.tenantId} and up.depth < 20
    ) select id, customer_id from up order by depth`.execute(trx)
  const isGood =
    rows[0]?.customer_id === customerId && rows.every((row) => row.id !== found?.id) && rows.length < 20
  return isGood ? null : text('contact.report')
}

/** A contact with the same name and number in one customer is the same person (DOMAIN 1.3). @throws Refusal 409 DUPLICATE */
export async function refuseTwin(
  customerId: string,
  source: Readonly<Record<string, unknown>>,
  exceptId: string | null,
  { trx, caller }: CallContext,
): Promise<void> {
  const { rows } = await sql`select 1 from contact where tenant_id = ${caller.tenantId}
    and customer_id = ${customerId} and name = ${source.name} and mobile = ${source.mobile}
    and deleted_at is null and id is distinct from ${exceptId} limit 1`.execute(trx)
  if (rows.length > 0) refuse(409, 'DUPLICATE', text('contact.duplicate'))
}
