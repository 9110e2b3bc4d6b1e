import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STATISTIC_KEYS } from '../../../src/contract/home.ts'
import {
  ANALYSIS_DIMENSIONS,
  type StatDetail,
  type StatDimension,
  type StatRankRow,
  type StatRow,
} from '../../../src/contract/stats.ts'
import { bucketsOf, countPerSpan } from '../../../src/server/flows/stats/trend.ts'
import type { Caller } from '../../../src/server/kernel/auth/caller.ts'
import type { CallContext } from '../../../src/server/kernel/context/call-context.ts'
import { rowsOf, type StatQuestion, statTable } from '../../../src/server/kernel/lists/stat-rows.ts'
import { PERIODS, spansOf } from '../../../src/server/kernel/time/period.ts'
import { startOfDay, wallTimeOf } from '../../../src/server/kernel/time/zone.ts'
import { countedIds, PEOPLE, type StatEvent, statEvents, writeEvents } from '../stat-events.ts'
import { type Client, NO_MODEL, openTestApp, type TestApp } from '../support.ts'

const NAMED = PERIODS.filter((period) => period !== 'custom')
const ZONES = ['Asia/Shanghai', 'America/New_York', 'Pacific/Auckland'] as const
/** Times around the end of a month in one zone or another, and an ordinary one. */
const NOWS = [
  '2026-03-31T15:59:59Z',
  '2026-03-31T16:00:00Z',
  '2026-04-01T04:00:00Z',
  '2026-03-01T02:00:00Z',
].map(Date.parse)

let server: TestApp
beforeAll(async () => {
  server = await openTestApp()
})
afterAll(() => server.close())

async function allRows(
  client: Client,
  body: { [key: string]: string },
): Promise<{ rows: StatRow[]; first: StatDetail }> {
  const first = (await client.post('/mini/stats/detail', { ...body, limit: 7 })).data as StatDetail
  const rows = [...first.list]
  for (let cursor = first.nextCursor; cursor !== null; ) {
    const page = (await client.post('/mini/stats/detail', { ...body, limit: 7, cursor })).data as StatDetail
    rows.push(...page.list)
    cursor = page.nextCursor
  }
  return { rows, first }
}

