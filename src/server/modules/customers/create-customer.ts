import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { newId } from '../../kernel/db/id.ts'
import { isConfirmed } from '../../kernel/fields/check-record.ts'
import type { InputValues } from '../../kernel/fields/input.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { holdForNew } from '../../kernel/pools/person-cap.ts'
import { checkedNew, recordColumns } from '../../kernel/records/change-record.ts'
import { emptyOf, writtenFields } from '../../kernel/records/described.ts'
import { findDuplicates, type Likeness } from '../../kernel/records/find-duplicates.ts'
import { insertHeld } from '../../kernel/records/insert-record.ts'
import { mine, type NewHolder } from '../../kernel/records/new-holder.ts'
import { nextNumber } from '../../kernel/records/number.ts'
import type { Written } from '../../kernel/records/write-once.ts'
import type { Columns } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { CUSTOMER_CHANGE } from './change-customer.ts'
import { checkContacts, insertContacts } from './contacts.ts'
import { type CustomerSource, deriveColumns } from './derive.ts'
import { customerRecord } from './detail.ts'
import { findCustomer } from './find-customer.ts'

/**
 * Makes a customer with its contacts, for the caller unless `holder` says who gets it.
 *
 * @param body  fields of DOMAIN 1.1, `contacts[]`, and `confirm: ["DUPLICATE_PHONE"]` to keep a number that others have too
 * @throws Refusal 400 with field messages, 409 DUPLICATE with what was found, 422 HOLDING_CAP
 */
export async function createCustomer(
  body: JsonObject,
  asking: Asking,
  form: FormCheck,
  holder: NewHolder = mine(asking),
): Promise<Written<Json>> {
  const { contacts: givenContacts, confirm, ...given } = body
  const inline = await checkContacts(givenContacts, asking)
  const values = await checkedNew(CUSTOMER_CHANGE, given, asking, { ...(await form(body)), ...inline.faults })
  const held = await holdForNew('customer', holder, values.level, asking)
  const likeness = likenessOf(values, inline.contacts)
  const duplicates = await findDuplicates(likeness, asking)
  const hasSamePhone = duplicates.items.some((item) => item.match.includes('phone'))
  if (duplicates.block)
    refuse(409, 'DUPLICATE', text('customer.duplicate'), { data: duplicates as unknown as Json })
  if (hasSamePhone && !isConfirmed(confirm, 'DUPLICATE_PHONE'))
    refuse(409, 'DUPLICATE', text('customer.duplicate-phone'), {
      data: { ...duplicates, confirm: 'DUPLICATE_PHONE' } as unknown as Json,
    })
  const id = await insertCustomer(values, likeness, asking, { holder, held })
  await insertContacts(id, inline.contacts, asking)
  // Whoever gives it away may not see it any more.
  if (holder.userId !== asking.caller.userId) return { data: { id, version: 1 }, recordId: id, detail: given }
  const found = await findCustomer(id, asking)
  return {
    data: {
      id,
      version: found.version,
      record: customerRecord(found, asking),
      ...(hasSamePhone
        ? { warnings: [{ type: 'DUPLICATE_PHONE', message: text('customer.duplicate-phone') }] }
        : {}),
    },
    recordId: id,
    detail: given,
  }
}

/** What a new customer is compared by. */
export function likenessOf(values: InputValues, contacts: readonly InputValues[]): Likeness {
  const own = values as Record<string, string | null | undefined>
  const theirs = contacts as readonly Record<string, string | null | undefined>[]
  return {
    name: own.name ?? null,
    phones: [own.mobile, own.telephone, ...theirs.flatMap((it) => [it.mobile, it.mobile2, it.telephone])],
    creditCode: own.credit_code ?? null,
    website: own.website ?? null,
  }
}

/**
 * Stores a checked customer. The unique indexes decide: of two that arrive at once, the second finds the first
 * (DOMAIN 1.1.3).
 *
 * @param held  columns that say who has it and until when
 */
export async function insertCustomer(
  values: InputValues,
  likeness: Likeness,
  asking: Asking,
  { holder, held }: { readonly holder: NewHolder; readonly held: Columns },
): Promise<string> {
  const { trx, caller, now, zone } = asking
  const id = newId(now.getTime())
  const customer_no = await nextNumber(trx, caller.tenantId, 'customer', { now, zone })
  const source = { ...emptyOf(writtenFields('customer', asking)), ...values, customer_no }
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  const columns = {
    ...recordColumns('customer', given, asking),
    ...(await deriveColumns(source as unknown as CustomerSource, trx, caller.tenantId)),
    id,
    customer_no,
    ...held,
  }
  const isStored = await insertHeld('customer', { columns, holder }, asking)
  if (!isStored) {
    const winners = await findDuplicates(likeness, asking)
    refuse(409, 'DUPLICATE', text('customer.duplicate'), { data: winners as unknown as Json })
  }
  return id
}
