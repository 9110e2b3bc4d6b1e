import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STATISTIC_KEYS, type StatisticKey } from '../../../src/contract/home.ts'
import { customSpans, PERIODS, spansOf } from '../../../src/server/home/period.ts'
import { instantOf, wallTimeOf } from '../../../src/server/lists/zone.ts'
import { openTestApp, type TestApp } from '../support.ts'

const NAMED = PERIODS.filter((period) => period !== 'custom')
const aMoment = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2027-12-31T00:00:00Z'),
  noInvalidDate: true,
})
const zones = fc.constantFrom('Asia/Shanghai', 'UTC', 'America/New_York', 'Pacific/Auckland')

describe('periods', () => {
  it('hold now exactly when they are called today or this', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMED), aMoment, zones, (period, at, zone) => {
        const now = wallTimeOf(at, zone)
        const { current, previous } = spansOf(period, now)

        const isNow = period === 'today' || period.startsWith('this')
        expect(current.start <= now && now < current.end).toBe(isNow)
        expect(previous.end).toBeLessThanOrEqual(current.start)
        expect(previous.start).toBeLessThanOrEqual(previous.end)
      }),
    )
  })

  it('follow each other without a gap: the one before this month is last month', () => {
    fc.assert(
      fc.property(fc.constantFrom('week', 'month', 'quarter', 'year'), aMoment, (unit, at) => {
        const now = at.getTime()
        const last = spansOf(`last_${unit}` as 'last_week', now).current
        const here = spansOf(`this_${unit}` as 'this_week', now)

        expect(last.end).toBe(here.current.start)
        expect(here.previous.start).toBe(last.start)
        expect(here.previous.end - last.start).toBe(Math.min(now - here.current.start, last.end - last.start))
      }),
    )
  })

  it('cut the month before at its own end on the 31st', () => {
    const { previous } = spansOf('this_month', Date.UTC(2026, 2, 31, 12))

    expect(new Date(previous.end).toISOString()).toBe('2026-03-01T00:00:00.000Z')
  })

  it('compare chosen days with as many before', () => {
    const { current, previous } = customSpans(
      Date.UTC(2026, 1, 27),
      Date.UTC(2026, 2, 2),
      Date.UTC(2026, 5, 1),
    )

    expect(current.end - current.start).toBe(4 * 86_400_000)
    expect(new Date(previous.start).toISOString()).toBe('2026-02-23T00:00:00.000Z')
  })

  it('begin at the midnight of the tenant, also across a change of clocks', () => {
    fc.assert(
      fc.property(aMoment, zones, (at, zone) => {
        const wall = wallTimeOf(at, zone)
        const back = wallTimeOf(instantOf(wall, zone), zone)

        expect(back).toBe(wall)
      }),
    )
    expect(instantOf(Date.UTC(2026, 2, 1), 'Asia/Shanghai').toISOString()).toBe('2026-02-28T16:00:00.000Z')
  })
})

let server: TestApp
beforeAll(async () => {
  server = await openTestApp()
}, 60_000)
afterAll(() => server.close())

/** People of two departments: the scope of `manager` is the first two. */
const PEOPLE = ['u-demo', 'u-zhaolei', 'u-zengke'] as const
const MANAGED: readonly string[] = ['u-demo', 'u-zhaolei']

interface Event {
  readonly kind:
    | 'customer'
    | 'pool'
    | 'release'
    | 'bussiness'
    | 'follow'
    | 'system'
    | 'contract'
    | 'draft'
    | 'payment'
    | 'reversal'
    | 'deleted'
  readonly by: (typeof PEOPLE)[number]
  readonly at: Date
  readonly amount: number
}

/** Moments close to the borders of days and months of the tenant's zone. */
const aBorderMoment = (now: number) =>
  fc
    .tuple(
      fc.integer({ min: -70, max: 1 }),
      fc.constantFrom(-1, 0, 1, 12 * 3_600_000),
      fc.constantFrom(0, 16 * 3_600_000),
    )
    .map(
      ([days, shift, midnight]) =>
        new Date(Math.floor(now / 86_400_000) * 86_400_000 + days * 86_400_000 + midnight + shift),
    )

