import { roundDecimal } from '../decimal.ts'
import { asNumber } from './values.ts'

/** Limits of a number box: `min` and `max` are included, `step` is above 0, `precision` is the minimum number of decimals. */
export interface NumberScale {
  readonly min: number
  readonly max: number
  readonly step: number
  readonly precision?: number
}

/**
 * One press of plus (1) or minus (-1): ignored if it would leave the bounds; a value outside the opposite bound is set to that bound. Decimal-safe:
 * 0.1 and 0.2 make 0.3.
 */
export function pressStep(value: number, direction: 1 | -1, scale: NumberScale): number {
  const next = roundDecimal(value + direction * scale.step, Math.max(digitsOf(scale), decimalsOf(value)))
  if (direction > 0) {
    if (next > scale.max) return value
    return Math.max(next, scale.min)
  }
  return next < scale.min ? value : Math.min(next, scale.max)
}

/** VForm's own defaults beyond these mean no bound (PAGE-FORMAT, VForm). */
export const UNBOUNDED = 1e11

/**
 * The value of a typed text when the box loses focus: within the bounds, with the step's decimals. Anything but a number becomes `min`, or the value
 * nearest to 0 if no minimum was set.
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
