import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { remainingDays } from '../../kernel/pools/expiry.ts'
import { maskedFieldsOf, wireRecord } from '../../kernel/records/find-record.ts'
import { isFollowOverdue } from '../../kernel/records/next-follow.ts'
import { mergedInto } from '../../kernel/records/redirect.ts'
import { Refusal } from '../../kernel/text/envelope.ts'
import { customerActions } from './actions.ts'
import { type FoundCustomer, findCustomer } from './find-customer.ts'
import { aroundCustomer } from './record.ts'

/** GET /mini/customer/detail. The id of a merged customer leads to the one it was merged into (DOMAIN 1.1.6). */
export async function customerDetail(id: string, ctx: CallContext): Promise<JsonObject> {
  const found = await findHere(id, ctx)
  const { labels, related, starred } = await aroundCustomer(found, ctx)
  return {
    record: { ...customerRecord(found, ctx), ...labels, starred },
    labels,
    related,
    actions: customerActions(ctx.caller, found),
    mask: [...maskedFieldsOf('customer', found, ctx)],
    starred,
    ...(found.id === id ? {} : { redirectedFrom: id }),
  }
}

/** A customer as the API returns it, with the days left until it returns to the pool, and whether its next follow-up is late. */
export function customerRecord(found: FoundCustomer, ctx: CallContext): JsonObject {
  const expiry = found.expire_at instanceof Date ? found.expire_at : null
  const wire = wireRecord('customer', found, ctx)
  return {
    ...wire,
    overdue: isFollowOverdue(found.next_follow_at, wire, ctx.now),
    left_days: remainingDays(expiry, ctx.now),
  }
}

/** The customer, or the one it was merged into. */
async function findHere(id: string, ctx: CallContext): Promise<FoundCustomer> {
  try {
    return await findCustomer(id, ctx)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const master = await mergedInto(id, ctx)
    if (master === null) throw error
    return findCustomer(master, ctx)
  }
}
