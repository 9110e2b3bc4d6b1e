import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { INVALID } from '../../../model/kind.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import { readField } from '../../../model/read-record.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { extFieldsOf, extTogether, liveExtFields } from '../../kernel/fields/ext-fields.ts'
import { storedFaults } from '../../kernel/fields/field-faults.ts'
import type { InputValues } from '../../kernel/fields/input.ts'
import { wordsFor } from '../../kernel/fields/value-words.ts'
import { checkHoldingCap, lockPeople } from '../../kernel/pools/person-cap.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { announce } from '../../kernel/records/announce.ts'
import { checkedNew } from '../../kernel/records/change-record.ts'
import { checkDescribed, fieldsBut, labelOfField, writtenFields } from '../../kernel/records/described.ts'
import { findDuplicates } from '../../kernel/records/find-duplicates.ts'
import { type FoundRecord, findRecord, findToChange, noPermission } from '../../kernel/records/find-record.ts'
import { pick, wireValues } from '../../kernel/records/wire.ts'
import type { Written } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { createBussinessOf } from '../bussiness/create-bussiness.ts'
import { insertContact } from '../contacts/create-contact.ts'
import { CUSTOMER_CHANGE } from '../customers/change-customer.ts'
import { insertCustomer, likenessOf } from '../customers/create-customer.ts'
import { refreshExpiry as refreshCustomer } from '../customers/holding.ts'
import { contactsLike, phonesOf, proposalOf } from './match.ts'

/**
 * 转化 (DOMAIN 1.4): a lead becomes a customer with a contact, on wish with an opportunity; all of it or nothing.
 * @param body  see `LeadConversion` of the contract
 * @throws Refusal 409 STATE_CONFLICT when it is converted already, 405 without the right to make customers,
 *   422 HOLDING_CAP, 409 DUPLICATE, 404 for a customer or contact the caller does not see
 */
export async function convertLead(body: JsonObject, asking: Asking): Promise<Written<Json>> {
  const { trx, caller, now } = asking
  const id = String(body.id ?? '')
  const owner = (await findRecord('lead', id, asking)).owner_id ?? ''
  await lockPeople(trx, caller.tenantId, [owner])
  const lead = await findToChange('lead', id, asking)
  if (lead.status === 40) refuse(409, 'STATE_CONFLICT', text('lead.converted'), { data: convertedOf(lead) })
  if (lead.status === 50) refuse(409, 'STATE_CONFLICT', text('lead.invalid'))
  if (lead.owner_id !== owner) refuse(409, 'STATE_CONFLICT', text('record.conflict'))
  const customerId = await customerFor(lead, body.customer, asking)
  const contactId = await contactFor(lead, customerId, body.contact, asking)
  const bussinessId = await bussinessFor(lead, customerId, contactId, body.bussiness, asking)
  await sql`update follow set customer_id = ${customerId} where tenant_id = ${caller.tenantId}
    and lead_id = ${id} and customer_id is null`.execute(trx)
  await carryFollowUps(customerId, asking)
  const converted = { customer_id: customerId, contact_id: contactId, bussiness_id: bussinessId }
  await updateRow(
    'lead',
    id,
    { ...converted, status: 40, converted_at: now, converted_by: caller.userId, next_follow_at: null },
    asking,
  )
  await refreshExpiry('lead', [id], { trx, tenantId: caller.tenantId })
  await refreshCustomer(asking, customerId)
  if (typeof lead.created_by === 'string')
    await announce(
      {
        event: 'lead.converted',
        to: lead.created_by,
        entity: 'lead',
        ids: [id],
        params: { name: lead.name },
      },
      asking,
    )
  return {
    data: { customerId, contactId, bussinessId },
    recordId: id,
    detail: { customerId, contactId, bussinessId },
  }
}

function convertedOf(lead: FoundRecord): JsonObject {
  const idOf = (name: string) => (typeof lead[name] === 'string' ? String(lead[name]) : null)
  return {
    customerId: idOf('customer_id'),
    contactId: idOf('contact_id'),
    bussinessId: idOf('bussiness_id'),
  }
}