describe('the eight numbers', () => {
  it('equal the rows counted one by one, for every period and scope, across month ends and midnight of the zone', async () => {
    const nows = [
      '2026-03-31T15:59:59Z',
      '2026-03-31T16:00:00Z',
      '2026-03-01T02:00:00Z',
      '2026-01-01T04:00:00Z',
    ].map(Date.parse)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...nows).chain((now) =>
          fc.tuple(
            fc.constant(now),
            fc.array(
              fc.record({
                kind: fc.constantFrom(
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
                ) as fc.Arbitrary<Event['kind']>,
                by: fc.constantFrom(...PEOPLE),
                at: aBorderMoment(now),
                amount: fc.integer({ min: 1, max: 999_999 }).map((n) => n / 100),
              }),
              { maxLength: 30 },
            ),
          ),
        ),
        async ([now, events]) => compareAll(now, events),
      ),
      { numRuns: 8 },
    )
  }, 120_000)

  it('count a moment on the border to the later period only', async () => {
    const now = Date.parse('2026-03-16T02:00:00Z')
    const borders = NAMED.flatMap((period) => {
      const { current, previous } = spansOf(period, wallTimeOf(new Date(now), 'Asia/Shanghai'))
      return [current.start, current.end, previous.start, previous.end]
    })
    const moments = [...new Set(borders)].flatMap((wall) =>
      [-1, 0, 1].map((shift) => new Date(instantOf(wall, 'Asia/Shanghai').getTime() + shift)),
    )
    const kinds = ['customer', 'release', 'pool', 'bussiness', 'follow', 'contract', 'payment'] as const

    await compareAll(
      now,
      moments.flatMap((at) => kinds.map((kind) => ({ kind, at, by: 'u-demo' as const, amount: 1.25 }))),
    )
  }, 60_000)

  it('open lists with exactly their rows', async () => {
    server.clock.now = Date.parse('2026-03-20T02:00:00Z')
    const at = new Date('2026-03-10T02:00:00Z')
    await replaceEvents(
      ['customer', 'customer', 'release', 'follow', 'deleted', 'pool'].map(
        (kind) => ({ kind, by: 'u-demo', at, amount: 1 }) as Event,
      ),
    )
    const demo = await server.as('demo')
    const { statistics } = (await demo.get('/mini/home/overview')).data
    const rowsOf = async (path: string, key: StatisticKey) =>
      (await demo.post(path, { stat: { key, period: 'this_month', scope: 'mine' }, limit: 100 })).data.list

    const created = await rowsOf('/mini/customer/list', 'new_customer')
    const released = await rowsOf('/mini/customer/list', 'new_public_customer')
    const follows = await rowsOf('/mini/follow/list', 'new_customer_follow')

    expect(created).toHaveLength(statistics.new_customer[1])
    expect(statistics.new_customer[1]).toBe(3)
    expect(released).toHaveLength(statistics.new_public_customer[1])
    expect(follows).toHaveLength(statistics.new_customer_follow[1])
  })

  it('are refused beyond the data scope', async () => {
    const demo = await server.as('demo')

    const answers = [
      await demo.get('/mini/home/overview?scope=team'),
      await demo.get('/mini/home/overview?scope=user:u-manager'),
      await demo.get('/mini/home/overview?period=someday'),
      await demo.get('/mini/home/overview?period=custom&from=2026-03-02&to=2026-03-01'),
    ]

    expect(answers.map((answer) => answer.meta.code)).toEqual([405, 405, 400, 400])
    const manager = await server.as('manager')
    const outside = await manager.get('/mini/home/overview?scope=user:u-zengke&period=this_year')
    expect(outside.data.statistics.new_customer).toEqual([0, 0, null])
  })
})

/** Asks for every period, for demo alone and for the manager's team, and counts the events one by one beside it. */
async function compareAll(now: number, events: readonly Event[]): Promise<void> {
  await replaceEvents(events)
  server.clock.now = now
  const asked = [
    [await server.as('demo'), 'mine', ['u-demo']],
    [await server.as('manager'), 'team', MANAGED],
  ] as const
  for (const period of NAMED) {
    const spans = spansOf(period, wallTimeOf(new Date(now), 'Asia/Shanghai'))
    for (const [client, scope, people] of asked) {
      const { data } = await client.get(`/mini/home/overview?period=${period}&scope=${scope}`)
      for (const key of STATISTIC_KEYS) {
        const current = countOf(key, events, people, spans.current)
        const previous = countOf(key, events, people, spans.previous)
        expect([period, scope, key, ...data.statistics[key]]).toEqual([
          period,
          scope,
          key,
          0,
          current,
          previous || null,
        ])
      }
    }
  }
}

