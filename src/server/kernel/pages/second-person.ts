import type { Json } from '../../../../runtime/core/json.ts'
import { ownValue } from '../../../../runtime/core/json.ts'
import type { Trx } from '../db/database.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** Settings of a tenant that require a second person for publishing. */
export const SECOND_PERSON = 'second_publisher'

/** True for a tenant whose pages, modules and fields must be published by somebody other than their author. */
export async function needsSecondPerson(trx: Trx, tenantId: string): Promise<boolean> {
  const row = await trx.selectFrom('tenant').select('settings').where('id', '=', tenantId).executeTakeFirst()
  return ownValue((row?.settings ?? null) as Json, SECOND_PERSON) === true
}

/**
 * Called by everything that publishes a page, a module or a field directly. Change sets do not call it: they were reviewed by a second person.
 *
 * @throws Refusal 409 SECOND_PERSON if the tenant requires one
 */
export async function requireSecondPerson(
  trx: Trx,
  { tenantId }: { readonly tenantId: string },
  message: string = text('page.second-person'),
): Promise<void> {
  if (await needsSecondPerson(trx, tenantId)) refuse(409, 'SECOND_PERSON', message)
}
