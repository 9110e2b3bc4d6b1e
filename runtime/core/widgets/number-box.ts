import { decimalsOf, roundDecimal } from '../decimal.ts'

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

/** What a stepper holds when its box is left empty or without a number: `min`, or the value nearest to 0 if no minimum was set. */
export const emptyStep = ({ min, max }: NumberScale): number => (min > -UNBOUNDED ? min : Math.min(0, max))

/** Decimals a value is shown with. */
export const digitsOf = ({ step, precision = 0 }: NumberScale): number =>
  Math.max(decimalsOf(step), Math.max(0, precision))
