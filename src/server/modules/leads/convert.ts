import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { InputValues } from '../../kernel/fields/input.ts'
import { notifyPeople } from '../../kernel/live/notify.ts'
import { checkHoldingCap, lockPeople } from '../../kernel/pools/person-cap.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { announce } from '../../kernel/records/announce.ts'
import { checkedNew } from '../../kernel/records/change-record.ts'
import { writtenFields } from '../../kernel/records/described.ts'
import { findDuplicates } from '../../kernel/records/find-duplicates.ts'
import { type FoundRecord, findRecord, findToChange, noPermission } from '../../kernel/records/find-record.ts'
import { holderColumns, type NewHolder } from '../../kernel/records/new-holder.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { createBussinessOf } from '../bussiness/create-bussiness.ts'
import { insertContact } from '../contacts/create-contact.ts'
import { CUSTOMER_CHANGE } from '../customers/change-customer.ts'
import { insertCustomer, likenessOf, type Texts } from '../customers/create-customer.ts'
import { refreshExpiry as refreshCustomer } from '../customers/holding.ts'
import { carriedInto, chosenOver, remarkWith } from './carry.ts'
import { contactsLike, type LeadBecomes, phonesOf } from './match.ts'

/**
 * 转化 (DOMAIN 1.4): turns a lead into a customer with a contact, and an opportunity if wanted; all or nothing.
 * @param body  see `LeadConversion` of the contract
 * @throws Refusal 409 STATE_CONFLICT if it is converted already, 405 without the right to create customers, 422 HOLDING_CAP, 409 DUPLICATE, 404 for a
 * customer or contact the caller does not see
 */
export async function convertLead(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const id = String(body.id ?? '')
  const owner = (await findRecord('lead', id, ctx)).owner_id ?? ''
  await lockPeople(trx, caller.tenantId, [owner])
  const lead = await findToChange('lead', id, ctx)
  if (lead.status === 40) refuse(409, 'STATE_CONFLICT', text('lead.converted'), { data: convertedOf(lead) })
  if (lead.status === 50) refuse(409, 'STATE_CONFLICT', text('lead.invalid'))
  if (lead.owner_id !== owner) refuse(409, 'STATE_CONFLICT', text('record.conflict'))
  const customerId = await customerFor(lead, body, ctx)
  const contactId = await contactFor(lead, customerId, body.contact, ctx)
  const bussinessId = await bussinessFor(lead, customerId, contactId, body.bussiness, ctx)
  await sql`update follow set customer_id = ${customerId} where tenant_id = ${caller.tenantId}
    and lead_id = ${id} and customer_id is null`.execute(trx)
  await carryFollowUps(customerId, ctx)
  await carryNextFollowUp(id, customerId, ctx)
  const converted = { customer_id: customerId, contact_id: contactId, bussiness_id: bussinessId }
  await updateRow(
    'lead',
    id,
    { ...converted, status: 40, converted_at: now, converted_by: caller.userId, next_follow_at: null },
    ctx,
  )
  await refreshExpiry('lead', [id], { trx, tenantId: caller.tenantId })
  await refreshCustomer(ctx, customerId)
  if (typeof lead.created_by === 'string')
    await announce(
      {
        event: 'lead.converted',
        to: lead.created_by,
        entity: 'lead',
        ids: [id],
        params: { name: lead.name },
      },
      ctx,
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

/** The customer of the conversion: an existing one, or a new one of the lead's owner. */
async function customerFor(lead: FoundRecord, body: JsonObject, ctx: CallContext): Promise<string> {
  const choice = isObject(body.customer) ? body.customer : {}
  if (choice.mode === 'link') return linkCustomer(lead, String(choice.id ?? ''), ctx)
  if (choice.mode !== 'create')
    refuse(400, 'VALIDATION', text('lead.choose'), { fields: { 'customer.mode': text('lead.choose') } })
  const { caller } = ctx
  if (!caller.permissions.has('customer:add')) noPermission('customer:add')
  const owner = lead.owner_id ?? ''
  await checkHoldingCap('customer', owner, 1, ctx)
  const proposed = await newCustomer(lead, additionalRecords(lead, body), ctx)
  const given = isObject(choice.fields) ? choice.fields : {}
  const chosen = chosenOver('customer', proposed, given, lead, ctx)
  const values = await checkedNew(
    {
      entity: 'customer',
      faults: (values, found) => CUSTOMER_CHANGE.faults(besidesKept(values, lead), found, ctx),
    },
    chosen.fields,
    chosen.ctx,
    NOTHING_MORE,
  )
  const likeness = likenessOf(values as Texts, [])
  const duplicates = await findDuplicates(likeness, ctx)
  if (duplicates.block)
    refuse(409, 'DUPLICATE', text('customer.duplicate'), { data: duplicates as unknown as Json })
  const deptId = typeof lead.owner_dept_id === 'string' ? lead.owner_dept_id : null
  const holder: NewHolder = { userId: owner, deptId, poolId: null, way: 'converted' }
  return insertCustomer(values, likeness, ctx, { holder, held: holderColumns(holder, ctx) })
}

/** The values to check: the customer keeps the activity of the lead, which may be deleted by now. */
function besidesKept(values: InputValues, lead: FoundRecord): InputValues {
  const { activity_id: activity, ...others } = values
  return activity === lead.activity_id ? others : values
}

/** Links the lead with an existing customer. If somebody else owns it, the lead's owner becomes a write collaborator. */
async function linkCustomer(lead: FoundRecord, customerId: string, ctx: CallContext): Promise<string> {
  const { trx, caller, now } = ctx
  const found = await findRecord('customer', customerId, ctx, true)
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
      ctx,
    )
  }
  return customerId
}