describe('the rows behind a figure', () => {
  it('of a group of the analysis are as many as it counts, for every dimension, including empty values', async () => {
    const demo = await server.as('demo')
    for (const [source, level] of [
      ['web', 'A'],
      ['web', 'B'],
      ['', 'B'],
    ] as const)
      await demo.post('/mini/customer/create', {
        name: `分组${source}${level}有限公司`,
        level,
        source: source || null,
      })
    const lost = { status: 3, closed_at: new Date(server.clock.now), lose_reason: 'price' }
    await server.database.system((trx) =>
      sql`update bussiness set status = ${lost.status}, closed_at = ${lost.closed_at}, lose_reason = ${lost.lose_reason}
        where owner_id = 'u-demo' and deleted_at is null and status = 1`.execute(trx),
    )
    let groupsSeen = 0
    const fields = (await demo.post('/mini/stats/dimension/list')).data.list as readonly StatDimension[]
    expect(fields.length).toBeGreaterThan(10)
    for (const dimension of [...ANALYSIS_DIMENSIONS, ...fields.map(({ value }) => value)]) {
      const asked = { dimension, period: 'this_month', scope: 'mine' }
      const { groups } = (await demo.post('/mini/stats/analysis', asked)).data
      for (const { value, label, count } of groups) {
        const { rows, first } = await allRows(demo, { ...asked, value })
        expect({ dimension, value, rows: rows.length, counted: first.count }).toEqual({
          dimension,
          value,
          rows: count,
          counted: count,
        })
        expect(first.label).toBe(label)
        groupsSeen += 1
      }
    }
    expect(groupsSeen).toBeGreaterThan(3)
    expect(fields).toContainEqual({ value: 'customer.level', label: '客户 · 客户级别' })
    const refused = { dimension: 'secret', value: 'x', period: 'this_month', scope: 'mine' }
    expect((await demo.post('/mini/stats/detail', refused)).meta.code).toBe(400)
  })

  it('are counted and listed for own fields and own modules, each value as text', async () => {
    const [admin, demo] = [await server.as('admin'), await server.as('demo')]
    const field = (name: string, kind: string, more: object) => ({
      name,
      kind,
      label: `统计${kind}`,
      ...more,
    })
    const options = [
      { value: 'a', label: '甲类' },
      { value: 'b', label: '乙类' },
    ]
    const fields = [
      field('one', 'choice', { options }),
      field('many', 'choices', { dict: 'customer_level' }),
      field('yes', 'flag', {}),
      field('who', 'user', {}),
      field('part', 'dept', {}),
      field('where', 'region', {}),
    ]
    const title = { name: 'title', kind: 'text', label: '标题', required: true }
    const worth = { name: 'worth', kind: 'money', label: '金额' }
    const own = { name: 'counted', label: '计数', title: 'title', behaviours: ['owned'], amount: 'worth' }
    for (const description of [
      { name: 'customer', fields },
      { ...own, fields: [title, worth, ...fields] },
    ])
      expect((await admin.post('/engine/web/module/save', { description })).meta.code).toBe(200)
    const values = {
      one: 'a',
      many: ['A', 'B'],
      yes: true,
      who: 'u-demo',
      part: 'xh-sales-1',
      where: ['440000', '440300', '440305'],
    }
    await demo.post('/mini/customer/create', { name: '按字段统计有限公司', ext: values })
    for (const more of [values, values, {}])
      await admin.post('/mini/m/counted/create', { title: '计数', worth: 5, ...more })

    const groups = async (client: Client, dimension: string, value?: string) => {
      const asked = { dimension, period: 'this_month', scope: 'mine' }
      if (value !== undefined)
        return (await allRows(client, { ...asked, value })).rows.map(({ title: is }) => is)
      const { data } = await client.post('/mini/stats/analysis', asked)
      return data.groups.map(({ label, count, amount }: Record<string, unknown>) => [label, count, amount])
    }
    expect(await groups(demo, 'customer.ext.one')).toContainEqual(['甲类', 1, 0])
    expect(await groups(demo, 'customer.ext.one', 'a')).toEqual(['按字段统计有限公司'])
    expect(await groups(admin, 'm.counted.one')).toEqual([
      ['甲类', 2, 10],
      ['未填写', 1, 5],
    ])
    expect(await groups(admin, 'm.counted.many')).toEqual([
      ['重点客户', 2, 10],
      ['普通客户', 2, 10],
      ['未填写', 1, 5],
    ])
    expect(await groups(admin, 'm.counted.yes')).toContainEqual(['是', 2, 10])
    expect(await groups(admin, 'm.counted.who')).toContainEqual(['李明轩', 2, 10])
    expect(await groups(admin, 'm.counted.part')).toContainEqual([expect.stringContaining('销售一部'), 2, 10])
    expect(await groups(admin, 'm.counted.where')).toContainEqual(['广东省', 2, 10])
    for (const [dimension, value] of [
      ['many', 'B'],
      ['yes', 'true'],
      ['who', 'u-demo'],
      ['where', '440000'],
    ] as const)
      expect([dimension, await groups(admin, `m.counted.${dimension}`, value)]).toEqual([
        dimension,
        ['计数', '计数'],
      ])
    expect(await groups(admin, 'm.counted.one', '')).toEqual(['计数'])
    expect((await demo.post('/mini/stats/analysis', { dimension: 'm.counted.one' })).meta.code).toBe(400)
  })

  it('reveal nothing of a field that the user’s role hides', async () => {
    const hidden = { customer: { level: 'hidden', 'ext.one': 'masked' }, contract: { amount: 'hidden' } }
    await server.database.system((trx) =>
      sql`update role set field_rights = ${JSON.stringify(hidden)}::jsonb
        where tenant_id = 'xinghai' and code = 'sales'`.execute(trx),
    )
    const demo = await server.as('demo')
    const offered = (await demo.post('/mini/stats/dimension/list')).data.list as readonly StatDimension[]
    const asked = { period: 'this_month', scope: 'mine' }
    const groups = (await demo.post('/mini/stats/analysis', { ...asked, dimension: 'level' })).data.groups
    const products = (await demo.post('/mini/stats/analysis', { ...asked, dimension: 'product' })).data.groups
    const opened = await demo.post('/mini/stats/detail', { ...asked, dimension: 'level', value: 'A' })

    expect(offered.map(({ value }) => value)).not.toContain('customer.level')
    expect(offered.map(({ value }) => value)).not.toContain('customer.ext.one')
    expect([groups, products]).toEqual([[], []])
    expect(opened.meta).toMatchObject({ code: 405, message: '无权查看' })
    const types = (await demo.post('/mini/stats/analysis', { ...asked, dimension: 'contract.type' })).data
      .groups
    for (const { amount } of types) expect(amount).toBe(0)
    await server.database.system((trx) =>
      sql`update role set field_rights = '{}' where tenant_id = 'xinghai' and code = 'sales'`.execute(trx),
    )
  })

  it('are exactly the counted rows: for every key, period, scope, month end and time zone', async () => {
    const cases = fc
      .tuple(fc.constantFrom(...NOWS), fc.constantFrom(...ZONES))
      .chain(([now, zone]) =>
        fc.tuple(
          fc.constant(now),
          fc.constant(zone),
          statEvents(now),
          fc.subarray([...NAMED], { minLength: 2, maxLength: 3 }),
        ),
      )
    await fc.assert(
      fc.asyncProperty(cases, async ([now, zone, events, periods]) => {
        server.clock.now = now
        await writeEvents(server, events, zone)
        const demo = await server.as('demo')
        const manager = await server.as('manager')
        const asked = [
          [demo, 'mine', ['u-demo']],
          [manager, 'team', ['u-demo', 'u-zhaolei']],
          [manager, 'user:u-zhaolei', ['u-zhaolei']],
          [manager, 'dept:xh-sales-1', ['u-demo', 'u-zhaolei']],
        ] as const
        for (const period of periods) {
          const span = spansOf(period, wallTimeOf(new Date(now), zone)).current
          for (const [client, scope, people] of asked) {
            const { statistics } = (await client.get(`/mini/home/overview?period=${period}&scope=${scope}`))
              .data
            for (const key of STATISTIC_KEYS) {
              const expected = countedIds(key, events, people, { span, zone })
              const { rows, first } = await allRows(client, { key, period, scope })

              expect([period, scope, key, rows.map((row) => row.id).sort()]).toEqual([
                period,
                scope,
                key,
                expected.map((row) => row.id).sort(),
              ])
              // A money column is shown if there is money.
              expect(rows.filter((row) => 'value' in row !== key.endsWith('_total'))).toEqual([])
              const cents = rows.reduce((sum, row) => sum + Math.round((row.value ?? 0) * 100), 0)
              const tile = key.endsWith('_total') ? cents / 100 : rows.length
              expect([period, scope, key, first.number, first.count]).toEqual([
                period,
                scope,
                key,
                tile,
                rows.length,
              ])
              expect(statistics[key][1]).toBe(tile)
            }
          }
        }
      }),
      { numRuns: 5 },
    )
  }, 300_000)

  it('have no names if the caller may not see them', async () => {
    server.clock.now = Date.parse('2026-03-20T02:00:00Z')
    const at = new Date('2026-03-10T02:00:00Z')
    await writeEvents(server, [{ kind: 'release', by: 'u-demo', at, cents: 1 }], 'Asia/Shanghai')
    await server.database.system((trx) =>
      sql`update customer set pool_id = 'pool-u-zengke' where id = 'e0'`.execute(trx),
    )
    const demo = await server.as('demo')

    const { rows } = await allRows(demo, { key: 'new_public_customer', period: 'this_month', scope: 'mine' })

    expect(rows).toHaveLength(1)
    expect(rows[0]?.title).not.toContain('客户e0')
    expect(rows[0]).toMatchObject({ url: '', sub: '', why: '计入了数字，但不在您的查看范围内' })
  })

  it('open the pool for who sees a customer there', async () => {
    server.clock.now = Date.parse('2026-03-20T02:00:00Z')
    const at = new Date('2026-03-10T02:00:00Z')
    await writeEvents(server, [{ kind: 'release', by: 'u-demo', at, cents: 1 }], 'Asia/Shanghai')
    const demo = await server.as('demo')

    const { rows } = await allRows(demo, { key: 'new_public_customer', period: 'this_month', scope: 'mine' })
    const opened = await demo.get('/mini/pool/customer/detail?id=e0')

    expect(opened.meta.code).toBe(200)
    expect(rows).toEqual([
      expect.objectContaining({ title: '客户e0', url: '/pages/customer/pool/detail?id=e0' }),
    ])
  })

  it('of customers that came into a pool have the time at which they did, the latest first', async () => {
    server.clock.now = Date.parse('2026-03-20T02:00:00Z')
    const released = (day: string): StatEvent => ({
      kind: 'release',
      by: 'u-demo',
      at: new Date(`${day}T02:00:00Z`),
      cents: 1,
    })
    await writeEvents(server, ['2026-03-10', '2026-03-12', '2026-03-11'].map(released), 'Asia/Shanghai')
    await server.database.system((trx) =>
      sql`update customer set created_at = '2026-01-05T02:00:00Z' where id in ('e0', 'e1', 'e2')`.execute(
        trx,
      ),
    )
    const demo = await server.as('demo')

    const { rows } = await allRows(demo, { key: 'new_public_customer', period: 'this_month', scope: 'mine' })

    expect(rows.map(({ at }) => at)).toEqual([
      '2026-03-12 10:00:00',
      '2026-03-11 10:00:00',
      '2026-03-10 10:00:00',
    ])
  })

  it('are refused outside the scope, for unknown keys, and with a cursor of another request', async () => {
    server.clock.now = Date.parse('2026-03-20T02:00:00Z')
    const at = new Date('2026-03-10T02:00:00Z')
    await writeEvents(
      server,
      Array.from({ length: 9 }, (): StatEvent => ({ kind: 'customer', by: 'u-demo', at, cents: 1 })),
      'Asia/Shanghai',
    )
    const demo = await server.as('demo')
    const page = (await demo.post('/mini/stats/detail', { key: 'new_customer', limit: 5 })).data as StatDetail

    const codes = [
      await demo.post('/mini/stats/detail', { key: 'new_customer', scope: 'team' }),
      await demo.post('/mini/stats/detail', { key: 'turnover' }),
      await demo.post('/mini/stats/detail', {
        key: 'new_customer',
        period: 'last_month',
        cursor: page.nextCursor,
      }),
      await demo.post('/mini/stats/trend', { keys: ['new_customer'], period: 'this_year', bucket: 'day' }),
      await demo.post('/mini/stats/trend', { keys: [] }),
    ].map((answer) => answer.meta.code)

    expect(codes).toEqual([405, 400, 400, 400, 400])
  })
})

