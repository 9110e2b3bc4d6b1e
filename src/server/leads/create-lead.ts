import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { newId } from '../db/id.ts'
import { findDuplicates } from '../duplicates/find-duplicates.ts'
import { refuse } from '../envelope.ts'
import type { FormCheck } from '../forms/validate-with-page.ts'
import { holdForNew } from '../pools/person-cap.ts'
import { refreshExpiry } from '../pools/refresh-expiry.ts'
import type { Asking } from '../records/asking.ts'
import { checkedNew, recordColumns } from '../records/change-record.ts'
import { isConfirmed } from '../records/check-record.ts'
import { findRecord, wireRecord } from '../records/find-record.ts'
import { firstMove, holderColumns, mine, type NewHolder } from '../records/new-holder.ts'
import { recordMoves } from '../records/owner-record.ts'
import { insertRow } from '../records/write-row.ts'
import type { Written } from '../security/write-once.ts'
import { text } from '../text.ts'
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
  const { trx, caller, now } = asking
  const { confirm, ...given } = body
  const values = await checkedNew(LEAD_CHANGE, given, asking, await form(body))
  await holdForNew('lead', holder, asking)
  const written = values as Readonly<Record<string, string | null | undefined>>
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
  await insertRow(
    'lead',
    {
      ...recordColumns('lead', filled, asking),
      ...(await LEAD_CHANGE.derive(values, null, asking)),
      id,
      ...holderColumns(holder, asking),
    },
    asking,
  )
  await recordMoves('lead', [firstMove(id, holder)], {
    trx,
    now,
    tenantId: caller.tenantId,
    operatorId: caller.userId,
  })
  await refreshExpiry('lead', [id], { trx, tenantId: caller.tenantId })
  // Whoever gives it away may not see it any more.
  if (holder.userId !== caller.userId) return { data: { id, version: 1 }, recordId: id, detail: given }
  const found = await findRecord('lead', id, asking)
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