/** Creates the customer. Values that neither it nor the records created with it take over are appended to its remark as text (DOMAIN 1.4, step 5). */
async function newCustomer(
  lead: FoundRecord,
  beside: readonly LeadBecomes[],
  ctx: CallContext,
): Promise<JsonObject> {
  const { values, leftover } = await carriedInto('customer', lead, ctx)
  let nowhere = leftover
  for (const module of beside) {
    const { ext } = (await carriedInto(module, lead, ctx)).values
    nowhere = nowhere.filter((name) => !isObject(ext) || !Object.hasOwn(ext, name))
  }
  const remark = await remarkWith(values.remark, [...nowhere, 'demand'], lead, ctx)
  return { ...values, ...(remark === '' ? {} : { remark }) }
}

/** The other records created with a new customer, which has no contacts yet. */
function additionalRecords(lead: FoundRecord, { contact, bussiness }: JsonObject): readonly LeadBecomes[] {
  const mode = isObject(contact) ? contact.mode : undefined
  const isContact = mode === 'create' || (mode === undefined && typeof lead.contact_name === 'string')
  return [
    ...(isContact ? (['contact'] as const) : []),
    ...(isObject(bussiness) ? (['bussiness'] as const) : []),
  ]
}

/** The contact: the chosen one, the one with the same number, or a new one. */
async function contactFor(
  lead: FoundRecord,
  customerId: string,
  given: Json | undefined,
  ctx: CallContext,
): Promise<string | null> {
  const choice = isObject(given) ? given : {}
  if (choice.mode === 'none') return null
  const similar = await contactsLike(customerId, phonesOf(lead), ctx)
  if (choice.mode === 'link') {
    const linked = similar.find((it) => it.id === choice.id)
    return linked?.id ?? refuse(404, 'NOT_FOUND', text('call.not-found'), { detail: 'contact.id' })
  }
  const same = similar.find((it) => it.same)
  if (same !== undefined) return same.id
  if (lead.contact_name == null && choice.mode !== 'create') return null
  const { values: carried } = await carriedInto('contact', lead, ctx)
  const posted = isObject(choice.fields) ? choice.fields : {}
  const chosen = chosenOver('contact', carried, posted, lead, ctx)
  const kind = { entity: 'contact', faults: reachable } as const
  const contactFields = writtenFields('contact', ctx, 'change')
  const values = await checkedNew(kind, chosen.fields, chosen.ctx, NOTHING_MORE, contactFields)
  return insertContact({ ...values, customer_id: customerId }, ctx)
}