describe('the stored sums of days and months', () => {
  it('equal the sums of the rows after any changes, and after a recount', async () => {
    const now = Date.parse('2026-03-31T15:59:59Z')
    const step = fc.record({
      table: fc.constantFrom('customer', 'bussiness', 'follow', 'contract', 'payment', 'owner_record', null),
      row: fc.nat(39),
      change: fc.nat(4),
      by: fc.constantFrom(...PEOPLE),
      days: fc.integer({ min: -40, max: 40 }),
    })
    await fc.assert(
      fc.asyncProperty(statEvents(now), fc.array(step, { maxLength: 12 }), async (events, steps) => {
        await writeEvents(server, events, 'Asia/Shanghai')
        for (const { table, row, change, by, days } of steps)
          await server.database.system(async (trx) => {
            const one = sql`where tenant_id = 'xinghai' and id = ${`e${row}`}`
            if (table === null) await sql`select crm_stat_day_rebuild('xinghai')`.execute(trx)
            else if (table === 'owner_record') await sql`delete from owner_record ${one}`.execute(trx)
            else
              await sql`update ${sql.table(table)} set ${changeOf(table, change, by, days)} ${one}`.execute(
                trx,
              )
          })

        const { kept, rows } = await server.database.tenant(
          { tenantId: 'xinghai', userId: 'u-demo' },
          async (trx) => ({
            kept: (
              await sql`select key, unit, user_id, day::text, sum(n) as n, sum(amount) as amount from stat_day
              group by 1, 2, 3, 4 having sum(n) <> 0 or sum(amount) <> 0 order by 1, 2, 3, 4`.execute(trx)
            ).rows,
            rows: (
              await sql`select key, unit, user_id, date_trunc(unit, day)::date::text as day, sum(n) as n, sum(amount) as amount
              from (${COUNTED}) c cross join (values ('day'), ('month')) u(unit)
              group by 1, 2, 3, 4 having sum(n) <> 0 or sum(amount) <> 0 order by 1, 2, 3, 4`.execute(trx)
            ).rows,
          }),
        )
        expect(kept).toEqual(rows)
      }),
      { numRuns: 25 },
    )
    const others = await server.database.tenant({ tenantId: 'yunfan', userId: 'u-yfadmin' }, (trx) =>
      sql`select 1 from stat_day where tenant_id = 'xinghai'`.execute(trx),
    )
    expect(others.rows).toEqual([])
  }, 120_000)
})

