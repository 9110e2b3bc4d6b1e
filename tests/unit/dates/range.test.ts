import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayAt, dayText } from '../../../runtime/core/dates/day.ts'
import { daysOf, type RangeChoice, tapRange } from '../../../runtime/core/dates/range.ts'

const aDay = fc.integer({ min: 15_000, max: 16_500 }).map((count) => dayText(dayAt(count)))

describe('taps on a range', () => {
  const taps = (...days: string[]) => days.reduce<RangeChoice>(tapRange, [])

  it('set the start, then the end; the third starts a new range', () => {
    expect(taps('2026-11-05')).toEqual(['2026-11-05'])
    expect(taps('2026-11-05', '2026-11-09')).toEqual(['2026-11-05', '2026-11-09'])
    expect(taps('2026-11-05', '2026-11-09', '2026-11-07')).toEqual(['2026-11-07'])
  })
  it('swap the ends if the end is earlier', () =>
    expect(taps('2026-11-09', '2026-11-05')).toEqual(['2026-11-05', '2026-11-09']))
  it('can choose one day twice', () =>
    expect(taps('2026-11-09', '2026-11-09')).toEqual(['2026-11-09', '2026-11-09']))
  it('always give an ordered range, complete after each even tap', () => {
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
  it('are all days between the ends, both included, in order, whichever end comes first', () => {
    fc.assert(
      fc.property(aDay, aDay, (a, b) => {
        const days = daysOf(a, b)
        expect([days[0], days.at(-1)]).toEqual([a, b].sort())
        expect([...new Set(days)].sort()).toEqual(days)
        expect(daysOf(b, a)).toEqual(days)
      }),
    )
  })
  it('continue over the end of a month', () => {
    expect(daysOf('2024-02-28', '2024-03-01')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01'])
    expect(daysOf('', '2024-03-01')).toEqual([])
  })
})
