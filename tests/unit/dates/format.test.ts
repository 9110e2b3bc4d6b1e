import { describe, expect, it } from 'vitest'
import { asWallClock, formatDate, wallClock } from '../../../runtime/core/dates/format.ts'

describe('formatDate', () => {
  it.each([
    ['2026-02-28', 'yyyy/MM/dd', '2026/02/28'],
    ['2026-2-8', 'YYYY年MM月DD日', '2026年02月08日'],
    ['2026-02-28T09:05', 'HH:mm:ss', '09:05:00'],
    ['2026/02/28 23:59:59', 'YYYY-MM-DD HH:mm', '2026-02-28 23:59'],
  ])('writes %s as %s', (text, pattern, written) => {
    expect(formatDate(text, pattern)).toBe(written)
  })

  it.each(['', 'soon', '2026-02-30', '2026-13-01', '2026-02-28 25:00'])('finds no date in %j', (text) => {
    expect(formatDate(text, 'YYYY')).toBeNull()
  })
})

describe('wallClock', () => {
  it('is the local time of the zone, wherever the program runs', () => {
    expect(wallClock(Date.UTC(2026, 0, 31, 18, 0, 0))).toBe('2026-02-01 02:00:00')
    expect(wallClock(0, 0)).toBe('1970-01-01 00:00:00')
    expect(asWallClock('2026-01-31T18:00:00Z')).toBe('2026-02-01 02:00:00')
    expect(asWallClock('2026-01-31 18:00:00')).toBe('2026-01-31 18:00:00')
  })
})
