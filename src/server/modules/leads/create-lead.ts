import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { newId } from '../../kernel/db/id.ts'
import { isConfirmed } from '../../kernel/fields/check-record.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { holdForNew } from '../../kernel/pools/person-cap.ts'
import { checkedNew, recordColumns } from '../../kernel/records/change-record.ts'
import { findDuplicates } from '../../kernel/records/find-duplicates.ts'
import { wireRecord } from '../../kernel/records/find-record.ts'
import { insertFound } from '../../kernel/records/insert-record.ts'
import { mine, type NewHolder } from '../../kernel/records/new-holder.ts'
import type { Written } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { LEAD_CHANGE } from './change-lead.ts'

/**
 * Makes a lead, for the caller unless `holder` says who gets it. A number that others have too warns, a name that a customer has is
 * a hint (DOMAIN 1.1.3).
 */
export async function createLead(
  body: JsonObject,
  asking: Asking,
  form: FormCheck,
  holder: NewHolder = mine(asking),
): Promise<Written<Json>> {
  const { caller, now } = asking
  const { confirm, ...given } = body
  const values = await checkedNew(LEAD_CHANGE, given, asking, await form(body))
  const written = values as Readonly<Record<string, string | null | undefined>>
  const held = await holdForNew('lead', holder, written.level, asking)
  const duplicates = await findDuplicates(
    {
      entity: 'lead',
      name: written.company ?? written.name ?? null,
      phones: [written.mobile, written.telephone],
    },
    asking,
  )
  const hasSamePhone = duplicates.items.some((item) => item.match.includes('phone'))
  if (hasSamePhone && !isConfirmed(confirm, 'DUPLICATE_PHONE'))
    refuse(409, 'DUPLICATE', text('customer.duplicate-phone'), {
      data: { ...duplicates, confirm: 'DUPLICATE_PHONE' } as unknown as Json,
    })
  const isCustomer = duplicates.items.some((item) => item.match.includes('name'))
  const id = newId(now.getTime())
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  const columns = {
    ...recordColumns('lead', filled, asking),
    ...(await LEAD_CHANGE.derive(values, null, asking)),
    id,
    ...held,
  }
  const found = await insertFound('lead', { columns, holder }, asking)
  // Whoever gives it away may not see it any more.
  if (holder.userId !== caller.userId) return { data: { id, version: 1 }, recordId: id, detail: given }
  if (found?.visible !== true) refuse(404, 'NOT_FOUND', text('call.not-found'))
  const warnings = [
    ...(hasSamePhone ? [{ type: 'DUPLICATE_PHONE', message: text('customer.duplicate-phone') }] : []),
    ...(isCustomer ? [{ type: 'IS_CUSTOMER', message: text('lead.is-customer') }] : []),
  ]
  return {
    data: {
      id,
      version: found.version,
      record: wireRecord('lead', found, asking),
      ...(warnings.length > 0 ? { warnings } : {}),
    },
    recordId: id,
    detail: given,
  }
}
