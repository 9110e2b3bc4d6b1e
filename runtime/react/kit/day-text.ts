import type { Text } from '../../core/ports.ts'

const two = (n: number): string => String(n).padStart(2, '0')
const dayKey = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
const DAY_MS = 86_400_000

/** The heading of a day: 今天, 昨天, 3月5日, with the year if it is another one. `day` is `YYYY-MM-DD`. */
export function dayOf(day: string, today: Date, text: Text): string {
  if (day === dayKey(today)) return text('day.today')
  if (day === dayKey(new Date(today.getTime() - DAY_MS))) return text('day.yesterday')
  const [year = '', month = '', date = ''] = day.split('-')
  const params = { year, month: Number(month), date: Number(date) }
  return year === String(today.getFullYear()) ? text('day.short', params) : text('day.long', params)
}

/** The time of `YYYY-MM-DD HH:mm:ss` to the minute; with the date if days have no headings. */
export function timeOf(moment: string, headed: boolean): string {
  return headed ? moment.slice(11, 16) : moment.slice(0, 16)
}
