import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clampDay, clampMoment, clampRange } from '../../../runtime/core/dates/clamp.ts'
import { dayAt, dayText } from '../../../runtime/core/dates/day.ts'
import { daysOf, type RangeChoice, tapRange } from '../../../runtime/core/dates/range.ts'

const aDay = fc.integer({ min: 15_000, max: 16_500 }).map((count) => dayText(dayAt(count)))
const aMoment = fc.tuple(aDay, fc.integer({ min: 0, max: 86_399 })).map(([day, s]) => `${day} ${clock(s)}`)

describe('taps on a range', () => {
  const taps = (...days: string[]) => days.reduce<RangeChoice>(tapRange, [])

  it('set the start, then the end; the third starts again', () => {
    expect(taps('2026-11-05')).toEqual(['2026-11-05'])
    expect(taps('2026-11-05', '2026-11-09')).toEqual(['2026-11-05', '2026-11-09'])
    expect(taps('2026-11-05', '2026-11-09', '2026-11-07')).toEqual(['2026-11-07'])
  })
  it('swap when the end is the earlier one', () =>
    expect(taps('2026-11-09', '2026-11-05')).toEqual(['2026-11-05', '2026-11-09']))
  it('may choose one day twice', () =>
    expect(taps('2026-11-09', '2026-11-09')).toEqual(['2026-11-09', '2026-11-09']))
  it('are always in order, and complete after each even tap', () => {
    fc.assert(
      fc.property(fc.array(aDay, { minLength: 1 }), (days) => {
        const choice = taps(...days)
        expect(choice).toHaveLength(days.length % 2 === 0 ? 2 : 1)
        expect([...choice]).toEqual([...choice].sort())
        expect(choice).toContain(days.at(-1))
      }),
    )
  })
})

describe('the days of a range', () => {
  it('are all between the ends, both included, in order, whichever end is named first', () => {
    fc.assert(
      fc.property(aDay, aDay, (a, b) => {
        const days = daysOf(a, b)
        expect([days[0], days.at(-1)]).toEqual([a, b].sort())
        expect([...new Set(days)].sort()).toEqual(days)
        expect(daysOf(b, a)).toEqual(days)
      }),
    )
  })
  it('fill up over the end of a month', () => {
    expect(daysOf('2024-02-28', '2024-03-01')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01'])
    expect(daysOf('', '2024-03-01')).toEqual([])
  })
})

describe('a moment and its bounds', () => {
  it.each([
    ['2026-11-01 10:00:00', { start: '2026-11-05' }, '2026-11-05 00:00:00'],
    ['2026-11-01 10:00:00', { start: '2026-11-05 08:30:00' }, '2026-11-05 08:30:00'],
    ['2026-11-05 08:00:00', { start: '2026-11-05 08:30:00' }, '2026-11-05 08:30:00'],
    ['2026-11-21 00:00:00', { end: '2026-11-20' }, '2026-11-20 23:59:59'],
    ['2026-11-20 18:00:00', { end: '2026-11-20' }, '2026-11-20 18:00:00'],
    ['2026-11-20 18:00:00', {}, '2026-11-20 18:00:00'],
  ])('%s in %j is %s', (moment, bounds, clamped) => expect(clampMoment(moment, bounds)).toBe(clamped))

  it('stays once it lies within, and lies within once it was brought there', () => {
    fc.assert(
      fc.property(aMoment, aMoment, aMoment, (moment, a, b) => {
        const [start, end] = [a, b].sort()
        const once = clampMoment(moment, { start, end })
        expect(clampMoment(once, { start, end })).toBe(once)
        expect(once >= String(start) && once <= String(end)).toBe(true)
        if (moment >= String(start) && moment <= String(end)) expect(once).toBe(moment)
      }),
    )
  })

  it('takes the other end for a missing one, and swaps', () => {
    expect(clampRange(['', '2026-11-20 08:00:00'], {})).toEqual([
      '2026-11-20 08:00:00',
      '2026-11-20 08:00:00',
    ])
    expect(clampRange(['2026-11-22 08:00:00', '2026-11-20 08:00:00'], { end: '2026-11-21' })).toEqual([
      '2026-11-20 08:00:00',
      '2026-11-21 23:59:59',
    ])
    expect(clampRange(['', ''], {})).toBeNull()
  })

  it('shortens a day beyond the end of its month', () => {
    expect(clampDay({ year: 2025, month: 2, day: 31 }).day).toBe(28)
    expect(clampDay({ year: 2026, month: 4, day: 0 }).day).toBe(1)
  })
})

function clock(seconds: number): string {
  return [seconds / 3600, (seconds % 3600) / 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':')
}