describe('a figure computed from sums and rows', () => {
  it('equals the figure of the rows alone, in any spans and time zones', async () => {
    const now = Date.parse('2026-03-31T15:59:59Z')
    const ends = fc.tuple(fc.nat(39), fc.nat(39), fc.constantFrom(0, 1), fc.constantFrom(0, 3_600_000))
    await fc.assert(
      fc.asyncProperty(
        statEvents(now),
        fc.constantFrom(...ZONES),
        fc.array(ends, { minLength: 4 }),
        async (events, zone, cuts) => {
          await writeEvents(server, events, zone)
          const dayOf = (i: number) =>
            startOfDay(wallTimeOf(events[i % events.length]?.at ?? new Date(now), zone))
          const spans = cuts.map(([a, b, later, hour]) => {
            const [start, end] = [dayOf(a), dayOf(b)].sort((x, y) => x - y) as [number, number]
            return { start, end: startOfDay(end, later) + hour }
          })
          await server.database.tenant({ tenantId: 'xinghai', userId: 'u-demo' }, async (trx) => {
            const caller = { tenantId: 'xinghai', userId: 'u-demo', fieldRights: {} } as Caller
            const ctx: CallContext = {
              trx,
              caller,
              zone,
              now: new Date(now),
              cursorSecret: '',
              model: NO_MODEL,
            }
            for (const key of STATISTIC_KEYS.filter((it) => it !== 'new_public_customer')) {
              const question: StatQuestion = { ctx, scope: { kind: 'anyone' }, span: { start: 0, end: 0 } }
              const { entity, sum } = statTable(key)
              const alone = []
              for (const span of spans) {
                const { rows } = await sql<{
                  n: number
                }>`select ${sum === undefined ? sql`count(*)` : sql`coalesce(sum(${sql.ref(sum)}), 0)`} as n
                from ${sql.table(entity)} x where ${rowsOf(key, { ...question, span }, 'x')}`.execute(trx)
                alone.push(rows[0]?.n)
              }
              expect([key, await countPerSpan(key, spans, question)]).toEqual([key, alone])
            }
          })
        },
      ),
      { numRuns: 20 },
    )
  }, 120_000)
})

