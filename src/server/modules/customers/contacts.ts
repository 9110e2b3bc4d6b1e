import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { fieldRight } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'
import type { InputValues } from '../../kernel/fields/input.ts'
import { checkDescribed, describedColumns, fieldsBut, writtenFields } from '../../kernel/records/described.ts'
import { ownNumbers } from '../../kernel/records/own-numbers.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { type Mask, maskOf, maskRow } from '../../kernel/visibility/masking.ts'
import { maskName } from '../../kernel/words/mask.ts'
import { searchColumns } from '../../kernel/words/search-columns.ts'
import { findCustomer } from './find-customer.ts'

/** Maximum number of contacts that may come with a new customer. */
const MAX_INLINE = 10

/** Checked contacts of a new customer; faults are under `contacts.<index>.<field>`, also for fields that the caller may not write. */
export async function checkContacts(
  given: Json | undefined,
  ctx: CallContext,
): Promise<{ readonly contacts: readonly InputValues[]; readonly faults: Readonly<Record<string, string>> }> {
  if (given === undefined || given === null) return { contacts: [], faults: {} }
  if (!Array.isArray(given) || given.length > MAX_INLINE || !given.every(isObject))
    return { contacts: [], faults: { contacts: text('contact.count', { most: MAX_INLINE }) } }
  const faults: Record<string, string> = {}
  const contacts: InputValues[] = []
  for (const [index, contact] of given.filter((it) => !isBlank(it)).entries()) {
    const checked = await checkDescribed(contact, inlineFields(ctx), ctx)
    const barred = Object.keys(contact).filter(
      (name) => !isEmpty(contact[name]) && fieldRight(ctx.caller, 'contact', name) !== 'write',
    )
    const all = {
      ...checked.faults,
      ...Object.fromEntries(barred.map((name) => [name, text('record.field-right')])),
      ...(isReachable(checked.values)
        ? {}
        : { mobile: checked.faults.mobile ?? text('contact.first-reachable') }),
    }
    for (const [name, message] of Object.entries(all)) faults[`contacts.${index}.${name}`] = message
    contacts.push(checked.values)
  }
  return { contacts, faults }
}

/** The rows of the sub-form as posted, before any check. */
export const postedContacts = (given: Json | undefined): readonly JsonObject[] =>
  Array.isArray(given) ? given.slice(0, MAX_INLINE).filter(isObject) : []

/** The fields of a row of the sub-form: without the superior, since a new customer has no other contacts yet. */
const inlineFields = (ctx: CallContext): readonly Field[] =>
  fieldsBut(writtenFields('contact', ctx, 'change'), ['report_to_id'])

/** True for a row of the sub-form in which nothing was entered. */
function isBlank(contact: JsonObject): boolean {
  return Object.values(contact).every(isEmpty)
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || value === false

function isReachable(values: InputValues): boolean {
  return [values.mobile, values.telephone, values.wechat, values.email].some(
    (value) => (value ?? null) !== null,
  )
}

/** Stores the contacts of a new customer. The marked one, else the first, becomes the primary (DOMAIN 1.1). */
export async function insertContacts(
  customerId: string,
  contacts: readonly InputValues[],
  ctx: CallContext,
): Promise<void> {
  if (contacts.length === 0) return
  const { trx, caller, now } = ctx
  const marked = contacts.findIndex((contact) => contact.is_primary === true)
  const numbers: JsonObject[] = []
  for (const _ of contacts) numbers.push(await ownNumbers(ctx.model.modules.get('contact'), ctx))
  const rows = contacts.map((contact, index) => ({
    ext: json(numbers[index] ?? {}),
    ...describedColumns(contact, inlineFields(ctx)),
    ...searchOf(contact),
    tenant_id: caller.tenantId,
    id: newId(now.getTime()),
    customer_id: customerId,
    is_primary: index === Math.max(0, marked),
    created_by: caller.userId,
    created_at: now,
    updated_by: caller.userId,
    updated_at: now,
  }))
  const stored = await trx
    .insertInto('contact')
    .values(rows)
    .onConflict((it) => it.doNothing())
    .returning(['id', 'is_primary'])
    .execute()
  if (stored.length < rows.length) refuse(409, 'DUPLICATE', text('contact.duplicate'))
  await trx
    .updateTable('customer')
    .set({ primary_contact_id: stored.find((row) => row.is_primary)?.id ?? null })
    .where('tenant_id', '=', caller.tenantId)
    .where('id', '=', customerId)
    .execute()
}

/** The columns of a contact that are computed from its checked fields. */
export function searchOf(contact: InputValues) {
  const { name, mobile, mobile2, telephone } = contact as Record<string, string | null | undefined>
  const { name_norm: _, ...search } = searchColumns({
    kind: 'person',
    name: name ?? '',
    phones: [mobile, mobile2, telephone],
  })
  return { name: name ?? '', ...search }
}

/** A contact as far as the caller sees it; before a claim not even its name (DOMAIN 1.2.1, `contacts`). */
export function shownContact<Row extends object>(row: Row, mask: Mask): Row {
  const shown = maskRow(row, mask)
  const isHidden = mask.masked.has('contacts') && 'name' in shown && typeof shown.name === 'string'
  return isHidden ? { ...shown, name: maskName(String(shown.name)), py_initial: '' } : shown
}

const COLUMNS = [
  'id',
  'customer_id',
  'name',
  'mobile',
  'mobile2',
  'telephone',
  'wechat',
  'email',
  'gender',
  'department',
  'position',
  'role',
  'is_key',
  'is_primary',
  'attitude',
  'status',
  'last_follow_at',
  'next_follow_at',
  'version',
]

/** The contacts of a customer the caller sees, those who left at the end (DOMAIN 1.3). */
export async function contactsOf(customerId: string, ctx: CallContext): Promise<readonly JsonObject[]> {
  const { trx, caller, zone } = ctx
  const customer = await findCustomer(customerId, ctx)
  const { rows } = await sql<object>`select ${sql.join(COLUMNS.map((name) => sql.ref(name)))} from contact
    where tenant_id = ${caller.tenantId} and customer_id = ${customer.id} and deleted_at is null
    order by status, is_primary desc, is_key desc, py, id`.execute(trx)
  const mask = maskOf(caller, 'contact', customer)
  return rows.map((row) => wireRow(shownContact(row, mask), zone))
}
