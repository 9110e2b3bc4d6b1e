import { sql } from 'kysely'
import { isObject } from '../../../../runtime/core/json.ts'
import type { LeadMatch } from '../../../contract/lead.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { findDuplicates } from '../../kernel/records/find-duplicates.ts'
import { type FoundRecord, findRecord } from '../../kernel/records/find-record.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { normalisePhones } from '../../kernel/words/normalise-phone.ts'

/** Fields that are the same in a lead and in a customer (DOMAIN 1.4 conversion, step 5). */
const SAME_IN_CUSTOMER = [
  'mobile',
  'telephone',
  'wechat',
  'email',
  'industry',
  'scale',
  'region',
  'address',
  'activity_id',
] as const

/** POST /mini/lead/match: customers by name and number, and what new records would begin with (DOMAIN 1.4). */
export async function matchLead(id: string, asking: Asking): Promise<LeadMatch> {
  const found = await findRecord('lead', id, asking)
  const phones = phonesOf(found)
  const duplicates = await findDuplicates(
    { entity: 'lead', name: nameOf(found), phones, excludeId: id },
    asking,
  )
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
      actions: item.module === 'customer_pool' ? ['claim'] : item.id === null ? ['request'] : ['link'],
      contacts: item.id === null ? [] : await contactsLike(item.id, phones, asking),
    })
  }
  return { customers: list, proposal: proposalOf(found, asking) }
}

/** Contacts of a customer the lead may be about; `same` has one of its numbers. */
export async function contactsLike(
  customerId: string,
  phones: readonly (string | null)[],
  { trx, caller }: Asking,
): Promise<readonly { id: string; name: string; same: boolean }[]> {
  const { rows } = await sql<{ id: string; name: string; same: boolean }>`
    select id, name, mobile_norm && ${normalisePhones(phones)}::text[] as same from contact
    where tenant_id = ${caller.tenantId} and customer_id = ${customerId} and deleted_at is null
    order by same desc, is_primary desc, py, id limit 20`.execute(trx)
  return rows
}

/** The company a lead is about. */
export function nameOf(lead: FoundRecord): string {
  return String(lead.company ?? lead.name)
}

/** The lead's numbers. */
export function phonesOf(lead: FoundRecord): readonly (string | null)[] {
  return [lead.mobile, lead.telephone].map((it) => (typeof it === 'string' ? it : null))
}

/** What new records would begin with: fields of the same meaning, the rest in the remark so that nothing is lost. */
export function proposalOf(lead: FoundRecord, { now, zone }: Asking): LeadMatch['proposal'] {
  const filled = (names: readonly string[]) =>
    Object.fromEntries(
      names.filter((name) => !isBlank(lead[name])).map((name) => [name, lead[name]] as const),
    )
  const hasContact = typeof lead.contact_name === 'string'
  const ext = isObject(lead.ext) && Object.keys(lead.ext).length > 0 ? { ext: lead.ext } : {}
  const month = dayText(wallTimeOf(now, zone)).slice(0, 7).replace('-', '')
  return {
    customer: { name: nameOf(lead), ...filled(SAME_IN_CUSTOMER), ...filled(['source', 'remark']), ...ext },
    contact: hasContact
      ? { name: lead.contact_name, ...filled(['mobile', 'telephone', 'wechat', 'email', 'position']) }
      : null,
    bussiness: {
      name: `${nameOf(lead).slice(0, 80)}-${month}`,
      amount: lead.budget ?? null,
      expected_date: lead.expected_date ?? null,
      remark: lead.demand ?? null,
    },
  }
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}