/** The countable rows, without the sums. */
const COUNTED = sql`
  select 'new_customer' as key, (select r.to_user from owner_record r where r.record_id = x.id and r.to_user is not null
      and r.kind in ('create', 'import', 'convert') order by r.at, r.id limit 1) as user_id,
    x.created_at at time zone 'UTC' as day, 1 as n, 0 as amount from customer x where x.deleted_at is null and exists (
      select 1 from owner_record r where r.record_id = x.id and r.to_user is not null and r.kind in ('create', 'import', 'convert'))
  union all select 'new_bussiness', owner_id, created_at at time zone 'UTC', 1, 0 from bussiness
    where deleted_at is null and owner_id is not null
  union all select 'new_customer_follow', author_id, followed_at at time zone 'UTC', 1, 0 from follow
    where deleted_at is null and source <> 'system'
  union all select 'new_contract', owner_id, sign_date::timestamp, 1, stat_amount from contract
    where deleted_at is null and approval_status = 2
  union all select 'new_amount', owner_id, paid_at::timestamp, case when reverses_id is null then 1 else 0 end, amount from payment
    where deleted_at is null and approval_status = 2`

/** A change of a row that moves it to other people, days or sums, or deletes it. */
function changeOf(table: string, change: number, by: string, days: number): RawBuilder<unknown> {
  const at = sql`${new Date(Date.parse('2026-03-15T16:00:00Z') + days * 86_400_000)}::timestamptz`
  if (change === 0) return sql`deleted_at = now()`
  if (change === 1) return sql`deleted_at = null`
  const changes: { readonly [table: string]: readonly RawBuilder<unknown>[] } = {
    customer: [sql`created_at = ${at}`, sql`pool_id = null, owner_id = ${by}`, sql`remark = '不计'`],
    bussiness: [sql`created_at = ${at}`, sql`owner_id = ${by}`, sql`amount = ${Math.abs(days)}`],
    follow: [sql`followed_at = ${at}`, sql`author_id = ${by}`, sql`source = 'system'`],
    contract: [
      sql`sign_date = ${at}::date`,
      sql`owner_id = ${by}`,
      sql`approval_status = 2, stat_amount = ${days} + 0.5`,
    ],
    payment: [sql`paid_at = ${at}::date`, sql`owner_id = ${by}`, sql`approval_status = 5`],
  }
  return changes[table]?.[change - 2] ?? sql`version = version`
}

