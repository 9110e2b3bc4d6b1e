const DATE = /^(\d{4})-(\d{2})-(\d{2})/

/**
 * The same day a number of months later, as `yyyy-MM-dd`, shortened to the length of that month: one month after 31 January is
 * 28 February. Null when `from` is no date or the count no number.
 */
export function addMonths(from: unknown, count: unknown): string | null {
  const parts = typeof from === 'string' ? DATE.exec(from) : null
  const months = Math.trunc(Number(count))
  if (parts === null || !Number.isFinite(months)) return null
  const [, year, month, day] = parts.map(Number)
  const first = Date.UTC(year ?? 0, (month ?? 1) - 1 + months, 1)
  const target = new Date(first)
  const length = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  if (Number.isNaN(first)) return null
  target.setUTCDate(Math.min(day ?? 1, length))
  return target.toISOString().slice(0, 10)
}
