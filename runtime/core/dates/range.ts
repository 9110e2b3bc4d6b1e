import { dayAt, dayNumber, dayText, readDay } from './day.ts'

/** The taps so far: nothing, a start, or a start and an end in order. Days as `2026-01-05`. */
export type RangeChoice = readonly [] | readonly [string] | readonly [string, string]

/** First tap: the start. Second: the end, swapped if it is earlier. Third: clears everything and is the new start. */
export function tapRange(choice: RangeChoice, day: string): RangeChoice {
  const [start, end] = choice
  return start === undefined || end !== undefined ? [day] : orderRange(start, day)
}

/** Two comparable texts, the earlier one first. */
export function orderRange(a: string, b: string): readonly [string, string] {
  return a <= b ? [a, b] : [b, a]
}

/** Every day from one to the other, both included, in order; swapped ends are corrected. Empty for texts that are not days. */
export function daysOf(a: string, b: string): readonly string[] {
  const [start, end] = orderRange(a, b)
  const from = readDay(start)
  const to = readDay(end)
  if (from === null || to === null) return []
  const first = dayNumber(from)
  return Array.from({ length: dayNumber(to) - first + 1 }, (_, i) => dayText(dayAt(first + i)))
}
