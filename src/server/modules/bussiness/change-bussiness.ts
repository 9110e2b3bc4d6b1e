import { sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { ProductLine } from '../../../contract/contract.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { json } from '../../kernel/db/json.ts'
import type { Faults } from '../../kernel/fields/check-record.ts'
import { type InputValues, refuseFaults } from '../../kernel/fields/input.ts'
import type { Changeable } from '../../kernel/records/change-record.ts'
import type { FoundRecord } from '../../kernel/records/find-record.ts'
import { pastFaults } from '../../kernel/records/next-follow.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { searchColumns } from '../../kernel/words/search-columns.ts'
import { checkLines, totalOf } from '../products/lines.ts'
import { rolesOf } from './contact-roles.ts'

/** How an opportunity is changed (DOMAIN 1.5). A closed one cannot be edited. */
export const BUSSINESS_CHANGE: Changeable = {
  entity: 'bussiness',
  faults: bussinessFaults,
  notClearable: ['win_rate', 'discount_rate'],
  async derive(source, found, ctx) {
    if (found !== null && found.status !== 1) refuse(409, 'STATE_CONFLICT', text('bussiness.closed'))
    const { name, bussiness_no, expected_date } = source as Readonly<Record<string, string>>
    const { mobile_norm: _phones, ...search } = searchColumns({
      kind: 'company',
      name: name ?? '',
      number: bussiness_no ?? '',
      phones: [],
    })
    const hasSlipped = found !== null && found.expected_date !== expected_date
    return {
      ...search,
      ...(await moneyOf(source, found, ctx)),
      ...rolesThatStay(source, found),
      ...(hasSlipped ? { slip_times: Number(found.slip_times ?? 0) + 1 } : {}),
    }
  },
}

/** The roles of the contacts that the opportunity still names. A role goes with its contact. */
function rolesThatStay(
  source: Readonly<Record<string, unknown>>,
  found: FoundRecord | null,
): Readonly<Record<string, unknown>> {
  if (found === null || source.contact_ids === found.contact_ids) return {}
  return { contact_roles: json(rolesOf(found, (source.contact_ids ?? []) as string[]) as unknown as Json) }
}

/** Lines with the values computed from them. If there are any, the amount is their total (DOMAIN 1.5, 1.9.1). */
async function moneyOf(
  source: Readonly<Record<string, unknown>>,
  found: FoundRecord | null,
  ctx: CallContext,
): Promise<Readonly<Record<string, unknown>>> {
  const given = (source.lines ?? []) as Json
  const isUnchanged = found !== null && JSON.stringify(found.lines) === JSON.stringify(given)
  const rate = Number(source.discount_rate ?? 100)
  if (Array.isArray(given) && given.length === 0) return { lines: json([]) }
  const old = (found?.lines ?? []) as readonly ProductLine[]
  const checked = isUnchanged ? { lines: old, faults: {} } : await checkLines(given, old, ctx)
  refuseFaults(checked.faults)
  return { lines: json(checked.lines as unknown as Json), amount: totalOf(checked.lines, rate) }
}

async function bussinessFaults(
  values: InputValues,
  found: FoundRecord | null,
  ctx: CallContext,
): Promise<Faults> {
  const { contact_ids } = values
  const customerId = found?.customer_id ?? values.customer_id ?? ''
  const hasOtherContacts =
    Array.isArray(contact_ids) && !(await areContactsOf(contact_ids as string[], String(customerId), ctx))
  return {
    ...pastFaults('bussiness', values, ctx),
    ...(hasOtherContacts ? { contact_ids: text('follow.contact') } : {}),
  }
}

async function areContactsOf(
  ids: readonly string[],
  customerId: string,
  { trx, caller }: CallContext,
): Promise<boolean> {
  if (ids.length === 0) return true
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from contact where tenant_id = ${caller.tenantId}
    and customer_id = ${customerId} and deleted_at is null and id = any(${[...ids]}::text[])`.execute(trx)
  return rows[0]?.n === ids.length
}
