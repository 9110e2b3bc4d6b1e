import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { LeadMatch } from '../../../contract/lead.ts'
import { INVALID } from '../../../model/kind.ts'
import { isEmpty, readField } from '../../../model/read-record.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { liveExtFields } from '../../kernel/fields/ext-fields.ts'
import { findDuplicates } from '../../kernel/records/find-duplicates.ts'
import { type FoundRecord, findRecord } from '../../kernel/records/find-record.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { maskExt, maskOf, maskRow } from '../../kernel/visibility/masking.ts'
import { normalisePhones } from '../../kernel/words/normalise-phone.ts'

/** The modules of the records that a lead is converted to. */
export type LeadBecomes = 'customer' | 'contact' | 'bussiness'

/** POST /mini/lead/match: customers with the same name or number, and proposed values of new records (DOMAIN 1.4). */
export async function matchLead(id: string, ctx: CallContext): Promise<LeadMatch> {
  const found = await findRecord('lead', id, ctx)
  const phones = phonesOf(found)
  const duplicates = await findDuplicates({ entity: 'lead', name: nameOf(found), phones, excludeId: id }, ctx)
  const customers = duplicates.items.filter((item) => item.module !== 'lead' && item.module !== 'lead_pool')
  const seen = new Set<string>()
  const list: LeadMatch['customers'][number][] = []
  for (const item of customers) {
    const key = item.id ?? `${item.name}/${item.owner}`
    if (seen.has(key)) continue
    seen.add(key)
    list.push({
      id: item.id,
      name: item.name,
      masked: item.masked,
      owner: item.owner,
      dept: item.dept,
      match: item.match,
      level: item.level,
      actions: item.module === 'customer_pool' ? ['claim'] : item.id === null ? ['request'] : ['link'],
      contacts: item.id === null ? [] : await contactsLike(item.id, phones, ctx),
    })
  }
  return { customers: list, proposal: proposalOf(seenOf(found, ctx), ctx) }
}

/** Contacts of a customer that the lead may be; `same`: has one of its numbers. */
export async function contactsLike(
  customerId: string,
  phones: readonly (string | null)[],
  { trx, caller }: CallContext,
): Promise<readonly { id: string; name: string; same: boolean }[]> {
  const { rows } = await sql<{ id: string; name: string; same: boolean }>`
    select id, name, mobile_norm && ${normalisePhones(phones)}::text[] as same from contact
    where tenant_id = ${caller.tenantId} and customer_id = ${customerId} and deleted_at is null
    order by same desc, is_primary desc, py, id limit 20`.execute(trx)
  return rows
}

/** A lead without the values that the caller does not see in full: a value that is shown in part cannot be copied. */
export function seenOf(lead: FoundRecord, ctx: CallContext): FoundRecord {
  const mask = maskOf(ctx.caller, 'lead', lead, ctx.model.modules.get('lead'))
  const shown = maskRow(lead, mask)
  const same = (all: JsonObject, some: JsonObject) =>
    Object.fromEntries(Object.entries(all).filter(([name, value]) => some[name] === value))
  const ext = isObject(lead.ext) ? (lead.ext as JsonObject) : {}
  return {
    ...(same(lead as unknown as JsonObject, shown as unknown as JsonObject) as unknown as FoundRecord),
    ext: same(ext, maskExt(ext, mask)),
  }
}

/** The company of a lead. */
function nameOf(lead: FoundRecord): string {
  return String(lead.company ?? lead.name)
}

/** The phone numbers of a lead. */
export function phonesOf(lead: FoundRecord): readonly (string | null)[] {
  return [lead.mobile, lead.telephone].map((it) => (typeof it === 'string' ? it : null))
}

/**
 * The proposed values of new records, by the mapping in the description of leads; for the opportunity also the fields it cannot take over. Values
 * that no record takes over go into the remark, so that nothing is lost.
 */
export function proposalOf(lead: FoundRecord, ctx: CallContext): LeadMatch['proposal'] {
  const month = dayText(wallTimeOf(ctx.now, ctx.zone)).slice(0, 7).replace('-', '')
  const hasContact = typeof lead.contact_name === 'string'
  return {
    customer: { name: nameOf(lead), ...takenBy('customer', lead, ctx) },
    contact: hasContact ? takenBy('contact', lead, ctx) : null,
    bussiness: {
      name: `${nameOf(lead).slice(0, 80)}-${month}`,
      ...Object.fromEntries(Object.keys(fieldsInto('bussiness', ctx)).map((name) => [name, null])),
      ...takenBy('bussiness', lead, ctx),
    },
  }
}

/** The fields of a module that are filled from a lead, with the lead's fields. */
export const fieldsInto = (
  module: LeadBecomes,
  { model }: Pick<CallContext, 'model'>,
): Readonly<Record<string, string>> => model.modules.get('lead')?.convert?.[module] ?? {}

/** The initial values of a record: mapped fields of the description, and own fields of the same name that can hold the value. */
function takenBy(
  module: LeadBecomes,
  lead: FoundRecord,
  ctx: CallContext,
): Readonly<Record<string, unknown>> {
  const plain = Object.entries(fieldsInto(module, ctx))
    .map(([name, from]) => [name, lead[from]] as const)
    .filter(([, value]) => !isEmpty(value as Json))
  const ext = fitting(module, isObject(lead.ext) ? (lead.ext as JsonObject) : {}, ctx)
  return { ...Object.fromEntries(plain), ...(Object.keys(ext).length > 0 ? { ext } : {}) }
}

/** Own values of the lead that a field of the same name can hold. */
function fitting(module: LeadBecomes, ext: JsonObject, ctx: CallContext): JsonObject {
  const carried = liveExtFields(module, ctx).flatMap((field): [string, Json][] => {
    const value = ext[field.name] ?? null
    return isEmpty(value) || readField(value, field) === INVALID ? [] : [[field.name, value]]
  })
  return Object.fromEntries(carried)
}
