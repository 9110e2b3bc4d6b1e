import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createText } from '../../../runtime/browser/catalogue-text.ts'
import { isMonthWithin, monthCells } from '../../../runtime/core/dates/calendar.ts'
import {
  dayAt,
  dayNumber,
  daysInMonth,
  dayText,
  readDay,
  shiftMonth,
  weekday,
} from '../../../runtime/core/dates/day.ts'
import { dayCaption, festivalOf } from '../../../runtime/core/dates/festivals.ts'
import { lunarDay } from '../../../runtime/core/dates/lunar.ts'
import texts from '../../../schemas/text/zh-hans.json' with { type: 'json' }

const t = createText(texts)
const aMonth = fc.record({
  year: fc.integer({ min: 1900, max: 2120 }),
  month: fc.integer({ min: 1, max: 12 }),
})
const aDay = fc.integer({ min: -25_000, max: 55_000 }).map(dayAt)

describe('days', () => {
  it('are counted as the built-in calendar counts them', () => {
    fc.assert(
      fc.property(fc.integer({ min: -200_000, max: 200_000 }), (count) => {
        const date = new Date(count * 86_400_000)
        const day = dayAt(count)
        expect(day).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        })
        expect(dayNumber(day)).toBe(count)
        expect(weekday(day)).toBe(date.getUTCDay())
      }),
    )
  })

  it('are parsed from valid texts only', () => {
    fc.assert(
      fc.property(aDay, (day) => {
        expect(readDay(dayText(day))).toEqual(day)
      }),
    )
    for (const text of ['2025-02-29', '2026-13-01', '2026-00-10', '2026-1-5', '', '明天'])
      expect(readDay(text)).toBeNull()
  })

  it.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2026-01-15', -1, '2025-12-15'],
  ])('%s moved by %i months is %s', (from, by, to) => {
    const day = readDay(from)
    expect(day && dayText(shiftMonth(day, by))).toBe(to)
  })
})

describe('the sheet of a month', () => {
  it('has 42 consecutive days from a Sunday on, including the whole month', () => {
    fc.assert(
      fc.property(aMonth, ({ year, month }) => {
        const cells = monthCells(year, month)
        const numbers = cells.map(({ day }) => dayNumber(day))
        expect(cells).toHaveLength(42)
        expect(weekday(cells[0]?.day ?? { year, month, day: 1 })).toBe(0)
        expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i))
        expect(cells.filter(({ inMonth }) => inMonth)).toHaveLength(daysInMonth(year, month))
      }),
    )
  })

  it('offers the days of the month within the bounds, both included', () => {
    const open = monthCells(2026, 11, { min: '2026-11-05', max: '2026-11-20' }).filter(
      ({ allowed }) => allowed,
    )

    expect(open.map(({ text }) => text).at(0)).toBe('2026-11-05')
    expect(open.map(({ text }) => text).at(-1)).toBe('2026-11-20')
    expect(open).toHaveLength(16)
  })

  it('navigates only to months with a day within the bounds', () => {
    expect(isMonthWithin(2026, 10, { min: '2026-10-31' })).toBe(true)
    expect(isMonthWithin(2026, 9, { min: '2026-10-01' })).toBe(false)
    expect(isMonthWithin(2027, 1, { max: '2026-12-31' })).toBe(false)
  })
})

describe('captions', () => {
  const caption = (text: string, options = {}) => {
    const day = readDay(text)
    return day && dayCaption(day, { text, today: '2026-11-20', ...options }, t)
  }

  it.each([
    ['2026-11-20', '今日'],
    ['2026-02-16', '除夕'],
    ['2026-02-17', '春节'],
    ['2026-03-03', '元宵'],
    ['2026-06-19', '端午'],
    ['2026-08-19', '七夕'],
    ['2026-09-25', '中秋'],
    ['2026-10-18', '重阳'],
    ['2026-01-01', '元旦'],
    ['2026-10-01', '国庆节'],
    ['2026-11-09', '十月'],
    ['2026-11-21', '十三'],
  ])('of %s are %s', (text, words) => expect(caption(text)).toBe(words))

  it('prefers labels of the page', () => expect(caption('2026-02-17', { mark: '放假' })).toBe('放假'))
  it('omit festivals if those are switched off, and the lunar day if that is', () => {
    expect(caption('2026-02-17', { festivals: false })).toBe('正月')
    expect(caption('2026-02-17', { lunar: false })).toBe('春节')
    expect(caption('2026-02-17', { lunar: false, festivals: false })).toBe('')
  })
  it('have no festival in a leap month', () => {
    const day = { year: 2025, month: 7, day: 25 }
    expect(lunarDay(day)).toMatchObject({ month: 6, day: 1, leap: true })
    expect(
      festivalOf({ year: 2033, month: 12, day: 22 }, lunarDay({ year: 2033, month: 12, day: 22 })),
    ).toBeNull()
  })
})
