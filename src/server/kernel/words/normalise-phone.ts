/** Digits of a phone number without the country code 86; `''` if there are none. @see DOMAIN 1.1.3 */
export function normalisePhone(phone: string): string {
  const digits = phone.normalize('NFKC').replace(/\D/g, '')
  const hasCountryCode = digits.startsWith('86') && digits.length > 11
  return hasCountryCode ? digits.slice(2) : digits
}

/** The distinct numbers among `phones`, normalised; empty ones are left out. */
export function normalisePhones(phones: readonly (string | null | undefined)[]): string[] {
  return [...new Set(phones.map((phone) => normalisePhone(phone ?? '')).filter((phone) => phone !== ''))]
}