/** The customer to go into: one that is there, or a new one that belongs to the lead's owner. */
async function customerFor(lead: FoundRecord, given: Json | undefined, asking: Asking): Promise<string> {
  const choice = isObject(given) ? given : {}
  if (choice.mode === 'link') return linkCustomer(lead, String(choice.id ?? ''), asking)
  if (choice.mode !== 'create')
    refuse(400, 'VALIDATION', text('lead.choose'), { fields: { 'customer.mode': text('lead.choose') } })
  const { caller } = asking
  if (!caller.permissions.has('customer:add')) noPermission('customer:add')
  const owner = lead.owner_id ?? ''
  await checkHoldingCap('customer', owner, 1, asking)
  const proposed = await offeredOnly(wireValues(proposalOf(lead, asking).customer, asking.zone), lead, asking)
  const fields = isObject(choice.fields) ? choice.fields : {}
  const values = await checkedNew(
    CUSTOMER_CHANGE,
    { ...proposed, ...fields, ...extTogether(proposed.ext, fields) },
    asking,
    {},
  )
  const likeness = likenessOf(values, [])
  const duplicates = await findDuplicates(likeness, asking)
  if (duplicates.block)
    refuse(409, 'DUPLICATE', text('customer.duplicate'), { data: duplicates as unknown as Json })
  const deptId = typeof lead.owner_dept_id === 'string' ? lead.owner_dept_id : null
  return insertCustomer(values, likeness, asking, { userId: owner, deptId, poolId: null, way: 'converted' })
}

/** A customer that is there takes the lead in; when it is somebody else's, the lead's owner may work on it too. */
async function linkCustomer(lead: FoundRecord, customerId: string, asking: Asking): Promise<string> {
  const { trx, caller, now } = asking
  const found = await findRecord('customer', customerId, asking, true)
  if (found.owner_id === null) refuse(409, 'STATE_CONFLICT', text('customer.masked'))
  if (found.owner_id !== lead.owner_id) {
    await sql`insert into collaborator (tenant_id, entity, record_id, user_id, level, created_by, created_at)
      values (${caller.tenantId}, 'customer', ${customerId}, ${lead.owner_id}, 'write', ${caller.userId}, ${now})
      on conflict (tenant_id, entity, record_id, user_id)
        do update set level = 'write', expire_at = null`.execute(trx)
    await announce(
      {
        event: 'collaborator.added',
        to: found.owner_id,
        entity: 'customer',
        ids: [customerId],
        params: { name: found.name, by: caller.name, lead: lead.name },
      },
      asking,
    )
  }
  return customerId
}

/** What a new customer cannot take over by field goes into its remark as "字段：值" (DOMAIN 1.4, step 5). */
async function offeredOnly(proposed: JsonObject, lead: FoundRecord, asking: Asking): Promise<JsonObject> {
  const { ext, ...plain } = proposed
  const { name: _, ...carried } = plain
  const fields = fieldsBut(writtenFields('customer', asking), ['name'])
  const checked = await checkDescribed(carried, fields, asking)
  const faults = pick(checked.faults, Object.keys(carried))
  const own = await carriedOver(isObject(ext) ? ext : {}, asking)
  const left = [
    ...Object.keys(faults).map((name) => [labelOfField('lead', name, asking), plain[name]] as const),
    ...own.left,
    ...(typeof lead.demand === 'string'
      ? [[labelOfField('lead', 'demand', asking), lead.demand] as const]
      : []),
  ].map(([label, value]) => text('lead.carried', { label, value: String(value) }))
  const remark = [plain.remark, ...left].filter(Boolean).join('\n').slice(0, 1000)
  return {
    ...Object.fromEntries(Object.entries(plain).filter(([name]) => !Object.hasOwn(faults, name))),
    ...(remark === '' ? {} : { remark }),
    ...(Object.keys(own.ext).length > 0 ? { ext: own.ext } : {}),
  }
}

