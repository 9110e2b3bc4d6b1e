import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STATISTIC_KEYS, type StatisticKey } from '../../../src/contract/home.ts'
import { customSpans, PERIODS, spansOf, type WallSpan } from '../../../src/server/kernel/time/period.ts'
import { instantOf, wallTimeOf } from '../../../src/server/kernel/time/zone.ts'
import { countedIds, type StatEvent, statEvents, writeEvents } from '../stat-events.ts'
import { openTestApp, type TestApp } from '../support.ts'

const NAMED = PERIODS.filter((period) => period !== 'custom')
const aMoment = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2027-12-31T00:00:00Z'),
  noInvalidDate: true,
})
const zones = fc.constantFrom('Asia/Shanghai', 'UTC', 'America/New_York', 'Pacific/Auckland')

describe('periods', () => {
  it('include the current time exactly if they are named after today or the current period', () => {
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

  it('are adjacent without a gap: the period before this month is last month', () => {
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

  it('end the previous month at its own end on the 31st', () => {
    const { previous } = spansOf('this_month', Date.UTC(2026, 2, 31, 12))

    expect(new Date(previous.end).toISOString()).toBe('2026-03-01T00:00:00.000Z')
  })

  it('compare chosen days with the same number of days before', () => {
    const { current, previous } = customSpans(
      Date.UTC(2026, 1, 27),
      Date.UTC(2026, 2, 2),
      Date.UTC(2026, 5, 1),
    )

    expect(current.end - current.start).toBe(4 * 86_400_000)
    expect(new Date(previous.start).toISOString()).toBe('2026-02-23T00:00:00.000Z')
  })

  it('begin at midnight of the tenant’s time zone, even across a clock change', () => {
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
})
afterAll(() => server.close())

/** The scope of `manager`. */
const MANAGED: readonly string[] = ['u-demo', 'u-zhaolei']
const ZONE = 'Asia/Shanghai'

describe('the eight figures', () => {
  it('equal the rows counted one by one, for every period and scope, across month ends and midnight of the time zone (DOMAIN 8.8 no. 10)', async () => {
    const nows = [
      '2026-03-31T15:59:59Z',
      '2026-03-31T16:00:00Z',
      '2026-03-01T02:00:00Z',
      '2026-01-01T04:00:00Z',
    ].map(Date.parse)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...nows).chain((now) => fc.tuple(fc.constant(now), statEvents(now))),
        async ([now, events]) => compareAll(now, events),
      ),
      { numRuns: 8 },
    )
  }, 120_000)

  it('count a time on the boundary only in the later period', async () => {
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
      moments.flatMap((at) => kinds.map((kind) => ({ kind, at, by: 'u-demo' as const, cents: 125 }))),
    )
  })

  it('open lists with exactly their rows', async () => {
    server.clock.now = Date.parse('2026-03-20T02:00:00Z')
    const at = new Date('2026-03-10T02:00:00Z')
    const kinds = ['customer', 'customer', 'release', 'follow', 'deleted', 'pool'] as const
    await writeEvents(
      server,
      kinds.map((kind) => ({ kind, by: 'u-demo', at, cents: 100 })),
      ZONE,
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

  it('are refused outside the data scope', async () => {
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

/** Requests every period, for demo alone and for the manager's team, and compares it with a count of single events. */
async function compareAll(now: number, events: readonly StatEvent[]): Promise<void> {
  await writeEvents(server, events, ZONE)
  server.clock.now = now
  const asked = [
    [await server.as('demo'), 'mine', ['u-demo']],
    [await server.as('manager'), 'team', MANAGED],
  ] as const
  for (const period of NAMED) {
    const spans = spansOf(period, wallTimeOf(new Date(now), ZONE))
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

/** The figure itself: a count or a sum. */
function countOf(
  key: StatisticKey,
  events: readonly StatEvent[],
  people: readonly string[],
  span: WallSpan,
): number {
  const rows = countedIds(key, events, people, { span, zone: ZONE })
  return key.endsWith('_total') ? rows.reduce((sum, { cents }) => sum + cents, 0) / 100 : rows.length
}
