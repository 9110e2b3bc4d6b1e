import { describe, expect, it } from 'vitest'
import { dayAt, dayNumber } from '../../../runtime/core/dates/day.ts'
import { lunarDay, monthsOf } from '../../../runtime/core/dates/lunar.ts'
import { LUNAR_YEARS } from '../../../runtime/core/dates/lunar-table.ts'

const FIRST = dayNumber({ year: 1900, month: 1, day: 31 })
const LAST = dayNumber({ year: 2100, month: 12, day: 31 })
const at = (text: string) => {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return lunarDay({ year, month, day })
}

describe('the lunar table', () => {
  it('has 201 years and 73412 days', () => {
    const days = LUNAR_YEARS.flatMap((_, i) => monthsOf(1900 + i)).reduce(
      (sum, month) => sum + month.length,
      0,
    )

    expect(LUNAR_YEARS).toHaveLength(201)
    expect(days).toBe(73_412)
  })

  it('has months of 29 or 30 days that add up to the year', () => {
    for (const [i, written] of LUNAR_YEARS.entries()) {
      const months = monthsOf(1900 + i)
      expect(written).toMatch(/^[0-9ab][01][0-9a-f]{3}$/)
      expect(months).toHaveLength(written.startsWith('0') ? 12 : 13)
      expect(months.filter(({ leap }) => leap)).toHaveLength(written.startsWith('0') ? 0 : 1)
    }
  })
})

describe('the lunar calendar', () => {
  it.each([
    ['1900-01-31', 1900, 8],
    ['1984-02-02', 1984, 10],
    ['2000-02-05', 2000, 0],
    ['2020-01-25', 2020, 4],
    ['2023-01-22', 2023, 2],
    ['2024-02-10', 2024, 0],
    ['2025-01-29', 2025, 6],
    ['2026-02-17', 2026, 0],
    ['2033-01-31', 2033, 11],
    ['2050-01-23', 2050, 3],
    ['2100-02-09', 2100, 0],
  ])('begins a year on %s', (text, year, leap) => {
    expect(at(text)).toMatchObject({
      year,
      month: 1,
      day: 1,
      leap: false,
      dayName: '初一',
      monthName: '正月',
    })
    expect(monthsOf(year).find((month) => month.leap)?.month ?? 0).toBe(leap)
  })

  it('continues day by day from 1900 to 2100', () => {
    let before = lunarDay(dayAt(FIRST))
    for (let number = FIRST + 1; number <= LAST; number += 1) {
      const next = lunarDay(dayAt(number))
      if (before === null || next === null) throw new Error(`no lunar day for ${number}`)
      if (next.day === 1) expect([29, 30]).toContain(before.day)
      else expect([next.day, next.month, next.leap]).toEqual([before.day + 1, before.month, before.leap])
      expect(before.lastOfYear).toBe(next.year === before.year + 1)
      before = next
    }
  })

  it('has no answer outside its years', () => {
    expect(at('1900-01-30')).toBeNull()
    expect(at('2101-01-01')).toBeNull()
    expect(at('2100-12-31')).not.toBeNull()
  })

  it.each([
    ['2026-11-20', '十月', '十二', '丙午', '马'],
    ['2025-07-25', '闰六月', '初一', '乙巳', '蛇'],
    ['2024-01-10', '冬月', '廿九', '癸卯', '兔'],
    ['2024-02-09', '腊月', '三十', '癸卯', '兔'],
    ['2024-02-29', '正月', '二十', '甲辰', '龙'],
  ])('names %s %s%s in the year %s of the %s', (text, monthName, dayName, yearName, animal) => {
    expect(at(text)).toMatchObject({ monthName, dayName, yearName, animal })
  })
})
