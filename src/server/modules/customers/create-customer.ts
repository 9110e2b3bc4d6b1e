import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { isConfirmed } from '../../kernel/fields/check-record.ts'
import type { InputValues } from '../../kernel/fields/input.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { holdForNew, lockHeadroom } from '../../kernel/pools/person-cap.ts'
import { checkedNew, recordColumns } from '../../kernel/records/change-record.ts'
import { emptyOf, writtenFields } from '../../kernel/records/described.ts'
import {
  type DuplicateCriteria,
  duplicatesOfPosted,
  findDuplicates,
} from '../../kernel/records/find-duplicates.ts'
import { insertHeld } from '../../kernel/records/insert-record.ts'
import { mine, type NewHolder } from '../../kernel/records/new-holder.ts'
import { nextNumber } from '../../kernel/records/number.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import type { Columns } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { CUSTOMER_CHANGE } from './change-customer.ts'
import { checkContacts, insertContacts, postedContacts } from './contacts.ts'
import { type CustomerSource, deriveColumns, industryPath } from './derive.ts'
import { customerRecord } from './detail.ts'
import { findCustomer } from './find-customer.ts'

/**
 * Creates a customer with its contacts, for the caller or for `holder`.
 *
 * @param body  fields of DOMAIN 1.1, `contacts[]`, and `confirm: ["DUPLICATE_PHONE"]` to accept a number that others have too
 * @throws Refusal 400 with field messages, 409 DUPLICATE with the records found, 422 HOLDING_CAP
 */
export async function createCustomer(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
  holder: NewHolder = mine(ctx),
): Promise<WriteResult<Json>> {
  const { contacts: givenContacts, confirm, ...given } = body
  // These queries are sent together, in one round trip.
  const room = lockHeadroom('customer', holder, ctx)
  const duplicatesOf = duplicatesOfPosted(likenessOf(given, postedContacts(givenContacts)), ctx)
  const checked = checkContacts(givenContacts, ctx)
  const faults = async () => ({ ...(await form(body)), ...(await checked).faults })
  const [values, { contacts }, found] = await Promise.all([
    checkedNew(CUSTOMER_CHANGE, given, ctx, faults),
    checked,
    room,
  ])
  const holding = await holdForNew('customer', holder, values.level, ctx, found)
  const likeness = likenessOf(values as Texts, contacts as readonly Texts[])
  const duplicates = await duplicatesOf(likeness)
  const hasSamePhone = duplicates.items.some((item) => item.match.includes('phone'))
  if (duplicates.block)
    refuse(409, 'DUPLICATE', text('customer.duplicate'), { data: duplicates as unknown as Json })
  if (hasSamePhone && !isConfirmed(confirm, 'DUPLICATE_PHONE'))
    refuse(409, 'DUPLICATE', text('customer.duplicate-phone'), {
      data: { ...duplicates, confirm: 'DUPLICATE_PHONE' } as unknown as Json,
    })
  const id = await insertCustomer(values, likeness, ctx, { holder, held: holding })
  await insertContacts(id, contacts, ctx)
  // A caller who creates it for somebody else may not see it any more: the answer has no record.
  if (holder.userId !== ctx.caller.userId) return { data: { id, version: 1 }, recordId: id, detail: given }
  const created = await findCustomer(id, ctx)
  return {
    data: {
      id,
      version: created.version,
      record: customerRecord(created, ctx),
      ...(hasSamePhone
        ? { warnings: [{ type: 'DUPLICATE_PHONE', message: text('customer.duplicate-phone') }] }
        : {}),
    },
    recordId: id,
    detail: given,
  }
}

/** Checked values of fields that are texts. */
export type Texts = Readonly<Record<string, string | null | undefined>>

/** The values by which a new customer is compared with others. */
export function likenessOf<T>(
  ownValues: Readonly<Record<string, T | null | undefined>>,
  contacts: readonly Readonly<Record<string, T | null | undefined>>[],
) {
  return {
    name: ownValues.name ?? null,
    phones: [
      ownValues.mobile,
      ownValues.telephone,
      ...contacts.flatMap((contact) => [contact.mobile, contact.mobile2, contact.telephone]),
    ],
    creditCode: ownValues.credit_code ?? null,
    website: ownValues.website ?? null,
  }
}

/**
 * Stores a checked customer. Unique indexes decide: of two inserts at the same time, the second one finds the first (DOMAIN 1.1.3).
 *
 * @param held  columns of owner or pool, and until when
 */
export async function insertCustomer(
  values: InputValues,
  likeness: DuplicateCriteria,
  ctx: CallContext,
  { holder, held }: { readonly holder: NewHolder; readonly held: Columns },
): Promise<string> {
  const { trx, caller, now, zone } = ctx
  const id = newId(now.getTime())
  const [customer_no, path] = await Promise.all([
    nextNumber(trx, caller.tenantId, 'customer', { now, zone }),
    industryPath(trx, caller.tenantId, (values as Texts).industry ?? null),
  ])
  const source = { ...emptyOf(writtenFields('customer', ctx)), ...values, customer_no }
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  const columns = {
    ...recordColumns('customer', given, ctx),
    ...deriveColumns(source as unknown as CustomerSource, path),
    id,
    customer_no,
    ...held,
  }
  const isStored = await insertHeld('customer', { columns, holder }, ctx)
  if (!isStored) {
    const winners = await findDuplicates(likeness, ctx)
    refuse(409, 'DUPLICATE', text('customer.duplicate'), { data: winners as unknown as Json })
  }
  return id
}
