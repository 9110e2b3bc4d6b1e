import type { Json } from '../../../../runtime/core/json.ts'
import { ownValue } from '../../../../runtime/core/json.ts'
import type { Trx } from '../db/database.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** Settings of a tenant under which nobody publishes what they have made themselves. */
export const SECOND_PERSON = 'second_publisher'

/** True for a tenant whose pages, modules and fields are published by somebody else than their author. */
export async function needsSecondPerson(trx: Trx, tenantId: string): Promise<boolean> {
  const row = await trx.selectFrom('tenant').select('settings').where('id', '=', tenantId).executeTakeFirst()
  return ownValue((row?.settings ?? null) as Json, SECOND_PERSON) === true
}

/**
 * What every call asks that makes a page, a module or a field live by itself. Change sets do not: there a second person has looked.
 * @throws Refusal 409 SECOND_PERSON where the tenant wants one
 */
export async function refuseSingle(
  trx: Trx,
  { tenantId }: { readonly tenantId: string },
  message: string = text('page.second-person'),
): Promise<void> {
  if (await needsSecondPerson(trx, tenantId)) refuse(409, 'SECOND_PERSON', message)
}
