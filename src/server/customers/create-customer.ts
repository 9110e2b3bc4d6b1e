import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { newId } from '../db/id.ts'
import { json } from '../db/json.ts'
import { findDuplicates, type Likeness } from '../duplicates/find-duplicates.ts'
import { refuse } from '../envelope.ts'
import type { FormCheck } from '../forms/validate-with-page.ts'
import type { Asking } from '../records/asking.ts'
import { dictFaults } from '../records/dict-check.ts'
import { checkInput, type InputValues, refuseFaults } from '../records/input.ts'
import { nextNumber } from '../records/number.ts'
import type { Written } from '../security/write-once.ts'
import { text } from '../text.ts'
import { checkContacts, insertContacts } from './contacts.ts'
import { isCreditCode } from './credit-code.ts'
import { deriveColumns } from './derive.ts'
import { CUSTOMER_FIELDS } from './fields.ts'
import { findCustomer } from './find-customer.ts'
import { checkHoldingCap, refreshExpiry } from './holding.ts'
import { parentFault } from './parent.ts'
import { customerRecord } from './record.ts'

/**
 * Makes a customer that belongs to the caller, its contacts with it (CRM 1.1.6).
 *
 * @param body  fields of CRM 1.1, `contacts[]`, and `confirm: ["DUPLICATE_PHONE"]` to keep a number that others have too
 * @throws Refusal 400 with field messages, 409 DUPLICATE with what was found, 422 HOLDING_CAP
 */
export async function createCustomer(
  body: JsonObject,
  asking: Asking,
  form: FormCheck,
): Promise<Written<Json>> {
  const { contacts: givenContacts, confirm, ...given } = body
  const checked = checkInput(given, CUSTOMER_FIELDS, asking.zone, true)
  const inline = await checkContacts(givenContacts, asking)
  refuseFaults({
    ...(await form(body)),
    ...(await dictFaults(asking.trx, asking.caller.tenantId, checked.values, CUSTOMER_FIELDS)),
    ...checked.faults,
    ...(await customerFaults(checked.values, null, asking)),
    ...inline.faults,
  })
  await checkHoldingCap(asking, asking.caller.userId)
  const likeness = likenessOf(checked.values, inline.contacts)
  const duplicates = await findDuplicates(likeness, asking)
  const hasSamePhone = duplicates.items.some((item) => item.match.includes('phone'))
  if (duplicates.block)
    refuse(409, 'DUPLICATE', text('customer.duplicate'), { data: duplicates as unknown as Json })
  if (hasSamePhone && !isConfirmed(confirm, 'DUPLICATE_PHONE'))
    refuse(409, 'DUPLICATE', text('customer.duplicate-phone'), {
      data: { ...duplicates, confirm: 'DUPLICATE_PHONE' } as unknown as Json,
    })
  const id = await insertCustomer(checked.values, likeness, asking)
  await insertContacts(id, inline.contacts, asking)
  await recordCreation(id, asking)
  await refreshExpiry(asking, id)
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

/** Rules that need more than one field or the database. @param id null while the customer is new */
export async function customerFaults(
  values: InputValues,
  id: string | null,
  asking: Asking,
): Promise<Readonly<Record<string, string>>> {
  const { credit_code, next_follow_at, parent_id } = values
  const parent = typeof parent_id === 'string' ? await parentFault(parent_id, id, asking) : null
  const isWrongCode = typeof credit_code === 'string' && !isCreditCode(credit_code.toUpperCase())
  const isPast = next_follow_at instanceof Date && next_follow_at < asking.now
  return {
    ...(isWrongCode
      ? { credit_code: text('record.format', { label: text('customer.field.credit_code') }) }
      : {}),
    ...(isPast
      ? { next_follow_at: text('record.future', { label: text('customer.field.next_follow_at') }) }
      : {}),
    ...(parent === null ? {} : { parent_id: parent }),
  }
}

function likenessOf(values: InputValues, contacts: readonly InputValues[]): Likeness {
  const own = values as Record<string, string | null | undefined>
  const theirs = contacts as readonly Record<string, string | null | undefined>[]
  return {
    name: own.name ?? null,
    phones: [own.mobile, own.telephone, ...theirs.flatMap((it) => [it.mobile, it.mobile2, it.telephone])],
    creditCode: own.credit_code ?? null,
    website: own.website ?? null,
  }
}

function isConfirmed(confirm: Json | undefined, type: string): boolean {
  return Array.isArray(confirm) && confirm.includes(type)
}

/** The unique indexes decide: of two that arrive at once, the second finds the first (CRM 1.1.3). */
async function insertCustomer(values: InputValues, likeness: Likeness, asking: Asking): Promise<string> {
  const { trx, caller, now, zone } = asking
  const id = newId(now.getTime())
  const customer_no = await nextNumber(trx, caller.tenantId, 'customer', { now, zone })
  const source = { ...EMPTY, ...(values as Record<string, string | null>), customer_no }
  const { attachments, level, ...plain } = values
  const stored = await trx
    .insertInto('customer')
    .values({
      ...(plain as { name: string }),
      ...(level == null ? {} : { level: level as string }),
      ...(attachments == null ? {} : { attachments: json(attachments as unknown as Json) }),
      ...(await deriveColumns(source, trx, caller.tenantId)),
      tenant_id: caller.tenantId,
      id,
      customer_no,
      owner_id: caller.userId,
      owner_dept_id: caller.deptId,
      owner_since: now,
      created_by: caller.userId,
      created_at: now,
      updated_by: caller.userId,
      updated_at: now,
    })
    .onConflict((it) => it.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (stored === undefined) {
    const winners = await findDuplicates(likeness, asking)
    refuse(409, 'DUPLICATE', text('customer.duplicate'), { data: winners as unknown as Json })
  }
  return id
}

const EMPTY = {
  name: '',
  short_name: null,
  mobile: null,
  telephone: null,
  website: null,
  credit_code: null,
  industry: null,
}

async function recordCreation(id: string, { trx, caller, now }: Asking): Promise<void> {
  await trx
    .insertInto('owner_record')
    .values({
      tenant_id: caller.tenantId,
      id: newId(now.getTime()),
      entity: 'customer',
      record_id: id,
      to_user: caller.userId,
      kind: 'create',
      operator_id: caller.userId,
      at: now,
    })
    .execute()
}
