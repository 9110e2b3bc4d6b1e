/** What makes a lead complete; the share that is filled is its score (DOMAIN 1.4). */
const KEY_FIELDS = [
  ['contact_name'],
  ['mobile', 'telephone'],
  ['wechat', 'email'],
  ['position'],
  ['level'],
  ['industry'],
  ['scale'],
  ['region'],
  ['demand'],
  ['budget'],
  ['expected_date'],
  ['products'],
] as const

/** 0 to 100: the share of key fields that hold something. */
export function completeness(source: Readonly<Record<string, unknown>>): number {
  const isFilled = (value: unknown) =>
    Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined
  const filled = KEY_FIELDS.filter((ways) => ways.some((field) => isFilled(source[field])))
  return Math.round((filled.length / KEY_FIELDS.length) * 100)
}
