/** True if a number has no more decimals than allowed; rounding errors of floats do not count. */
export function hasDigits(value: number, digits: number): boolean {
  const written = String(value)
  if (written.includes('e')) return false
  return (written.split('.')[1] ?? '').length <= digits
}

/** Whole cents of an amount in yuan. Amounts come with at most two decimals, so nothing is lost. */
export function centsOf(yuan: number): number {
  return Math.round(yuan * 100)
}

/** Yuan of whole cents. */
export function yuanOf(cents: number): number {
  return cents / 100
}

/** Adds amounts in yuan without drift. */
export function sumYuan(amounts: readonly number[]): number {
  return yuanOf(amounts.reduce((sum, amount) => sum + centsOf(amount), 0))
}

/**
 * `price × quantity` in yuan, rounded half up to cents (DOMAIN 1.9.1).
 * @param price     yuan, at most 2 decimals, not negative
 * @param quantity  at most 3 decimals, not negative
 */
export function lineAmount(price: number, quantity: number): number {
  const exact = BigInt(centsOf(price)) * BigInt(Math.round(quantity * 1000))
  return yuanOf(Number(divideHalfUp(exact, 1000n)))
}

/** `amount × rate / 100`, rounded half up to cents. @param rate percent, at most 2 decimals */
export function percentOf(amount: number, rate: number): number {
  const exact = BigInt(centsOf(amount)) * BigInt(Math.round(rate * 100))
  return yuanOf(Number(divideHalfUp(exact, 10_000n)))
}

/** The percentage that `part` is of `whole`, rounded half up to 2 decimals; 100 if `whole` is zero. */
export function rateOf(part: number, total: number): number {
  if (centsOf(total) === 0) return 100
  return Number(divideHalfUp(BigInt(centsOf(part)) * 10_000n, BigInt(centsOf(total)))) / 100
}

/** Splits an amount by shares to the cent; the last part takes the rounding difference. */
export function splitByShares(amount: number, shares: readonly number[]): readonly number[] {
  const total = shares.reduce((sum, share) => sum + share, 0)
  const parts = shares.map((share) => Math.floor((centsOf(amount) * share) / total))
  const rest = centsOf(amount) - parts.reduce((sum, part) => sum + part, 0)
  return parts.map((part, index) => yuanOf(index === parts.length - 1 ? part + rest : part))
}

/** Both are not negative. */
function divideHalfUp(value: bigint, by: bigint): bigint {
  return (2n * value + by) / (2n * by)
}
