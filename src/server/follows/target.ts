import { sql } from 'kysely'
import { findCustomer } from '../customers/find-customer.ts'
import { refuse } from '../envelope.ts'
import type { Asking } from '../records/asking.ts'
import { refuseFaults } from '../records/input.ts'
import { text } from '../text.ts'
import { isInScope, isVisible, isWritable } from '../visibility/predicate.ts'
import type { FollowTarget } from './tables.ts'

/** What a follow-up hangs on, resolved so that each timeline is one indexed read (DOMAIN 1.10). */
export interface ResolvedTarget {
  readonly customer_id: string | null
  readonly lead_id: string | null
  /** A lead that lives on as a customer: it is only read. */
  readonly is_converted?: boolean
  readonly bussiness_id: string | null
  readonly contract_id: string | null
  readonly owner_id: string | null
  /** The caller may write a follow-up here: owner, superior or write collaborator; never in a pool. */
  readonly can_follow: boolean
}

const NOWHERE = { customer_id: null, lead_id: null, bussiness_id: null, contract_id: null }

/**
 * Finds the target; 404 when the caller does not see it.
 * @param lock hold it until the transaction ends
 */
export async function resolveTarget(
  type: FollowTarget,
  id: string,
  asking: Asking,
  lock = false,
): Promise<ResolvedTarget> {
  if (type === 'contact') return resolveTarget('customer', await customerOfContact(id, asking), asking, lock)
  if (type === 'customer') {
    const found = await findCustomer(id, asking, lock)
    return {
      ...NOWHERE,
      customer_id: id,
      owner_id: found.owner_id,
      can_follow: found.owner_id !== null && (found.in_scope || found.can_write),
    }
  }
  const { trx, caller } = asking
  const { rows } = await sql<{ customer_id: string | null; owner_id: string | null; can_follow: boolean }>`
    select t.customer_id, t.owner_id, ${type === 'lead' ? sql`t.status = 40` : sql`false`} as is_converted,
      t.owner_id is not null and (${isInScope(caller, type, 't')} or ${isWritable(caller, type, 't')}) as can_follow
    from ${sql.table(type)} t where ${isVisible(caller, type, 't')} and t.id = ${id}
    ${lock ? sql`for update of t` : sql``}`.execute(trx)
  const row = rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
  return { ...NOWHERE, ...row, [`${type}_id`]: id }
}

async function customerOfContact(id: string, { trx, caller }: Asking): Promise<string> {
  const row = await trx
    .selectFrom('contact')
    .select('customer_id')
    .where('tenant_id', '=', caller.tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.customer_id ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** Refuses contacts that are not of the customer. */
export async function refuseForeignContacts(
  ids: readonly string[],
  target: Pick<ResolvedTarget, 'customer_id'>,
  { trx, caller }: Asking,
): Promise<void> {
  if (ids.length === 0) return
  const known = await trx
    .selectFrom('contact')
    .select('id')
    .where('tenant_id', '=', caller.tenantId)
    .where('customer_id', '=', target.customer_id ?? '')
    .where('deleted_at', 'is', null)
    .where('id', 'in', ids)
    .execute()
  if (known.length < ids.length) refuseFaults({ contact_ids: text('follow.contact') })
}
