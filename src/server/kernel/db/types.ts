import pg from 'pg'

type Reader = (text: string) => unknown

/** pg's parsers for unusual values: infinite times and times BC, texts with quotes in lists. */
const asPg = (oid: number): Reader => pg.types.getTypeParser(oid, 'text') as Reader
const MOMENT = 1184
const TEXTS = 1009
const momentAsPg = asPg(MOMENT)
const textsAsPg = asPg(TEXTS)

/** How column types arrive in JavaScript, the same for both sources: OID → parser of the text form. */
export const COLUMN_READERS: Readonly<Record<number, Reader>> = {
  20: Number, // int8: counts and sizes stay far below 2^53
  1700: Number, // numeric: money has at most 12 digits (DOMAIN 0), exact in a double
  1082: (text) => text, // date stays `yyyy-MM-dd`: a calendar day has no time zone
  1114: (text) => new Date(`${text.replace(' ', 'T')}Z`),
  [MOMENT]: readMoment,
  [TEXTS]: readTexts,
}

/** `2026-11-25 10:23:11.123+00`, as PostgreSQL formats a timestamp; every cell of a list may be one. */
const USUAL = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?[+-]\d\d$/
const HOUR_MS = 3_600_000

function readMoment(text: string): unknown {
  if (!USUAL.test(text)) return momentAsPg(text)
  const two = (at: number): number => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
  const end = text.length - 3
  let ms = 0
  for (let at = 20, worth = 100; at < end; at += 1, worth /= 10) ms += (text.charCodeAt(at) - 48) * worth
  const wall = Date.UTC(two(0) * 100 + two(2), two(5) - 1, two(8), two(11), two(14), two(17), ms)
  // Years before 100 would be interpreted as years of the last century.
  if (two(0) === 0) return momentAsPg(text)
  const ahead = two(end + 1) * HOUR_MS
  return new Date(text.charCodeAt(end) === 45 ? wall + ahead : wall - ahead)
}

/** `{重点,老客户}`: names and codes need no quotes. */
function readTexts(text: string): unknown {
  if (text === '{}') return []
  const isPlain = text.startsWith('{') && !/["\\{]|NULL/i.test(text.slice(1))
  return isPlain ? text.slice(1, -1).split(',') : textsAsPg(text)
}
