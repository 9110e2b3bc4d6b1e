import fc from 'fast-check'
import { sql } from 'kysely'
import type { StatisticKey } from '../../src/contract/home.ts'
import type { WallSpan } from '../../src/server/kernel/time/period.ts'
import { wallTimeOf } from '../../src/server/kernel/time/zone.ts'
import type { TestApp } from './support.ts'

/** Demo and zhaolei report to manager, zengke does not. */
export const PEOPLE = ['u-demo', 'u-zhaolei', 'u-zengke'] as const
const KINDS = [
  'customer',
  'pool',
  'release',
  'bussiness',
  'follow',
  'system',
  'contract',
  'draft',
  'payment',
  'reversal',
  'deleted',
] as const

/** An event that the statistics count. */
export interface StatEvent {
  readonly kind: (typeof KINDS)[number]
  readonly by: (typeof PEOPLE)[number]
  readonly at: Date
  readonly cents: number
}

const DAY_MS = 86_400_000

/** Events close to the boundaries of days and months, in the weeks before `now`. */
export function statEvents(now: number): fc.Arbitrary<StatEvent[]> {
  const at = fc
    .tuple(
      fc.integer({ min: -75, max: 1 }),
      fc.constantFrom(-1, 0, 1, 12 * 3_600_000),
      fc.constantFrom(0, 4, 11, 16),
    )
    .map(
      ([days, shift, hour]) =>
        new Date(Math.floor(now / DAY_MS) * DAY_MS + days * DAY_MS + hour * 3_600_000 + shift),
    )
  return fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      by: fc.constantFrom(...PEOPLE),
      at,
      cents: fc.integer({ min: 1, max: 99_999_999 }),
    }),
    { maxLength: 40 },
  )
}

/** The ids a number counts, computed from the events by the definitions of DOMAIN 3. */
export function countedIds(
  key: StatisticKey,
  events: readonly StatEvent[],
  people: readonly string[],
  { span, zone }: { span: WallSpan; zone: string },
): readonly { readonly id: string; readonly cents: number }[] {
  const moment = ({ at }: StatEvent) => isIn(span, wallTimeOf(at, zone))
  const day = ({ at }: StatEvent) => isIn(span, Math.floor(wallTimeOf(at, zone) / DAY_MS) * DAY_MS)
  const rule: Readonly<
    Record<StatisticKey, readonly [readonly StatEvent['kind'][], (event: StatEvent) => boolean]>
  > = {
    new_customer: [['customer', 'release'], moment],
    new_public_customer: [['release', 'pool'], moment],
    new_bussiness: [['bussiness'], moment],
    new_customer_follow: [['follow'], moment],
    new_contract: [['contract'], day],
    new_contract_total: [['contract'], day],
    new_amount: [['payment'], day],
    new_amount_total: [['payment', 'reversal'], day],
  }
  const [kinds, isInTime] = rule[key]
  return events.flatMap((event, i) =>
    kinds.includes(event.kind) && people.includes(event.by) && isInTime(event)
      ? [{ id: `e${i}`, cents: event.kind === 'reversal' ? -event.cents : event.cents }]
      : [],
  )
}

function isIn({ start, end }: WallSpan, wall: number): boolean {
  return start <= wall && wall < end
}

type Trx = Parameters<Parameters<TestApp['database']['system']>[0]>[0]

/** Empties the tenant and writes rows that represent the events. */
export async function writeEvents(
  server: TestApp,
  events: readonly StatEvent[],
  zone: string,
): Promise<void> {
  await server.database.system(async (trx) => {
    for (const table of ['payment', 'contract', 'bussiness', 'follow', 'owner_record', 'customer', 'pool'])
      await sql`delete from ${sql.table(table)}`.execute(trx)
    await sql`update tenant set timezone = ${zone} where id = 'xinghai'`.execute(trx)
    for (const by of PEOPLE)
      await sql`insert into pool (tenant_id, id, entity, name, member_user_ids)
        values ('xinghai', ${`pool-${by}`}, 'customer', ${by}, array[${by}])`.execute(trx)
    await insertCustomer(trx, 'base', 'u-demo', new Date('2020-01-01'), false)
    await sql`insert into contract (tenant_id, id, contract_no, name, customer_id, type, amount, stat_amount, sign_date, owner_id)
      values ('xinghai', 'base', 'HT0', '合同', 'base', 'direct', 1, 1, '2020-01-01', 'u-demo')`.execute(trx)
    await sql`insert into payment (tenant_id, id, payment_no, contract_id, amount, paid_at, method, owner_id, approval_status)
      values ('xinghai', 'base', 'base', 'base', 1, '2020-01-01', 'cash', 'u-demo', 2)`.execute(trx)
    for (const [i, event] of events.entries()) await insertEvent(trx, `e${i}`, event, zone)
  })
}

