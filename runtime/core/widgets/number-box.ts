import { clamp, roundDecimal } from '../decimal.ts'
import { asNumber } from './values.ts'

/** Limits of a number box: `min` and `max` are included, `step` is above 0, `precision` is the minimum number of decimals. */
export interface NumberScale {
  readonly min: number
  readonly max: number
  readonly step: number
  readonly precision?: number | undefined
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
  const within = clamp(typed, scale.min, scale.max)
  const rounded = roundDecimal(within, digitsOf(scale))
  return clamp(rounded, scale.min, scale.max)
}

/** The same for a box that may be empty, and that keeps the decimals as typed unless a precision is set. */
export function commitOptional(text: string, scale: NumberScale): number | null {
  const { min, max, precision } = scale
  const typed = asNumber(text)
  if (typeof typed !== 'number') return text.trim() === '' || min <= -UNBOUNDED ? null : min
  if (precision === undefined) return clamp(typed, min, max)
  return commitNumber(text, { ...scale, step: 1 })
}

interface Bounds {
  readonly min: number
  readonly max: number
}

/** A text of the catalogue that tells what became of a typed number. */
export interface NumberNote {
  readonly code: string
  readonly params: Readonly<Record<string, number>>
}

/** What a box that lost the focus did to the typed text to make it `value`; null if it kept the number as typed. */
export function noteOf(text: string, value: number | null, { min, max }: Bounds): NumberNote | null {
  const typed = asNumber(text)
  if (text.trim() === '') return null
  if (typeof typed !== 'number' || value === null) return { code: 'rule.number', params: {} }
  if (typed === value) return null
  const params = { value, min, max }
  if (typed < min) return { code: 'widget.number.least', params }
  return { code: typed > max ? 'widget.number.most' : 'widget.number.rounded', params }
}

/** Decimals a value is shown with. */
export const digitsOf = ({ step, precision = 0 }: NumberScale): number =>
  Math.max(decimalsOf(step), Math.max(0, precision))

/** Digits behind the point: 0.05 has 2, 1e-7 has 7. */
export function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent))
}
