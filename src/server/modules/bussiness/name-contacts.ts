import { sql } from 'kysely'
import { type Json, type JsonObject, sameJson } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { fieldRight } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { json } from '../../kernel/db/json.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { checkDescribed, labelOfField } from '../../kernel/records/described.ts'
import { type FoundRecord, noPermission } from '../../kernel/records/find-record.ts'
import { pick } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { text } from '../../kernel/text/text.ts'
import { type ContactRole, rolesOf } from './contact-roles.ts'
import { findOpen, stageAnswer } from './stage.ts'

/** Maximum number of contacts that an opportunity may name. */
const MAX_CONTACTS = 100

/**
 * POST /mini/bussiness/contact/save: adds a contact of the customer to the opportunity, or changes their role. No version is checked, so that two
 * people can add contacts at the same time.
 * @param body  `id`, `contactId`, `role`, `attitude`, `remark`; absent values stay unchanged
 */
export async function saveContactRole(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { contactId, role, attitude, remark } = body
  const found = await findToName(body, ctx)
  const contact_id = String(contactId ?? '')
  const ids = found.contact_ids as readonly string[]
  if (!ids.includes(contact_id)) await refuseForeign(contact_id, ids, found, ctx)
  const given = Object.fromEntries(
    Object.entries({ role, attitude, remark }).filter(([, value]) => value !== undefined),
  ) as JsonObject
  const roles = rolesOf(found)
  const before = roles.find((one) => one.contact_id === contact_id)
  const { values, faults } = await checkDescribed(given, sayable(ctx), ctx, { ...before })
  refuseFaults(faults)
  const merged = { role: null, attitude: null, remark: null, ...before, ...values, contact_id } as ContactRole
  const next = before === undefined ? [...roles, merged] : roles.map((one) => (one === before ? merged : one))
  return write(found, ids.includes(contact_id) ? ids : [...ids, contact_id], next, ctx)
}

/** POST /mini/bussiness/contact/remove: removes a contact from the opportunity. Succeeds also if the contact is not named there any more. */
export async function removeContactRole(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const found = await findToName(body, ctx)
  const ids = (found.contact_ids as readonly string[]).filter((id) => id !== body.contactId)
  return write(found, ids, rolesOf(found, ids), ctx)
}

/** The open opportunity, if the caller may write its contacts and their roles. */
async function findToName({ id }: JsonObject, ctx: CallContext): Promise<FoundRecord> {
  for (const field of ['contact_ids', 'contact_roles'])
    if (fieldRight(ctx.caller, 'bussiness', field) !== 'write') noPermission('bussiness:edit')
  return findOpen(String(id ?? ''), ctx)
}

async function write(
  found: FoundRecord,
  contact_ids: readonly string[],
  contact_roles: readonly ContactRole[],
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const columns = { contact_ids: [...contact_ids], contact_roles: json(contact_roles as unknown as Json) }
  await updateRow('bussiness', found.id, columns, ctx)
  const was = { contact_ids: found.contact_ids, contact_roles: rolesOf(found) } as unknown as JsonObject
  const is = { contact_ids, contact_roles } as unknown as JsonObject
  const changed = Object.keys(is).filter((name) => !sameJson(was[name] ?? null, is[name] ?? null))
  return {
    ...(await stageAnswer(found.id, ctx)),
    detail: { before: pick(was, changed), after: pick(is, changed) },
  }
}

/** The fields of a contact's role, from the description of opportunities. */
function sayable({ model }: CallContext): readonly Field[] {
  const roles = model.modules.get('bussiness')?.fields.find(({ name }) => name === 'contact_roles')
  return (roles?.fields ?? []).filter(({ name }) => name !== 'contact_id')
}

/** Refuses people who are not contacts of the customer, and more than the maximum number. */
async function refuseForeign(
  contactId: string,
  ids: readonly string[],
  { customer_id }: FoundRecord,
  ctx: CallContext,
): Promise<void> {
  const { trx, caller } = ctx
  if (ids.length >= MAX_CONTACTS)
    refuseFaults({
      contactId: text('record.most', {
        label: labelOfField('bussiness', 'contact_ids', ctx),
        most: MAX_CONTACTS,
      }),
    })
  const { rows } = await sql`select 1 from contact where tenant_id = ${caller.tenantId} and id = ${contactId}
    and customer_id = ${customer_id} and deleted_at is null`.execute(trx)
  if (rows.length === 0) refuseFaults({ contactId: text('follow.contact') })
}