/** The definitions of CRM 3 once more, over the events themselves. */
function countOf(
  key: StatisticKey,
  events: readonly Event[],
  people: readonly string[],
  span: { start: number; end: number },
): number {
  const within = (event: Event) => {
    const wall = wallTimeOf(event.at, 'Asia/Shanghai')
    return span.start <= wall && wall < span.end
  }
  /** Contracts and payments have a day: it counts when its midnight lies in the span. */
  const onDay = (event: Event) => {
    const day = Math.floor(wallTimeOf(event.at, 'Asia/Shanghai') / 86_400_000) * 86_400_000
    return span.start <= day && day < span.end
  }
  const mine = events.filter((event) => people.includes(event.by))
  const kinds = (...wanted: Event['kind'][]) => mine.filter((event) => wanted.includes(event.kind))
  const sum = (rows: readonly Event[]) => {
    const cents = rows.reduce(
      (total, event) => total + Math.round(event.amount * 100) * (event.kind === 'reversal' ? -1 : 1),
      0,
    )
    return cents / 100
  }
  const numbers: Record<StatisticKey, () => number> = {
    new_customer: () => kinds('customer', 'release').filter(within).length,
    new_public_customer: () => kinds('release', 'pool').filter(within).length,
    new_bussiness: () => kinds('bussiness').filter(within).length,
    new_customer_follow: () => kinds('follow').filter(within).length,
    new_contract: () => kinds('contract').filter(onDay).length,
    new_contract_total: () => sum(kinds('contract').filter(onDay)),
    new_amount: () => kinds('payment').filter(onDay).length,
    new_amount_total: () => sum(kinds('payment', 'reversal').filter(onDay)),
  }
  return numbers[key]()
}

/** Empties the tenant and writes rows that stand for the events. */
async function replaceEvents(events: readonly Event[]): Promise<void> {
  await server.database.system(async (trx) => {
    for (const table of ['payment', 'contract', 'bussiness', 'follow', 'owner_record', 'customer', 'pool'])
      await sql`delete from ${sql.table(table)}`.execute(trx)
    for (const by of PEOPLE)
      await sql`insert into pool (tenant_id, id, entity, name, member_user_ids) values ('xinghai', ${`pool-${by}`}, 'customer', ${by}, array[${by}])`.execute(
        trx,
      )
    await insertCustomer(trx, 'base', 'u-demo', new Date('2020-01-01'), false)
    await sql`insert into contract (tenant_id, id, contract_no, name, customer_id, type, amount, stat_amount, sign_date, owner_id)
      values ('xinghai', 'base', 'HT0', '合同', 'base', 'direct', 1, 1, '2020-01-01', 'u-demo')`.execute(trx)
    for (const [index, event] of events.entries()) await insertEvent(trx, `e${index}`, event)
  })
}

type Trx = Parameters<Parameters<TestApp['database']['system']>[0]>[0]

async function insertEvent(trx: Trx, id: string, { kind, by, at, amount }: Event): Promise<void> {
  const day = new Date(wallTimeOf(at, 'Asia/Shanghai')).toISOString().slice(0, 10)
  if (kind === 'customer' || kind === 'release' || kind === 'pool' || kind === 'deleted') {
    await insertCustomer(
      trx,
      id,
      kind === 'customer' || kind === 'deleted' ? by : null,
      at,
      kind === 'deleted',
      by,
    )
    const toUser = kind === 'pool' ? null : by
    await sql`insert into owner_record (tenant_id, id, entity, record_id, to_user, to_pool, kind, at)
      values ('xinghai', ${id}, 'customer', ${id}, ${toUser}, ${kind === 'pool' ? `pool-${by}` : null}, 'create', ${at})`.execute(
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
      values ('xinghai', ${id}, 'customer', 'base', 'base', 'call', '跟进', ${at}, ${by}, ${kind === 'system' ? 'system' : 'manual'})`.execute(
      trx,
    )
  if (kind === 'contract' || kind === 'draft')
    await sql`insert into contract (tenant_id, id, contract_no, name, customer_id, type, amount, stat_amount, sign_date, owner_id, approval_status)
      values ('xinghai', ${id}, ${id}, '合同', 'base', 'direct', ${amount}, ${amount}, ${day}, ${by}, ${kind === 'draft' ? 0 : 2})`.execute(
      trx,
    )
  if (kind === 'payment' || kind === 'reversal') {
    const [reverses, signed] = kind === 'payment' ? [null, amount] : [await anyPayment(trx, id), -amount]
    await sql`insert into payment (tenant_id, id, payment_no, contract_id, amount, paid_at, method, owner_id, approval_status, reverses_id)
      values ('xinghai', ${id}, ${id}, 'base', ${signed}, ${day}, 'cash', ${by}, 2, ${reverses})`.execute(trx)
  }
}

/** A payment to take back, outside of every period. */
async function anyPayment(trx: Trx, id: string): Promise<string> {
  await sql`insert into payment (tenant_id, id, payment_no, contract_id, amount, paid_at, method, owner_id, approval_status)
    values ('xinghai', ${`${id}p`}, ${`${id}p`}, 'base', 1, '2020-01-01', 'cash', 'u-demo', 2)`.execute(trx)
  return `${id}p`
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
