import { daysInMonth } from './day.ts'

/** Years a date field offers when the page sets no bounds. */
export const FIRST_YEAR = 1920
export const LAST_YEAR = 2120

/** The units of the wheels, the largest first. */
export const WHEEL_PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

export type WheelPart = (typeof WHEEL_PARTS)[number]

/** One line of a wheel. `key` is the wheel's value while it is on this line. */
export interface WheelItem {
  readonly key: string
  readonly number: number
}

/** First and last selectable time, as `2026-01-05 08:30:00`. */
export interface WheelBounds {
  readonly start: string
  readonly end: string
}

/**
 * The lines of each wheel. A number that no longer exists (the 31st after switching to February, the minutes before the first
 * time) is replaced by the nearest existing one; the line keeps the original key, so that it is restored in March.
 *
 * @param keys  the current values of the wheels
 * @param finest  the smallest unit that is selected
 */
export function wheelsOf(
  keys: readonly string[],
  bounds: WheelBounds,
  finest: WheelPart,
): readonly (readonly WheelItem[])[] {
  return turned(keys, bounds, finest).map(({ low, high, key, number }) =>
    Array.from({ length: high - low + 1 }, (_, i) => ({
      key: low + i === number ? key : String(low + i),
      number: low + i,
    })),
  )
}

/** The selected time in wire format; units without a wheel have the first value within the bounds. */
export function momentOfWheels(keys: readonly string[], bounds: WheelBounds, finest: WheelPart): string {
  const picked = keys.slice(0, WHEEL_PARTS.indexOf(finest) + 1)
  const numbers = turned(picked, bounds, 'second').map(({ number }) => number)
  const [year = 1, month = 1, day = 1, hour = 0, minute = 0, second = 0] = numbers
  const two = (number: number) => String(number).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`
}

/** What the wheels stand on for a moment in wire form. */
export function keysOf(moment: string, finest: WheelPart): readonly string[] {
  return numbersOf(moment)
    .slice(0, WHEEL_PARTS.indexOf(finest) + 1)
    .map(String)
}

interface Turned {
  readonly low: number
  readonly high: number
  readonly key: string
  readonly number: number
}

function turned(keys: readonly string[], bounds: WheelBounds, finest: WheelPart): readonly Turned[] {
  const start = numbersOf(bounds.start)
  const end = numbersOf(bounds.end)
  const out: Turned[] = []
  let atStart = true
  let atEnd = true
  for (let i = 0; i <= WHEEL_PARTS.indexOf(finest); i += 1) {
    const low: number = atStart ? (start[i] ?? 0) : i === 1 || i === 2 ? 1 : 0
    const high: number = atEnd ? (end[i] ?? 0) : lastOf(i, out)
    const key = keys[i] ?? String(low)
    const number = Math.max(low, Math.min(high, Number(key) || 0))
    atStart &&= number === low
    atEnd &&= number === high
    out.push({ low, high, key, number })
  }
  return out
}

/** The last number of a wheel without a bound; the years always have one. */
function lastOf(part: number, [year, month]: readonly Turned[]): number {
  if (part === 1) return 12
  if (part === 2) return daysInMonth(year?.number ?? 1, month?.number ?? 1)
  return part === 3 ? 23 : 59
}

const numbersOf = (moment: string): readonly number[] => (moment.match(/\d+/g) ?? []).map(Number)
