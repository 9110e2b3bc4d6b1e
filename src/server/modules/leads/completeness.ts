/** The fields whose filled share is the completeness score of a lead (DOMAIN 1.4). */
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

/** 0 to 100: the share of key fields that are filled. */
export function completeness(source: Readonly<Record<string, unknown>>): number {
  const isFilled = (value: unknown) =>
    Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined
  const filled = KEY_FIELDS.filter((fields) => fields.some((field) => isFilled(source[field])))
  return Math.round((filled.length / KEY_FIELDS.length) * 100)
}
