import { type RawBuilder, sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { findRecord } from '../../kernel/records/find-record.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { maskOf } from '../../kernel/visibility/masking.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { shownContact } from '../customers/contacts.ts'

/** The role of a contact in an opportunity (DOMAIN 1.5). */
export interface ContactRole {
  readonly contact_id: string
  readonly role: string | null
  readonly attitude: string | null
  readonly remark: string | null
}

/** The roles stored in an opportunity; with `ids`, only the roles of those contacts. */
export function rolesOf(
  { contact_roles }: Readonly<Record<string, unknown>>,
  ids?: readonly string[],
): ContactRole[] {
  const rows = (Array.isArray(contact_roles) ? contact_roles : []) as ContactRole[]
  return ids === undefined ? rows : rows.filter(({ contact_id }) => ids.includes(contact_id))
}

/**
 * GET /mini/bussiness/contact/list: the contacts of an opportunity in the order they were added, with their roles. A contact without a role in this
 * opportunity has the role of the contact record. For an opportunity in a pool the list is empty. Who may not see the customer gets no phone numbers.
 */
export async function contactsOfBussiness(
  id: string,
  ctx: CallContext,
): Promise<{ readonly list: readonly Json[] }> {
  const { trx, caller, zone } = ctx
  const found = await findRecord('bussiness', id, ctx)
  const { hidden } = maskOf(caller, 'bussiness', found)
  if (found.owner_id === null || hidden.has('contact_ids')) return { list: [] }
  const roles = new Map(
    hidden.has('contact_roles') ? [] : rolesOf(found).map((role) => [role.contact_id, role] as const),
  )
  const { rows } = await sql<ContactOfBussiness>`
    select k.id, k.name, k.position, k.department, k.mobile, k.telephone, k.role, k.attitude, k.is_key, k.status,
      c.owner_id, ${isVisible(caller, 'customer', 'c')} as seen
    from unnest(${found.contact_ids}::text[]) with ordinality as named (id, place)
    join contact k on k.tenant_id = ${caller.tenantId} and k.id = named.id and k.deleted_at is null
    join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    order by named.place`.execute(trx)
  return {
    list: rows.map(({ seen, owner_id, ...row }) => {
      const role = roles.get(row.id)
      const shown = shownContact(row, maskOf(caller, 'contact', { owner_id }))
      return wireRow(
        {
          ...shown,
          ...(seen ? {} : { mobile: null, telephone: null }),
          role: role?.role ?? shown.role ?? null,
          attitude: role?.attitude ?? shown.attitude ?? null,
          remark: role?.remark ?? null,
        },
        zone,
      )
    }),
  }
}

interface ContactOfBussiness {
  readonly id: string
  readonly name: string
  readonly mobile: string | null
  readonly telephone: string | null
  readonly role: string | null
  readonly attitude: string | null
  readonly owner_id: string | null
  readonly seen: boolean
}

/** The contacts of an opportunity with their roles as one text, 「陈静（决策人·支持）、李明」. Null in a pool. */
export function rolesInWords(row: string): RawBuilder<string | null> {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  const label = (dict: string, code: RawBuilder<unknown>) => sql`(select d.label from dict_item d
    where d.tenant_id = ${at('tenant_id')} and d.type_key = ${dict} and d.value = ${code})`
  return sql<string | null>`(select string_agg(k.name || coalesce('（' || nullif(concat_ws('·',
        ${label('contact_role', sql`coalesce(said.r ->> 'role', k.role)`)},
        ${label('contact_attitude', sql`coalesce(said.r ->> 'attitude', k.attitude)`)}), '') || '）', ''), '、' order by named.place)
    from unnest(${at('contact_ids')}) with ordinality as named (id, place)
    join contact k on k.tenant_id = ${at('tenant_id')} and k.id = named.id and k.deleted_at is null
    left join lateral (select r from jsonb_array_elements(${at('contact_roles')}) r
      where r ->> 'contact_id' = k.id limit 1) said on true
    where ${at('owner_id')} is not null)`
}
