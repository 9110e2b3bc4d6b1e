const NOT_ALLOWED = '42501'

/** True for a statement that the user of the connection has no right to. */
export function isNotAllowed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === NOT_ALLOWED
}
