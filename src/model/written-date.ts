const DAY_MS = 86_400_000
/** What Excel counts as day 0 (its 29th of February 1900 is counted, so from March 1900 on it fits). */
const EXCEL_ZERO = Date.UTC(1899, 11, 30)
/** Numbers that are days of Excel rather than years or dates written without marks: 1927 to 2173. */
const MIN_EXCEL = 10_000
const MAX_EXCEL = 100_000

const DATE =
  /^(\d{4})(?:[-/.]|\s*年\s*)(\d{1,2})(?:[-/.]|\s*月\s*)(\d{1,2})\s*(?:日|号)?(?:[T\s]*(?:(上午|下午|晚上|中午|凌晨)\s*)?(\d{1,2})\s*[:：时点]\s*(\d{1,2})?\s*分?(?:[:：]?\s*(\d{1,2})\s*秒?)?)?$/
const BARE = /^(\d{4})(\d{2})(\d{2})$/

/**
 * A date as people write it (2026/3/5, 2026年3月5日, 2026.3.5, 20260305, a day of Excel, each with or without a time) as
 * `yyyy-MM-dd` or `yyyy-MM-dd HH:mm:ss`; what is no date stays as it is, for the field's own rule to refuse.
 */
export function writtenDate(written: string, isDay: boolean): string {
  const serial = Number(written)
  if (Number.isFinite(serial) && serial >= MIN_EXCEL && serial < MAX_EXCEL)
    return isoOf(EXCEL_ZERO + Math.round((serial * DAY_MS) / 1000) * 1000, isDay)
  const [, year, month, day, part, hour, minute, second] = DATE.exec(written) ?? BARE.exec(written) ?? []
  if (year === undefined || month === undefined || day === undefined) return written
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (isDay) return date
  return `${date} ${two(hourOf(Number(hour ?? 0), part))}:${two(Number(minute ?? 0))}:${two(Number(second ?? 0))}`
}

const two = (value: number): string => String(value).padStart(2, '0')

const LATER = /下午|晚上/
const NOON = /中午/

function hourOf(hour: number, part: string | undefined): number {
  const isLater = LATER.test(part ?? '') || (NOON.test(part ?? '') && hour < 11)
  return isLater && hour < 12 ? hour + 12 : hour
}

function isoOf(ms: number, isDay: boolean): string {
  return new Date(ms)
    .toISOString()
    .slice(0, isDay ? 10 : 19)
    .replace('T', ' ')
}
