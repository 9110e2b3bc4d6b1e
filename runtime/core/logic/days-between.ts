const DAY_MS = 86_400_000
const DATE = /^(\d{4})-(\d{2})-(\d{2})/

/** Whole days from one wall-clock date to the other (`yyyy-MM-dd…`), negative when `to` is earlier; null when either is no date. */
export function daysBetween(from: unknown, to: unknown): number | null {
  const start = dayNumber(from)
  const end = dayNumber(to)
  return start === null || end === null ? null : end - start
}

function dayNumber(text: unknown): number | null {
  const parts = typeof text === 'string' ? DATE.exec(text) : null
  if (parts === null) return null
  return Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])) / DAY_MS
}
