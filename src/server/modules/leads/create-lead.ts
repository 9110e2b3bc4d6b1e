import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { isConfirmed } from '../../kernel/fields/check-record.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { holdForNew, lockHeadroom } from '../../kernel/pools/person-cap.ts'
import { checkedNew, recordColumns } from '../../kernel/records/change-record.ts'
import { duplicatesOfPosted } from '../../kernel/records/find-duplicates.ts'
import { wireRecord } from '../../kernel/records/find-record.ts'
import { insertFound } from '../../kernel/records/insert-record.ts'
import { mine, type NewHolder } from '../../kernel/records/new-holder.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { LEAD_CHANGE } from './change-lead.ts'

const likenessOf = <T>({ company, name, mobile, telephone }: Readonly<Record<string, T>>) => ({
  entity: 'lead' as const,
  name: company ?? name ?? null,
  phones: [mobile, telephone],
})

/**
 * Creates a lead for the caller or for `holder`. A number that others have too needs a confirmation; a name that a customer has gives a hint (DOMAIN
 * 1.1.3).
 */
export async function createLead(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
  holder: NewHolder = mine(ctx),
): Promise<WriteResult<Json>> {
  const { caller, now } = ctx
  const { confirm, ...given } = body
  // These queries are sent together, in one round trip.
  const room = lockHeadroom('lead', holder, ctx)
  const duplicatesOf = duplicatesOfPosted(likenessOf(given), ctx)
  const [values, found] = await Promise.all([checkedNew(LEAD_CHANGE, given, ctx, () => form(body)), room])
  const written = values as Readonly<Record<string, string | null | undefined>>
  const holding = await holdForNew('lead', holder, written.level, ctx, found)
  const duplicates = await duplicatesOf(likenessOf(written))
  const hasSamePhone = duplicates.items.some((item) => item.match.includes('phone'))
  if (hasSamePhone && !isConfirmed(confirm, 'DUPLICATE_PHONE'))
    refuse(409, 'DUPLICATE', text('customer.duplicate-phone'), {
      data: { ...duplicates, confirm: 'DUPLICATE_PHONE' } as unknown as Json,
    })
  const isCustomer = duplicates.items.some((item) => item.match.includes('name'))
  const id = newId(now.getTime())
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  const columns = {
    ...recordColumns('lead', filled, ctx),
    ...(await LEAD_CHANGE.derive(values, null, ctx)),
    id,
    ...holding,
  }
  const created = await insertFound('lead', { columns, holder }, ctx)
  // A caller who creates it for somebody else may not see it any more: the answer has no record.
  if (holder.userId !== caller.userId) return { data: { id, version: 1 }, recordId: id, detail: given }
  if (created?.visible !== true) refuse(404, 'NOT_FOUND', text('call.not-found'))
  const warnings = [
    ...(hasSamePhone ? [{ type: 'DUPLICATE_PHONE', message: text('customer.duplicate-phone') }] : []),
    ...(isCustomer ? [{ type: 'IS_CUSTOMER', message: text('lead.is-customer') }] : []),
  ]
  return {
    data: {
      id,
      version: created.version,
      record: wireRecord('lead', created, ctx),
      ...(warnings.length > 0 ? { warnings } : {}),
    },
    recordId: id,
    detail: given,
  }
}
