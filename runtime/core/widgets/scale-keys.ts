import { nextOnScale, type Scale } from './scale.ts'

/** The value to which a key of the keyboard leads; null for a key that means nothing here. @param upper  of the upper handle of two */
export function keyOnScale(key: string, value: number, scale: Scale, upper = false): number | null {
  if (key === 'ArrowRight' || key === 'ArrowUp') return nextOnScale(value, 1, scale, upper)
  if (key === 'ArrowLeft' || key === 'ArrowDown') return nextOnScale(value, -1, scale, upper)
  if (key === 'Home') return scale.min
  return key === 'End' ? scale.max : null
}
