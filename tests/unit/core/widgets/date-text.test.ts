import { describe, expect, it } from 'vitest'
import { precisionOf, readDate, shortcutDate, writeDate } from '../../../../runtime/core/dates/date-text.ts'

describe('dates as text', () => {
  it.each([
    ['YYYY-MM-DD', '2024-05-06'],
    ['yyyy年MM月dd日', '2024年05月06日'],
    ['YYYY-MM-DD HH:mm', '2024-05-06 10:30'],
    ['YYYYMMDDHHmmss', '20240506103015'],
    ['D/M/YY h:mm a', '6/5/24 10:30 pm'],
    ['MMM D, YYYY hh A', 'May 6, 2024 12 AM'],
    ['D MMMM YYYY', '31 December 2024'],
    ['[第]D[天] YYYY-MM', '第6天 2024-05'],
  ])('survive a round trip in %s', (format, text) => {
    const date = readDate(text, format)
    expect(date && writeDate(date, format)).toBe(text)
  })
  it('accept ISO if the format does not match, and nothing for invalid texts', () => {
    expect(readDate('2024-05-06T00:00:00', 'YYYY/MM/DD')?.getDate()).toBe(6)
    expect(readDate('2024-05', 'YYYY-MM-DD')).toEqual(new Date(2024, 4, 1))
    expect(readDate('2024-5-6 8:30', 'HH:mm')).toEqual(new Date(2024, 4, 6, 8, 30))
    for (const nonsense of ['明天', '2024-02-30', '2024-13-01', '2024-05-06 25:00'])
      expect(readDate(nonsense, 'YYYY-MM-DD HH:mm'), nonsense).toBeNull()
  })
  it('take the given year if they have none', () => {
    expect(readDate('5月6日', 'M月D日', 2026)).toEqual(new Date(2026, 4, 6))
  })
  it.each(['', 'YYYY-MM-DDTHH:mm:ssZ', 'YYYY-MM-DD[T]HH:mm:ss.SSSZZ'])(
    'name their time zone in %j',
    (format) => {
      const date = new Date(2024, 4, 6, 10, 30, 15)
      expect(Date.parse(writeDate(date, format))).toBe(date.getTime())
      expect(readDate(writeDate(date, format), format)).toEqual(date)
    },
  )
  it('denote the same instant in another zone', () => {
    expect(readDate('2024-05-06T10:30:15-0330', 'YYYY-MM-DDTHH:mm:ssZ')).toEqual(
      new Date('2024-05-06T14:00:15Z'),
    )
  })
  it.each([
    ['YYYY-MM', 'month'],
    ['yyyy-MM-dd', 'day'],
    ['YYYY-MM-DD HH:mm', 'minute'],
    ['YYYY-MM-DD HH:mm:ss', 'second'],
  ])('are picked to the given precision: %s to the %s', (format, precision) =>
    expect(precisionOf(format)).toBe(precision),
  )
})

describe('shortcuts', () => {
  const monday = new Date(2024, 4, 6, 15, 0)

  it.each([
    [{ days: 1, time: '09:00' }, '2024-05-07 09:00'],
    [{ weekday: 1, time: '09:00' }, '2024-05-13 09:00'],
    [{ weekday: 7 }, '2024-05-12 00:00'],
    [{ weekday: 2 }, '2024-05-07 00:00'],
  ])('resolve %j to %s', (shortcut, text) => {
    expect(writeDate(shortcutDate(shortcut, monday), 'YYYY-MM-DD HH:mm')).toBe(text)
  })
})
