import { sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import { ownValue } from '../../../../runtime/core/json.ts'
import type { Database, Trx } from '../db/database.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** Settings of a tenant that require a second person for publishing. */
export const SECOND_PERSON = 'second_publisher'

/** Who asked to switch the rule off, and when; it ends when somebody else asks, too. */
export const SECOND_OFF = 'second_off'
const OFF_DAYS = 7

interface AskedOff {
  readonly by: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * Whether the rule ends when this person switches it off: another one asked for it within the last days. The rule binds those who may switch it off, so none
 * of them does that alone.
 */
export function isSecondToSwitchOff(settings: Json, { by, at }: AskedOff): boolean {
  const asked = ownValue(settings, SECOND_OFF)
  const [askedBy, askedAt] = [ownValue(asked, 'by'), ownValue(asked, 'at')]
  return (
    typeof askedBy === 'string' &&
    askedBy !== by &&
    typeof askedAt === 'number' &&
    at - askedAt < OFF_DAYS * 86_400_000
  )
}

/** Switches the rule off for a tenant that has nobody else to do it: for the operator. @throws Error if there is no such tenant, or no rule */
export async function endSecondPerson(database: Database, code: string): Promise<void> {
  await database.system(async (trx) => {
    const { rows } =
      await sql`update tenant set settings = settings - ${SECOND_PERSON}::text - ${SECOND_OFF}::text, version = version + 1
      where code = ${code} and settings -> ${SECOND_PERSON}::text = 'true' returning 1`.execute(trx)
    if (rows.length === 0) throw new Error(`no tenant ${code} needs a second person; nothing was changed`)
  })
}

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
