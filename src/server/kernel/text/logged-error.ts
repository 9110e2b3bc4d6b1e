/** What the log contains of an error. */
export interface LoggedError {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly code?: string
  /** For database errors. */
  readonly constraint?: string
  readonly table?: string
  readonly cause?: LoggedError
}

/**
 * An error as it is logged. Other properties are omitted, because database errors carry the statement with its values, and whole rows with names and
 * phone numbers; values quoted in messages are removed as well.
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  const { name, message, stack, code, constraint, table, cause } = errorOf(error)
  const isOfDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
  const clean = isOfDatabase ? withoutValues : (text: string) => text
  return {
    type: name,
    message: clean(message),
    stack: clean(stack ?? ''),
    ...textsOf({ code, constraint, table }),
    ...(cause === undefined || depth > 3 ? {} : { cause: loggedError(cause, depth + 1) }),
  }
}

interface Known extends Error {
  readonly code?: unknown
  readonly constraint?: unknown
  readonly table?: unknown
}

const errorOf = (error: unknown): Known => (error instanceof Error ? error : new Error(typeof error))

function textsOf(found: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** Names of columns and tables are kept; other quoted texts, and long numbers, came from a row. */
function withoutValues(text: string): string {
  return text
    .replace(/"([^"\n]*)"/g, (quoted, inner: string) => (/^[a-z_][a-z_.]*$/.test(inner) ? quoted : '"…"'))
    .replace(/\((?:[^()\n]*)\)=\([^\n]*\)/g, '(…)')
    .replace(/(?<![\d:])\d{5,}(?![\d:])/g, '…')
}
