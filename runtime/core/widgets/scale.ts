import { clamp, roundDecimal } from '../decimal.ts'
import type { Json, JsonObject } from '../json.ts'
import { decimalsOf } from './number-box.ts'

/** A slider's scale: `min` and `max` are both included, `step` is above 0. */
export interface Scale {
  readonly min: number
  readonly max: number
  readonly step: number
}

export type Pair = readonly [low: number, high: number]
export type Handle = 0 | 1

/**
 * Moves a slider value onto its scale.
 *
 * @returns the nearest step, counted from `min`; `max` itself if that is nearer, since it may lie between two steps
 */
export function snapToScale(value: number, scale: Scale): number {
  const { min, max } = scale
  if (!Number.isFinite(value)) return min
  const within = clamp(value, min, max)
  const step = Math.min(stepAt(Math.round((within - min) / scale.step), scale), lastStep(scale))
  return Math.abs(max - within) < Math.abs(step - within) ? max : step
}

/** As {@link snapToScale}; within one step of the maximum it is the maximum. */
export function snapUpper(value: number, scale: Scale): number {
  const snapped = snapToScale(value, scale)
  return scale.max - Math.max(snapped, Math.min(value, scale.max)) < scale.step ? scale.max : snapped
}

/** One press of an arrow key: the next value up or down; the ends stay. */
export function nextOnScale(value: number, direction: 1 | -1, scale: Scale, upper = false): number {
  const steps = (clamp(value, scale.min, scale.max) - scale.min) / scale.step
  const count = direction > 0 ? Math.floor(steps + 1e-9) + 1 : Math.ceil(steps - 1e-9) - 1
  const next = clamp(stepAt(count, scale), scale.min, scale.max)
  if (!upper || scale.max - next >= scale.step || next === scale.max) return next
  return direction > 0 ? scale.max : Math.max(scale.min, stepAt(count - 1, scale))
}

/** Both handles on the scale, the lower one first: crossed handles are swapped. */
export function snapPair([low, high]: Pair, scale: Scale): Pair {
  const [first, second] = low <= high ? [low, high] : [high, low]
  return [snapToScale(first, scale), snapUpper(second, scale)]
}

/** One handle is moved: past the other one, the two are swapped. */
export function moveHandle(pair: Pair, handle: Handle, value: number, scale: Scale): Pair {
  return snapPair(handle === 0 ? [value, pair[1]] : [pair[0], value], scale)
}

/** The scale of a slider by its options: 0 to 100 by 1, with two handles 0 to 1000 by 50; as long beyond a bound that is outside this. */
export function scaleOf(options: JsonObject): Scale {
  const [length, step] = options.range === true ? [1000, 50] : [100, 1]
  const most = asNumber(options.max, length)
  const min = asNumber(options.min, most < 0 ? most - length : 0)
  return { min, max: most < min ? min + length : most, step: asNumber(options.step, step) }
}

function asNumber(value: Json | undefined, otherwise: number): number {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : otherwise
}

/** True if an end of the pair is outside the scale; this is reported to the console. */
export function isOutside([low, high]: Pair, { min, max }: Scale): boolean {
  return low < min || high > max
}

/** The position of a value on the scale, 0 to 1. */
export function shareOf(value: number, { min, max }: Scale): number {
  return max === min ? 0 : clamp((value - min) / (max - min), 0, 1)
}

const stepAt = (count: number, { min, step }: Scale): number =>
  roundDecimal(min + count * step, Math.max(decimalsOf(step), decimalsOf(min)))

const lastStep = (scale: Scale): number =>
  stepAt(Math.floor((scale.max - scale.min) / scale.step + 1e-9), scale)
