import { inspect } from 'node:util'

/** What was thrown, in words: not everything that is thrown is an `Error` (PGlite's file system has objects of its own). */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message
  return typeof error === 'string' ? error : inspect(error, { depth: 0, breakLength: Infinity })
}
