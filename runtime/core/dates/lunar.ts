import { type Day, dayNumber } from './day.ts'
import { FIRST_LUNAR_YEAR, LUNAR_YEARS } from './lunar-table.ts'

/** A day of the Chinese calendar. */
export interface LunarDay {
  readonly year: number
  /** 1 to 12; a leap month has the number of the one before it. */
  readonly month: number
  readonly day: number
  readonly leap: boolean
  /** 正月, 闰六月, 腊月. */
  readonly monthName: string
  /** 初一, 廿三, 三十. */
  readonly dayName: string
  /** Stem and branch of the year: 丙午. */
  readonly yearName: string
  readonly animal: string
  /** The last day of the lunar year. */
  readonly lastOfYear: boolean
}

interface LunarMonth {
  readonly month: number
  readonly leap: boolean
  readonly length: number
}

const FIRST_DAY = dayNumber({ year: 1900, month: 1, day: 31 })
const LAST_DAY = dayNumber({ year: 2100, month: 12, day: 31 })
const MONTHS = '正二三四五六七八九十冬腊'
const TENS = '初十廿三'
const DIGITS = '十一二三四五六七八九'
const STEMS = '甲乙丙丁戊己庚辛壬癸'
const BRANCHES = '子丑寅卯辰巳午未申酉戌亥'
const ANIMALS = '鼠牛虎兔龙蛇马羊猴鸡狗猪'

/** The lunar date of a Gregorian one, 1900-01-31 to 2100-12-31; null outside. */
export function lunarDay(day: Day): LunarDay | null {
  const number = dayNumber(day)
  if (number < FIRST_DAY || number > LAST_DAY) return null
  let remainingDays = number - FIRST_DAY
  let year = FIRST_LUNAR_YEAR
  while (remainingDays >= yearLength(year)) {
    remainingDays -= yearLength(year)
    year += 1
  }
  const lastOfYear = remainingDays === yearLength(year) - 1
  const months = monthsOf(year)
  let at = 0
  while (remainingDays >= (months[at]?.length ?? 1)) {
    remainingDays -= months[at]?.length ?? 1
    at += 1
  }
  const { month, leap } = months[at] ?? { month: 1, leap: false }
  return {
    year,
    month,
    day: remainingDays + 1,
    leap,
    monthName: `${leap ? '闰' : ''}${MONTHS[month - 1]}月`,
    dayName: dayName(remainingDays + 1),
    yearName: `${STEMS[(year - 4) % 10]}${BRANCHES[(year - 4) % 12]}`,
    animal: ANIMALS[(year - 4) % 12] ?? '',
    lastOfYear,
  }
}

/** The months of a lunar year in calendar order; the leap month follows its namesake. Empty outside of the table. */
export function monthsOf(year: number): readonly LunarMonth[] {
  const known = cache.get(year)
  if (known) return known
  const written = LUNAR_YEARS[year - FIRST_LUNAR_YEAR]
  if (written === undefined) return []
  const leapMonth = Number.parseInt(written.charAt(0), 16)
  const count = leapMonth === 0 ? 12 : 13
  const bits = Number.parseInt(written.slice(1), 16)
  const months = Array.from({ length: count }, (_, i) => ({
    month: leapMonth > 0 && i >= leapMonth ? i : i + 1,
    leap: leapMonth > 0 && i === leapMonth,
    length: (bits >> (count - 1 - i)) & 1 ? 30 : 29,
  }))
  cache.set(year, months)
  return months
}

const cache = new Map<number, readonly LunarMonth[]>()

/** Days of a lunar year; beyond the table a large number, so that counting ends. */
function yearLength(year: number): number {
  return monthsOf(year).reduce((sum, { length }) => sum + length, 0) || Number.POSITIVE_INFINITY
}

function dayName(day: number): string {
  if (day === 10) return '初十'
  if (day === 20) return '二十'
  if (day === 30) return '三十'
  return `${TENS[Math.floor(day / 10)]}${DIGITS[day % 10]}`
}
