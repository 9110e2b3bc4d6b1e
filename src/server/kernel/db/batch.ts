import type { Duplex } from 'node:stream'
import { messageEncoder, type PgSession, registerAsQuery } from './pg-inner.ts'
import type { RowDescription, Statement } from './statement.ts'

/**
 * The statements that were asked of a session in one go, as one query of pg. They leave as one piece and end with one `Sync`, so that PostgreSQL
 * answers them in one piece, too: a piece costs both sides more than a small statement. If one of them fails, PostgreSQL skips those behind it, which
 * fail with the same error; in a transaction, they would have been refused anyway.
 */
export class Batch {
  readonly #stream: Duplex
  readonly #over: (error: Error | null) => void
  /** One simple query, which may consist of several statements and needs no `Sync`. */
  readonly #isSimple: boolean
  readonly #statements: Statement[] = []
  /** The number of answered statements. */
  #answered = 0
  /** Without it pg would make one. */
  readonly callback = (): void => undefined

  /** @param over  called once all are answered, or have failed */
  constructor(stream: Duplex, over: (error: Error | null) => void, isSimple = false) {
    this.#stream = stream
    this.#over = over
    this.#isSimple = isSimple
  }

  add(statement: Statement): void {
    this.#statements.push(statement)
  }

  get #current(): Statement | undefined {
    return this.#statements[this.#answered]
  }

  /** pg notes the statement that is parsed: the current one. */
  get name(): string | undefined {
    return this.#current?.name
  }

  get text(): string {
    return this.#current?.text ?? ''
  }

  /** Called by pg when it is their turn. */
  submit(session: PgSession): null {
    const pieces: Buffer[] = []
    const messages = messageEncoder((piece) => void pieces.push(piece))
    for (const statement of this.#statements) statement.send(messages, session)
    if (!this.#isSimple) messages.sync()
    // A lost session has already failed all its statements.
    if (this.#stream.writable) this.#stream.write(Buffer.concat(pieces))
    return null
  }

  handleRowDescription(description: RowDescription): void {
    this.#current?.describe(description)
  }

  handleDataRow(row: { readonly fields: readonly (string | null)[] }): void {
    this.#current?.addRow(row)
  }

  handleCommandComplete(tag: { readonly text: string }): void {
    this.#current?.complete(tag)
    if (!this.#isSimple) this.#answered += 1
  }

  handleEmptyQuery(): void {
    if (!this.#isSimple) this.#answered += 1
  }

  handleError(error: Error, { submittedNamedStatements }: PgSession): void {
    this.#over(error)
    for (const [at, statement] of this.#statements.entries()) {
      if (at < this.#answered) statement.done()
      else {
        // It was not parsed, though its text was sent.
        if (statement.name !== undefined) delete submittedNamedStatements[statement.name]
        statement.fail(error)
      }
    }
  }

  handleReadyForQuery(): void {
    this.#over(null)
    for (const statement of this.#statements) statement.done()
  }
}

registerAsQuery(Batch)
