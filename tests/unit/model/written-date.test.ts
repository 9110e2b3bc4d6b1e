import { describe, expect, it } from 'vitest'
import { writtenDate } from '../../../src/model/written-date.ts'

describe('a date in everyday notation', () => {
  it.each([
    ...['2026-03-05', '2026-3-5', '2026/3/5', '2026/03/05', '2026.3.5', '2026年3月5日', '2026 年 3 月 5 日'],
    ...['2026年3月5号', '20260305', '46086', '2026/3/5 14:30'],
  ])('%s is parsed as a day', (written) => {
    expect(writtenDate(written, true)).toBe('2026-03-05')
  })

  it.each([
    ['2026/3/5', '2026-03-05 00:00:00'],
    ['2026/3/5 9:05', '2026-03-05 09:05:00'],
    ['2026-03-05 09:05:07', '2026-03-05 09:05:07'],
    ['2026年3月5日 14时30分', '2026-03-05 14:30:00'],
    ['2026年3月5日 下午2:30', '2026-03-05 14:30:00'],
    ['2026年3月5日 上午9点', '2026-03-05 09:00:00'],
    ['46086.604166667', '2026-03-05 14:30:00'],
  ])('%s is parsed as a date with time', (written, moment) => {
    expect(writtenDate(written, false)).toBe(moment)
  })

  it.each(['下周三', '3月5日', '2026', '2026年', '12', '202603051'])('%s stays unchanged', (written) => {
    expect(writtenDate(written, true)).toBe(written)
  })
})
