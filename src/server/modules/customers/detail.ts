import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { leftDays } from '../../kernel/pools/expiry.ts'
import { maskedFieldsOf, wireRecord } from '../../kernel/records/find-record.ts'
import { Refusal } from '../../kernel/text/envelope.ts'
import { customerActions } from './actions.ts'
import { type FoundCustomer, findCustomer } from './find-customer.ts'
import { aroundCustomer } from './record.ts'

/** GET /mini/customer/detail. The id of a merged customer leads to the one it was merged into (DOMAIN 1.1.6). */
export async function customerDetail(id: string, asking: Asking): Promise<JsonObject> {
  const found = await findHere(id, asking)
  const { labels, related, starred } = await aroundCustomer(found, asking)
  return {
    record: { ...customerRecord(found, asking), ...labels, starred },
    labels,
    related,
    actions: customerActions(asking.caller, found),
    mask: [...maskedFieldsOf('customer', found, asking)],
    starred,
    ...(found.id === id ? {} : { redirectedFrom: id }),
  }
}

/** A customer as the API returns it, with the days left until it returns to the pool. */
export function customerRecord(found: FoundCustomer, asking: Asking): JsonObject {
  const expiry = found.expire_at instanceof Date ? found.expire_at : null
  return { ...wireRecord('customer', found, asking), left_days: leftDays(expiry, asking.now) }
}

/** The customer, or the one it was merged into. */
async function findHere(id: string, asking: Asking): Promise<FoundCustomer> {
  try {
    return await findCustomer(id, asking)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const mergedInto = await redirected(id, asking)
    if (mergedInto === null) throw error
    return findCustomer(mergedInto, asking)
  }
}

async function redirected(id: string, { trx, caller }: Asking): Promise<string | null> {
  const { rows } = await sql<{ new_id: string }>`select new_id from record_redirect
    where tenant_id = ${caller.tenantId} and entity = 'customer' and old_id = ${id}`.execute(trx)
  return rows[0]?.new_id ?? null
}