/** Own values of a lead that a customer takes under the same name, and the others in words. */
async function carriedOver(
  ext: JsonObject,
  asking: Asking,
): Promise<{ readonly ext: JsonObject; readonly left: readonly (readonly [string, string])[] }> {
  const takes = new Map(liveExtFields('customer', asking).map((field) => [field.name, field]))
  const isTaken = ([name, value]: readonly [string, Json | undefined]): boolean => {
    const field = takes.get(name)
    return field !== undefined && readField(value ?? null, field) !== INVALID
  }
  const entries = Object.entries(ext)
  const taken = Object.fromEntries(entries.filter(isTaken))
  const place = { table: 'customer', module: 'customer', id: null }
  const faults = await storedFaults([...takes.values()], taken as Record<string, Json>, place, asking)
  const stays = Object.entries(taken).filter(([name]) => !Object.hasOwn(faults, name))
  const left = entries.filter(([name]) => !stays.some(([other]) => other === name))
  const fields = new Map(extFieldsOf('lead', asking).map((field) => [field.name, field]))
  const words = await wordsFor([...fields.values()], [ext], asking)
  return {
    ext: Object.fromEntries(stays),
    left: left.map(([name, value]) => {
      const field = fields.get(name)
      return field === undefined
        ? [name, String(value)]
        : [labelText(field.label), kindOf(field.kind).write(value ?? null, field, words)]
    }),
  }
}

/** The contact: the one chosen, the one with the same number, or a new one. */
async function contactFor(
  lead: FoundRecord,
  customerId: string,
  given: Json | undefined,
  asking: Asking,
): Promise<string | null> {
  const choice = isObject(given) ? given : {}
  if (choice.mode === 'none') return null
  const there = await contactsLike(customerId, phonesOf(lead), asking)
  if (choice.mode === 'link') {
    const linked = there.find((it) => it.id === choice.id)
    return linked?.id ?? refuse(404, 'NOT_FOUND', text('call.not-found'), { detail: 'contact.id' })
  }
  const same = there.find((it) => it.same)
  if (same !== undefined) return same.id
  const { contact } = proposalOf(lead, asking)
  const fields = { ...contact, ...(isObject(choice.fields) ? choice.fields : {}) }
  if (contact === null && choice.mode !== 'create') return null
  const kind = { entity: 'contact', faults: reachable } as const
  const asked = writtenFields('contact', asking, 'change')
  const values = await checkedNew(kind, fields as JsonObject, asking, {}, asked)
  return insertContact({ ...values, customer_id: customerId }, asking)
}

async function reachable(values: InputValues): Promise<Readonly<Record<string, string>>> {
  const ways = [values.mobile, values.telephone, values.wechat, values.email]
  return ways.some((way) => (way ?? null) !== null) ? {} : { 'contact.mobile': text('contact.reachable') }
}

async function bussinessFor(
  lead: FoundRecord,
  customerId: string,
  contactId: string | null,
  given: Json | undefined,
  asking: Asking,
): Promise<string | null> {
  if (!isObject(given)) return null
  if (!asking.caller.permissions.has('bussiness:add')) noPermission('bussiness:add')
  const filled = Object.entries(wireValues(proposalOf(lead, asking).bussiness, asking.zone)).filter(
    ([, value]) => value !== null,
  )
  const fields = {
    ...Object.fromEntries(filled),
    ...(contactId === null ? {} : { contact_ids: [contactId] }),
    ...given,
    customer_id: customerId,
  }
  const deptId = typeof lead.owner_dept_id === 'string' ? lead.owner_dept_id : null
  return createBussinessOf(
    fields,
    { userId: lead.owner_id ?? '', deptId, poolId: null, way: 'converted' },
    asking,
  )
}

/** The customer's last follow-up is now perhaps one of the lead. */
async function carryFollowUps(customerId: string, { trx, caller }: Asking): Promise<void> {
  await sql`update customer c set last_follow_at = f.followed_at, last_follow_by = f.author_id,
      last_follow_content = left(f.content, 120), follow_status = 'followed'
    from (select followed_at, author_id, content from follow where tenant_id = ${caller.tenantId}
      and customer_id = ${customerId} and deleted_at is null order by followed_at desc, id desc limit 1) f
    where c.tenant_id = ${caller.tenantId} and c.id = ${customerId}`.execute(trx)
}
