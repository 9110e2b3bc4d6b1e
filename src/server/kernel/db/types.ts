/** How column types arrive in JavaScript, the same for both sources: OID → reader of the text form. */
export const COLUMN_READERS: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number, // int8: counts and sizes stay far below 2^53
  1700: Number, // numeric: money has at most 12 digits (DOMAIN 0), exact in a double
  1082: (text) => text, // date stays `yyyy-MM-dd`: a calendar day has no time zone
  1114: (text) => new Date(`${text.replace(' ', 'T')}Z`),
}