describe('trends, rankings and funnels', () => {
  it('add up: buckets to the period, users to the team', async () => {
    const now = Date.parse('2026-03-31T12:00:00Z')
    await fc.assert(
      fc.asyncProperty(statEvents(now), async (events) => {
        server.clock.now = now
        await writeEvents(server, events, 'Asia/Shanghai')
        const manager = await server.as('manager')
        const keys = [
          'new_contract',
          'new_contract_total',
          'new_amount_total',
          'new_customer_follow',
          'new_bussiness',
        ]
        const { statistics } = (await manager.get('/mini/home/overview?period=this_quarter&scope=team')).data
        const trend = (
          await manager.post('/mini/stats/trend', {
            keys,
            period: 'this_quarter',
            scope: 'team',
            bucket: 'week',
          })
        ).data
        const ranks = await Promise.all(
          ['contract_count', 'contract_amount', 'payment_amount', 'follow_count'].map(
            async (metric) =>
              (await manager.post('/mini/stats/rank', { metric, period: 'this_quarter' })).data
                .rows as StatRankRow[],
          ),
        )

        const sums = trend.series.map(({ values }: { values: number[] }) => cents(values))
        expect(sums).toEqual(keys.map((key) => Math.round(statistics[key][1] * 100)))
        const positive = (key: number) => cents((ranks[key] ?? []).map((row) => row.value ?? 0))
        expect([positive(0), positive(1), positive(3)]).toEqual(
          ['new_contract', 'new_contract_total', 'new_customer_follow'].map((key) =>
            Math.round(statistics[key][1] * 100),
          ),
        )
        for (const rows of ranks)
          for (const [i, row] of rows.entries()) expect(row.place).toBeLessThanOrEqual(i + 1)
      }),
      { numRuns: 5 },
    )
  }, 120_000)

  it('end with the span of today, unless something is dated later', async () => {
    server.clock.now = Date.parse('2026-03-11T02:00:00Z')
    const at = new Date('2026-03-10T02:00:00Z')
    const labels = async (events: Parameters<typeof writeEvents>[1], bucket: string) => {
      await writeEvents(server, events, 'Asia/Shanghai')
      const manager = await server.as('manager')
      const question = {
        keys: ['new_contract_total', 'new_amount_total'],
        period: 'this_month',
        scope: 'team',
      }
      const { data } = await manager.post('/mini/stats/trend', { ...question, bucket })
      for (const { values } of data.series) expect(values).toHaveLength(data.labels.length)
      expect(data.buckets).toHaveLength(data.labels.length)
      return data.labels
    }
    const now = { kind: 'contract', by: 'u-demo', at, cents: 100 } as const

    expect(await labels([now], 'week')).toEqual(['03-01', '03-02', '03-09'])
    expect((await labels([now], 'day')).at(-1)).toBe('03-11')
    const later = { ...now, at: new Date('2026-03-18T02:00:00Z') }
    expect(await labels([now, later], 'week')).toEqual(['03-01', '03-02', '03-09', '03-16'])
  })

  it('split a period without gap or overlap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 700 }),
        fc.integer({ min: 1, max: 366 }),
        fc.constantFrom('day', 'week', 'month'),
        (from, days, bucket) => {
          const start = Date.UTC(2025, 0, 1 + from)
          const span = { start, end: start + days * 86_400_000 }
          const buckets = bucketsOf(span, bucket)

          expect(buckets[0]?.start).toBe(span.start)
          expect(buckets.at(-1)?.end).toBe(span.end)
          for (const [i, one] of buckets.entries()) {
            expect(one.start).toBeLessThan(one.end)
            if (i > 0) expect(one.start).toBe(buckets[i - 1]?.end)
          }
        },
      ),
    )
  })

  it('count a cohort of leads step by step, with the median days', async () => {
    server.clock.now = Date.parse('2026-03-20T02:00:00Z')
    await writeEvents(server, [], 'Asia/Shanghai')
    const day = (n: number) => new Date(Date.parse('2026-03-01T02:00:00Z') + n * 86_400_000)
    await server.database.system(async (trx) => {
      await sql`delete from lead`.execute(trx)
      for (const [i, [status, took]] of (
        [
          [10, 0],
          [40, 2],
          [40, 4],
          [40, 6],
          [50, 0],
        ] as const
      ).entries()) {
        const bid = i === 3 ? 'b3' : null
        if (bid !== null)
          await sql`insert into bussiness (tenant_id, id, name, bussiness_no, customer_id, amount, expected_date, stage_id, status,
              closed_at, owner_id, created_at, name_norm, search_text, search_tokens, py, py_initial)
            values ('xinghai', 'b3', '商机', 'b3', 'base', 500, '2026-04-01', 'won', 2, ${day(9)}, 'u-demo', ${day(7)}, '', '', '{}',
              '', '')`.execute(trx)
        await sql`insert into lead (tenant_id, id, name, mobile, status, owner_id, created_at, converted_at, bussiness_id, name_norm,
            search_text, search_tokens, py, py_initial)
          values ('xinghai', ${`l${i}`}, '线索', '13800000000', ${status}, 'u-demo', ${day(0)}, ${day(took)}, ${bid}, '', '', '{}', '',
            '')`.execute(trx)
      }
    })
    const demo = await server.as('demo')

    const { steps, winRate } = (
      await demo.post('/mini/stats/funnel', { mode: 'conversion', period: 'this_month' })
    ).data

    const read = steps.map(
      (step: { key: string; count: number; rate: number | null; days: number | null }) => [
        step.key,
        step.count,
        step.rate,
        step.days,
      ],
    )
    expect(read).toEqual([
      ['leads', 5, null, null],
      ['converted', 3, 60, 4],
      ['bussiness', 1, 33.3, 1],
      ['won', 1, 100, 2],
      ['paid', 0, 0, null],
    ])
    expect(winRate).toEqual({ count: 100, amount: 100 })
  })

  it('never show a negative duration of a step', async () => {
    const day = (n: number) => new Date(Date.parse('2026-03-01T02:00:00Z') + n * 86_400_000)
    await server.database.system(async (trx) => {
      // The opportunity existed before the lead was added to it.
      await sql`update bussiness set created_at = ${day(1)} where id = 'b3'`.execute(trx)
      await sql`update lead set converted_at = ${day(4)} where id = 'l3'`.execute(trx)
    })

    const asked = { mode: 'conversion', period: 'this_month' }
    const { steps } = (await (await server.as('demo')).post('/mini/stats/funnel', asked)).data

    expect(steps.find(({ key }: { key: string }) => key === 'bussiness')).toMatchObject({ count: 1, days: 0 })
  })

  it('show for each stage how long open opportunities have been in it', async () => {
    server.clock.now = Date.parse('2026-03-20T02:00:00Z')
    await writeEvents(server, [], 'Asia/Shanghai')
    const since = (days: number) => new Date(server.clock.now - days * 86_400_000)
    await server.database.system(async (trx) => {
      await sql`update bussiness set status = 2, stage_id = 'won'`.execute(trx)
      const { rows } = await sql<{ value: string }>`select value from dict_item where tenant_id = 'xinghai'
        and type_key = 'bussiness_stage' and value not in ('won', 'lost', 'invalid') order by sort limit 1`.execute(
        trx,
      )
      const stage = rows[0]?.value
      for (const [i, days] of [2, 5, 11].entries())
        await sql`insert into bussiness (tenant_id, id, name, bussiness_no, customer_id, amount, expected_date, stage_id, status,
            owner_id, created_at, stage_since, name_norm, search_text, search_tokens, py, py_initial)
          values ('xinghai', ${`s${i}`}, '商机', ${`s${i}`}, 'base', 500, '2026-04-01', ${stage}, 1, 'u-demo', ${since(20)}, ${since(days)},
            '', '', '{}', '', '')`.execute(trx)
    })

    const { steps } = (await (await server.as('demo')).post('/mini/stats/funnel', { mode: 'stage' })).data
    const found = steps.filter((step: { count: number }) => step.count > 0)

    expect(found.map((step: { days: number }) => step.days)).toEqual([5])
    expect(
      steps
        .filter((step: { count: number }) => step.count === 0)
        .every((step: { days: null }) => step.days === null),
    ).toBe(true)
  })
})

