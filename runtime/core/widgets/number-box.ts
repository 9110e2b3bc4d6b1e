import { roundDecimal } from '../decimal.ts'
import { asNumber } from './values.ts'

/** What a number box may hold: `min` and `max` are included, `step` is above 0, `precision` are decimals at least. */
export interface NumberScale {
  readonly min: number
  readonly max: number
  readonly step: number
  readonly precision?: number
}

/**
 * One press of plus (1) or minus (-1): nothing happens when it would leave the bounds; a value that lies outside on the other side is
 * brought to its bound. Decimal-safe: 0.1 and 0.2 make 0.3.
 */
export function pressStep(value: number, direction: 1 | -1, scale: NumberScale): number {
  const next = roundDecimal(value + direction * scale.step, Math.max(digitsOf(scale), decimalsOf(value)))
  if (direction > 0) {
    if (next > scale.max) return value
    return Math.max(next, scale.min)
  }
  return next < scale.min ? value : Math.min(next, scale.max)
}

/** Beyond these VForm's own defaults stand for no bound at all (PAGE-FORMAT, VForm). */
export const UNBOUNDED = 1e11

/**
 * What a typed text becomes when the box is left: within the bounds, with the step's decimals. What is no number becomes `min`,
 * or what is nearest to 0 where the minimum is none that anybody has set.
 */
export function commitNumber(text: string, scale: NumberScale): number {
  const typed = asNumber(text)
  if (typeof typed !== 'number') return scale.min > -UNBOUNDED ? scale.min : Math.min(0, scale.max)
  const within = Math.min(Math.max(typed, scale.min), scale.max)
  const rounded = roundDecimal(within, digitsOf(scale))
  return Math.min(Math.max(rounded, scale.min), scale.max)
}

/** Decimals a value is shown with. */
export const digitsOf = ({ step, precision = 0 }: NumberScale): number =>
  Math.max(decimalsOf(step), Math.max(0, precision))

/** Digits behind the point: 0.05 has 2, 1e-7 has 7. */
export function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent))
}