async function insertEvent(
  trx: Trx,
  id: string,
  { kind, by, at, cents }: StatEvent,
  zone: string,
): Promise<void> {
  const day = new Date(wallTimeOf(at, zone)).toISOString().slice(0, 10)
  const amount = cents / 100
  if (kind === 'customer' || kind === 'release' || kind === 'pool' || kind === 'deleted') {
    await insertCustomer(
      trx,
      id,
      kind === 'customer' || kind === 'deleted' ? by : null,
      at,
      kind === 'deleted',
      by,
    )
    const isPool = kind === 'pool'
    await sql`insert into owner_record (tenant_id, id, entity, record_id, to_user, to_pool, kind, at)
      values ('xinghai', ${id}, 'customer', ${id}, ${isPool ? null : by}, ${isPool ? `pool-${by}` : null}, 'create', ${at})`.execute(
      trx,
    )
    if (kind === 'release')
      await sql`insert into owner_record (tenant_id, id, entity, record_id, from_user, kind, at)
        values ('xinghai', ${`${id}r`}, 'customer', ${id}, ${by}, 'release', ${at})`.execute(trx)
  }
  if (kind === 'bussiness')
    await sql`insert into bussiness (tenant_id, id, name, bussiness_no, customer_id, amount, expected_date, stage_id, owner_id,
        created_at, name_norm, search_text, search_tokens, py, py_initial)
      values ('xinghai', ${id}, '商机', ${id}, 'base', 1, '2026-01-01', 'proposal', ${by}, ${at}, '', '', '{}', '', '')`.execute(
      trx,
    )
  if (kind === 'follow' || kind === 'system')
    await sql`insert into follow (tenant_id, id, target_type, target_id, customer_id, method, content, followed_at, author_id, source)
      values ('xinghai', ${id}, 'customer', 'base', 'base', 'call', '跟进', ${at}, ${by},
        ${kind === 'system' ? 'system' : 'manual'})`.execute(trx)
  if (kind === 'contract' || kind === 'draft')
    await sql`insert into contract (tenant_id, id, contract_no, name, customer_id, type, amount, stat_amount, sign_date, owner_id,
        approval_status)
      values ('xinghai', ${id}, ${id}, '合同', 'base', 'direct', ${amount}, ${amount}, ${day}, ${by},
        ${kind === 'draft' ? 0 : 2})`.execute(trx)
  if (kind === 'payment' || kind === 'reversal')
    await sql`insert into payment (tenant_id, id, payment_no, contract_id, amount, paid_at, method, owner_id, approval_status,
        reverses_id)
      values ('xinghai', ${id}, ${id}, 'base', ${kind === 'reversal' ? -amount : amount}, ${day}, 'cash', ${by}, 2,
        ${kind === 'reversal' ? 'base' : null})`.execute(trx)
}

async function insertCustomer(
  trx: Trx,
  id: string,
  owner: string | null,
  at: Date,
  isDeleted: boolean,
  poolOf = owner,
): Promise<void> {
  await sql`insert into customer (tenant_id, id, name, customer_no, owner_id, pool_id, created_at, deleted_at, name_norm, search_text,
      search_tokens, py, py_initial)
    values ('xinghai', ${id}, ${`客户${id}`}, ${id}, ${owner}, ${owner === null ? `pool-${poolOf}` : null}, ${at},
      ${isDeleted ? at : null}, ${id}, '', '{}', '', '')`.execute(trx)
}