describe('targets', () => {
  it('report that there was none last year', async () => {
    server.clock.now = Date.parse('2026-03-20T02:00:00Z')
    const manager = await server.as('manager')
    const copied = async (year: number) =>
      (await manager.get(`/mini/stats/target?objectType=user&objectId=u-demo&year=${year}&copy=last_year`))
        .data.found
    const months = [{ month: '2026-01', contract_amount: 5, payment_amount: 5 }]
    await manager.post('/mini/stats/target', { year: 2026, objectType: 'user', objectId: 'u-demo', months })

    expect([await copied(2026), await copied(2027)]).toEqual([false, true])
  })

  it('are set by a manager for their users and departments, and shown beside the results', async () => {
    server.clock.now = Date.parse('2026-03-20T02:00:00Z')
    await writeEvents(
      server,
      [{ kind: 'contract', by: 'u-demo', at: new Date('2026-03-10T02:00:00Z'), cents: 123_456 }],
      'Asia/Shanghai',
    )
    const manager = await server.as('manager')
    const demo = await server.as('demo')
    const months = [{ month: '2026-03', contract_amount: 5000, payment_amount: 100.5 }]

    const saved = await manager.post('/mini/stats/target', {
      year: 2026,
      objectType: 'user',
      objectId: 'u-demo',
      months,
    })
    const seen = await demo.get('/mini/stats/target?year=2026')
    const home = (await demo.get('/mini/home/overview')).data

    expect(saved.meta.code).toBe(200)
    expect(seen.data.months[2]).toEqual({
      month: '2026-03',
      contract_amount: 5000,
      contract_goal: 5000,
      payment_amount: 100.5,
      contract_done: 1234.56,
      payment_done: 0,
    })
    expect(seen.data.months[1]).toMatchObject({ contract_amount: 0, contract_goal: null })
    expect(home.target.contract).toEqual({ target: 5000, done: 1234.56, rate: 24.7 })
    expect(home.trend.months).toEqual(['2025-10', '2025-11', '2025-12', '2026-01', '2026-02', '2026-03'])
    expect(home.trend.contract).toEqual([0, 0, 0, 0, 0, 1234.56])
    const refusals = [
      await demo.post('/mini/stats/target', { year: 2026, months }),
      await manager.post('/mini/stats/target', {
        year: 2026,
        objectType: 'user',
        objectId: 'u-zengke',
        months,
      }),
      await manager.post('/mini/stats/target', {
        year: 2026,
        objectType: 'dept',
        objectId: 'xh-sales',
        months,
      }),
      await manager.post('/mini/stats/target', {
        year: 2026,
        objectId: 'u-demo',
        months: [{ month: '2026-03', contract_amount: 0.001 }],
      }),
      await (await server.as('yfadmin')).get('/mini/stats/target?objectType=user&objectId=u-zhaolei'),
    ]
    expect(refusals.map((answer) => answer.meta.code)).toEqual([405, 404, 404, 400, 404])
    const dept = await manager.post('/mini/stats/target', {
      year: 2026,
      objectType: 'dept',
      objectId: 'xh-sales-1',
      months,
    })
    expect(dept.data.months[2].contract_done).toBe(1234.56)
  })

  it('are in no report of another tenant, and the report shows the figures', async () => {
    const demo = await server.as('demo')

    const report = await demo.get('/mini/stats/report?period=month')
    const strange = await demo.get('/mini/stats/report?period=month&userId=u-guopeng')

    expect(report.data.text).toContain('合同金额：¥1,234.56（上期 ¥0.00）')
    expect(strange.meta.code).toBe(405)
  })
})

function cents(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + Math.round(value * 100), 0)
}
