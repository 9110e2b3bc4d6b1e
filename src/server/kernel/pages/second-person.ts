import type { Json } from '../../../../runtime/core/json.ts'
import { ownValue } from '../../../../runtime/core/json.ts'
import type { Trx } from '../db/database.ts'

/** Settings of a tenant under which nobody publishes what he has made himself. */
export const SECOND_PERSON = 'second_publisher'

/** True for a tenant whose pages are published by somebody else than their author. */
export async function needsSecondPerson(trx: Trx, tenantId: string): Promise<boolean> {
  const row = await trx.selectFrom('tenant').select('settings').where('id', '=', tenantId).executeTakeFirst()
  return ownValue((row?.settings ?? null) as Json, SECOND_PERSON) === true
}
