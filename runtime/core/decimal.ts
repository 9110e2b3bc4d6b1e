/** The nearest number within the bounds, which are included; `most` if there is none. */
export const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value))

/**
 * Rounds half away from zero in decimal, as an accountant does: 1.005 becomes 1.01 although the nearest double lies below it.
 *
 * @param digits  decimals kept, 0 to 15; default 2
 * @returns the rounded number; `value` itself when it is not finite or too large to have decimals
 */
export function roundDecimal(value: number, digits = 2): number {
  const places = clamp(Math.trunc(digits), 0, 15)
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return value
  const shifted = Math.round(shift(Math.abs(value), places))
  const rounded = shift(shifted, -places)
  return value < 0 && rounded !== 0 ? -rounded : rounded
}

/** `1234.5` with 2 digits and grouping is `1,234.50`; rounds by {@link roundDecimal}. An empty text if `value` is not finite. */
export function formatDecimal(value: number, digits: number, grouped = true): string {
  if (!Number.isFinite(value)) return ''
  const places = clamp(Math.trunc(digits), 0, 15)
  const [integer = '0', rest] = Math.abs(roundDecimal(value, places)).toFixed(places).split('.')
  const head = grouped ? integer.replace(/\B(?=(?:\d{3})+$)/g, ',') : integer
  const sign = roundDecimal(value, places) < 0 ? '-' : ''
  return rest === undefined ? `${sign}${head}` : `${sign}${head}.${rest}`
}

/** The format of an amount: ¥1,234.50. */
export function moneyText(value: number): string {
  return formatDecimal(value, 2).replace(/^-?/, '$&¥')
}

/** Moves the decimal point in the written form, to avoid binary rounding errors. */
function shift(value: number, places: number): number {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  return Number(`${mantissa}e${Number(exponent) + places}`)
}
