import type { Env } from './place.ts'

interface Span {
  readonly least: number
  readonly most: number
  readonly otherwise: number
}

/** Reads a whole number from a setting. @throws Error with a sentence if it is not one, or out of range */
export function readInteger(env: Env, name: string, { least, most, otherwise }: Span): number {
  const text = env[name]
  if (text === undefined || text === '') return otherwise
  const value = Number(text)
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Error(`${name} is a whole number from ${least} to ${most}, not ${text}`)
  return value
}
