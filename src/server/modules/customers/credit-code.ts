const ALPHABET = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]

/** The check digit of a unified social credit code from its first 17 characters (GB 32100-2015). `''` if they are invalid. */
export function creditCodeCheckDigit(first17: string): string {
  const digits = Array.from(first17, (char) => ALPHABET.indexOf(char))
  if (digits.length !== WEIGHTS.length || digits.includes(-1)) return ''
  const sum = digits.reduce((total, digit, i) => total + digit * (WEIGHTS[i] ?? 0), 0)
  return ALPHABET.charAt((31 - (sum % 31)) % 31)
}

/** True for an 18-character upper-case unified social credit code with the right check digit. @see DOMAIN 1.1 */
export function isCreditCode(code: string): boolean {
  return code.length === 18 && creditCodeCheckDigit(code.slice(0, 17)) === code.charAt(17)
}
