import pg, { type Connection } from 'pg'
import utils from 'pg/lib/utils.js'

// The only file that uses members of pg which pg does not document. The reason: pg writes each message of each statement to its socket separately,
// and answers it separately, requests a description of the columns with every answer, and copies its arguments; `batch.ts` and `statement.ts` avoid that.
// `tests/unit/server/pg-inner.test.ts` fails if pg changes one of these members.

/** The messages that a statement consists of. */
export type Messages = Pick<Connection, 'parse' | 'bind' | 'describe' | 'execute' | 'sync' | 'query'>

/** pg's connection as a statement receives it: the names of its prepared statements, those that are on their way included. */
export interface PgSession {
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Record<string, string>
}

/** pg's encoding of messages, which are passed to `take` instead of being written to a socket. */
export function messageEncoder(take: (message: Buffer) => void): Messages {
  const messages = Object.create(pg.Connection.prototype) as Messages & { _send: typeof take }
  messages._send = take
  return messages
}

/**
 * Makes a class count as one of pg's queries: pg allows no others to share a session with running statements, because one that keeps a portal
 * open would mix up answers. The class must never do that.
 */
export function registerAsQuery(statement: { readonly prototype: object }): void {
  Object.setPrototypeOf(statement.prototype, pg.Query.prototype)
}

/** A parameter as it is sent. @throws Error for a value that cannot be converted */
export const wireValue = (value: unknown): string | Buffer | null => utils.prepareValue(value)
