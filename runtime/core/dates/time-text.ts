/** A time of day. */
export interface TimeOfDay {
  readonly hour: number
  readonly minute: number
  readonly second: number
}

export type TimePart = keyof TimeOfDay

const TOKENS = /HH?|hh?|mm?|ss?|A|a/g
export const NONE: TimeOfDay = { hour: 0, minute: 0, second: 0 }

/** The parts that a format names, the largest first: `HH时mm分` has hours and minutes, `mm:ss` minutes and seconds. */
export function timeParts(format: string): readonly TimePart[] {
  const named: readonly (readonly [TimePart, RegExp])[] = [
    ['hour', /[Hh]/],
    ['minute', /m/],
    ['second', /s/],
  ]
  const parts = named.filter(([, sign]) => sign.test(format)).map(([part]) => part)
  return parts.length > 0 ? parts : ['hour', 'minute']
}

/** Reads what {@link writeTime} wrote in that format, else the usual `08:30` or `08:30:00`; null when it is neither. */
export function readTime(text: string, format: string): TimeOfDay | null {
  return timeIn(text, format) ?? timeIn(text, 'H:m:s') ?? timeIn(text, 'H:m')
}

/** Writes a time in a format: `HH`, `H`, `hh`, `h` with `A` or `a`, `mm`, `m`, `ss`, `s`; any other sign stands for itself. */
export function writeTime(time: TimeOfDay, format: string): string {
  return format.replace(TOKENS, (token) => writeTimeToken(time, token))
}

export function writeTimeToken({ hour, minute, second }: TimeOfDay, token: string): string {
  if (token === 'A' || token === 'a') return cased(hour < 12 ? 'AM' : 'PM', token)
  const number = { H: hour, h: hour % 12 || 12, m: minute, s: second }[token.charAt(0)] ?? 0
  return String(number).padStart(token.length, '0')
}

/** Seconds since midnight. */
export const secondOfDay = ({ hour, minute, second }: TimeOfDay): number => (hour * 60 + minute) * 60 + second

function timeIn(text: string, format: string): TimeOfDay | null {
  const tokens = format.match(TOKENS) ?? []
  const found = patternOf(format).exec(text.trim())
  if (found === null || tokens.length === 0) return null
  const time = readTimeTokens(
    Object.fromEntries(tokens.map((token, i) => [token.charAt(0), found[i + 1] ?? ''])),
  )
  return time.hour < 24 && time.minute < 60 && time.second < 60 ? time : null
}

/** The time of what was found under the first letter of each token. */
export function readTimeTokens(found: Readonly<Record<string, string>>): TimeOfDay {
  const { H, h, A, a } = found
  const half = (A ?? a)?.toUpperCase()
  const written = Number(H ?? h ?? 0)
  const hour = half === undefined ? written : (written % 12) + (half === 'PM' ? 12 : 0)
  return { hour, minute: Number(found.m ?? 0), second: Number(found.s ?? 0) }
}

function patternOf(format: string): RegExp {
  const parts = format.split(TOKENS).map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  const tokens = (format.match(TOKENS) ?? []).map((token) =>
    token === 'A' || token === 'a' ? '([AaPp][Mm])' : '(\\d{1,2})',
  )
  return new RegExp(`^${parts.map((part, i) => `${part}${tokens[i] ?? ''}`).join('')}$`)
}

const cased = (half: string, token: string): string => (token === 'A' ? half : half.toLowerCase())