/** These records are judged by no form page. */
const NOTHING_MORE = async () => ({})

async function reachable(values: InputValues): Promise<Readonly<Record<string, string>>> {
  const contactValues = [values.mobile, values.telephone, values.wechat, values.email]
  return contactValues.some((value) => (value ?? null) !== null)
    ? {}
    : { 'contact.mobile': text('contact.reachable') }
}

async function bussinessFor(
  lead: FoundRecord,
  customerId: string,
  contactId: string | null,
  given: Json | undefined,
  ctx: CallContext,
): Promise<string | null> {
  if (!isObject(given)) return null
  if (!ctx.caller.permissions.has('bussiness:add')) noPermission('bussiness:add')
  const { values: carried } = await carriedInto('bussiness', lead, ctx)
  const own = { ...carried, ...(contactId === null ? {} : { contact_ids: [contactId] }) }
  const chosen = chosenOver('bussiness', own, given, lead, ctx)
  const deptId = typeof lead.owner_dept_id === 'string' ? lead.owner_dept_id : null
  return createBussinessOf(
    { ...chosen.fields, customer_id: customerId },
    { userId: lead.owner_id ?? '', deptId, poolId: null, way: 'converted' },
    chosen.ctx,
  )
}

/** The last follow-up of the customer may now be one of the lead. */
async function carryFollowUps(customerId: string, { trx, caller }: CallContext): Promise<void> {
  await sql`update customer c set last_follow_at = f.followed_at, last_follow_by = f.author_id,
      last_follow_content = left(f.content, 120), follow_status = 'followed'
    from (select followed_at, author_id, content from follow where tenant_id = ${caller.tenantId}
      and customer_id = ${customerId} and deleted_at is null order by followed_at desc, id desc limit 1) f
    where c.tenant_id = ${caller.tenantId} and c.id = ${customerId}`.execute(trx)
}

/** The customer has the planned follow-up of the lead, of two future ones the earlier, and the open to-dos of the lead become its own. */
async function carryNextFollowUp(
  leadId: string,
  customerId: string,
  { trx, caller, now }: CallContext,
): Promise<void> {
  const tenant = caller.tenantId
  const isLater = (row: string) => sql`${sql.ref(`${row}.next_follow_at`)} > ${now}`
  await sql`update customer c set next_follow_at = l.next_follow_at from lead l
    where l.tenant_id = ${tenant} and l.id = ${leadId} and c.tenant_id = ${tenant} and c.id = ${customerId}
      and l.next_follow_at is not null and (c.next_follow_at is null
        or ${isLater('l')} and (not ${isLater('c')} or l.next_follow_at < c.next_follow_at))`.execute(trx)
  const open = sql`t.tenant_id = ${tenant} and t.target_type = 'lead' and t.target_id = ${leadId} and t.status = 0
    and t.type not in ('first_follow', 'recycle') and t.deleted_at is null`
  const key = sql`replace(t.source_key, ${`/lead/${leadId}/`}::text, ${`/customer/${customerId}/`}::text)`
  await sql`update todo t set status = 2, remind_next = null, updated_at = ${now}, version = version + 1
    where ${open} and t.origin = 'job' and exists (select 1 from todo o where o.tenant_id = t.tenant_id
      and o.source_key = ${key})`.execute(trx)
  const moved = await sql<{
    assignee_id: string
  }>`update todo t set target_type = 'customer', target_id = c.id,
      target_name = left(c.name, 200), source_key = ${key}, updated_at = ${now}, version = t.version + 1
    from customer c where c.tenant_id = ${tenant} and c.id = ${customerId} and ${open}
    returning t.assignee_id`.execute(trx)
  await notifyPeople(
    trx,
    tenant,
    moved.rows.map((row) => row.assignee_id),
    { kind: 'todo' },
  )
}
