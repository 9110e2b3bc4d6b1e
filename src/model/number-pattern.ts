/** Parts of a number that say when it was taken, the finest first. */
const DATES = ['yyyyMMdd', 'yyyyMM', 'yyyy'] as const
/** Where the count of a number without a date begins. */
const EVER = '2000-01-01'
const COUNT = /\{(0+)\}/

/** True for a pattern that counts once, as `KH{yyyyMMdd}{0000}`: without its count all numbers would be one. */
export function isNumberPattern(pattern: string): boolean {
  const parts = [...pattern.matchAll(/\{([^{}]*)\}/g)].map(([, part = '']) => part)
  const counts = parts.filter((part) => /^0{1,9}$/.test(part))
  return (
    counts.length === 1 && parts.every((part) => counts.includes(part) || DATES.some((date) => date === part))
  )
}

/** The first day of the time in which the pattern counts on. @param day  `yyyy-MM-dd` */
export function countedFrom(pattern: string, day: string): string {
  const [year = '', month = ''] = day.split('-')
  if (pattern.includes('{yyyyMMdd}')) return day
  if (pattern.includes('{yyyyMM}')) return `${year}-${month}-01`
  return pattern.includes('{yyyy}') ? `${year}-01-01` : EVER
}

/** True where the count never begins again. */
export const isCountedOn = (pattern: string): boolean => countedFrom(pattern, '') === EVER

/** `KH202611200001`: the pattern with the day and the count, of as many digits as it has zeros, or more. */
export function numberOf(pattern: string, day: string, count: number): string {
  const digits = day.replaceAll('-', '')
  return DATES.reduce(
    (text, date) => text.replaceAll(`{${date}}`, digits.slice(0, date.length)),
    pattern,
  ).replace(COUNT, (_, zeros: string) => String(count).padStart(zeros.length, '0'))
}
