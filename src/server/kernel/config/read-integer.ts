import type { Env } from './place.ts'

interface Span {
  readonly least: number
  readonly most: number
  readonly otherwise: number
}

/** The number that a text of digits says; null for anything else that `Number` would take: blanks, `0x10`, `1e3`. */
export const digitsIn = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null)

/** Reads a whole number from a setting. @throws Error with a sentence if it is not one, or out of range */
export function readInteger(env: Env, name: string, { least, most, otherwise }: Span): number {
  const text = env[name]
  if (text === undefined || text === '') return otherwise
  const value = digitsIn(text)
  if (value === null || value < least || value > most)
    throw new Error(`${name} is a whole number from ${least} to ${most}, not ${text}`)
  return value
}
