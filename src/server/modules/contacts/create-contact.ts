import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { isConfirmed } from '../../kernel/fields/check-record.ts'
import type { InputValues } from '../../kernel/fields/input.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { checkedNew, recordColumns } from '../../kernel/records/change-record.ts'
import { findDuplicates } from '../../kernel/records/find-duplicates.ts'
import { findRecord, notYours, wireRecord } from '../../kernel/records/find-record.ts'
import { atMaster } from '../../kernel/records/redirect.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { insertRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isWritable } from '../../kernel/visibility/predicate.ts'
import { CONTACT_CHANGE, refuseTwin } from './change-contact.ts'
import { makePrimary } from './primary.ts'

/**
 * Creates a contact of a customer the caller may write (DOMAIN 1.3). The first one becomes the primary contact.
 * @throws Refusal 409 DUPLICATE for the same name and number in this customer, and for a number that other contacts have unless `confirm:
 * ["DUPLICATE_PHONE"]` is given
 */
export async function createContact(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
): Promise<WriteResult<Json>> {
  const { confirm, ...posted } = body
  const given = await atMaster(posted, ctx)
  const values = await checkedNew(CONTACT_CHANGE, given, ctx, () => form(body))
  const customerId = String(values.customer_id)
  await lockCustomer(customerId, ctx)
  await refuseTwin(customerId, values, null, ctx)
  const duplicates = await findDuplicates(
    {
      phones: [values.mobile, values.mobile2].map((it) => (typeof it === 'string' ? it : null)),
      excludeId: customerId,
    },
    ctx,
  )
  if (duplicates.items.length > 0 && !isConfirmed(confirm, 'DUPLICATE_PHONE'))
    refuse(409, 'DUPLICATE', text('customer.duplicate-phone'), {
      data: { ...duplicates, confirm: 'DUPLICATE_PHONE' } as unknown as Json,
    })
  const id = await insertContact(values, ctx)
  const found = await findRecord('contact', id, ctx)
  return {
    data: { id, version: found.version, record: wireRecord('contact', found, ctx) },
    recordId: id,
    detail: given,
  }
}

/** Stores a checked contact. It becomes the primary if it is marked as primary or is the first. */
export async function insertContact(values: InputValues, ctx: CallContext): Promise<string> {
  const { trx, caller, now } = ctx
  const { is_primary, ...rest } = values
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
  const id = newId(now.getTime())
  const derived = await CONTACT_CHANGE.derive(values, null, ctx)
  const columns = { ...recordColumns('contact', given, ctx), ...derived, id }
  const isStored = await insertRow('contact', columns, ctx)
  if (!isStored) refuse(409, 'DUPLICATE', text('contact.duplicate'))
  const { rows } = await sql<{ primary_contact_id: string | null }>`select primary_contact_id from customer
    where tenant_id = ${caller.tenantId} and id = ${values.customer_id}`.execute(trx)
  if (is_primary === true || (rows[0]?.primary_contact_id ?? null) === null)
    await makePrimary(String(values.customer_id), id, ctx)
  return id
}

/** Locks the customer of a contact and checks the right to change its contacts. */
export async function lockCustomer(customerId: string, ctx: CallContext): Promise<void> {
  const found = await findRecord('customer', customerId, ctx, true)
  const { trx, caller } = ctx
  const { rows } =
    await sql`select 1 from customer c where c.tenant_id = ${caller.tenantId} and c.id = ${found.id}
    and (${isWritable(caller, 'customer', 'c', 'contact:edit')}
      or ${isWritable(caller, 'customer', 'c', 'contact:add')})`.execute(trx)
  if (rows.length === 0) await notYours('customer', found, 'contact:edit', ctx)
}
