import { describe, expect, it } from 'vitest'
import { precisionOf, readDate, shortcutDate, writeDate } from '../../../../runtime/core/dates/date-text.ts'

describe('dates as text', () => {
  it.each([
    ['YYYY-MM-DD', '2024-05-06'],
    ['yyyy年MM月dd日', '2024年05月06日'],
    ['YYYY-MM-DD HH:mm', '2024-05-06 10:30'],
  ])('are read as they were written in %s', (format, text) => {
    const date = readDate(text, format)
    expect(date && writeDate(date, format)).toBe(text)
  })
  it('accept ISO if the format does not match, and nothing for invalid texts', () => {
    expect(readDate('2024-05-06T00:00:00', 'YYYY/MM/DD')?.getDate()).toBe(6)
    expect(readDate('明天', 'YYYY-MM-DD')).toBeNull()
  })
  it.each([
    ['YYYY-MM', 'month'],
    ['yyyy-MM-dd', 'day'],
    ['YYYY-MM-DD HH:mm', 'minute'],
    ['YYYY-MM-DD HH:mm:ss', 'second'],
  ])('%s is picked to the %s', (format, precision) => expect(precisionOf(format)).toBe(precision))
})

describe('shortcuts', () => {
  const monday = new Date(2024, 4, 6, 15, 0)

  it.each([
    [{ days: 1, time: '09:00' }, '2024-05-07 09:00'],
    [{ weekday: 1, time: '09:00' }, '2024-05-13 09:00'],
    [{ weekday: 7 }, '2024-05-12 00:00'],
    [{ weekday: 2 }, '2024-05-07 00:00'],
  ])('%j is %s', (shortcut, text) => {
    expect(writeDate(shortcutDate(shortcut, monday), 'YYYY-MM-DD HH:mm')).toBe(text)
  })
})
