import pg, { type Connection as Wire } from 'pg'
import utils from 'pg/lib/utils.js'
import type { StatementResult } from './connection.ts'
import type { Outbox } from './outbox.ts'

type Reader = (text: string) => unknown

/** What the columns of a prepared statement are called, and how each is read. It stays so as long as the session has the statement. */
export interface Columns {
  readonly names: readonly string[]
  readonly readers: readonly Reader[]
  /** A row with every column, so that all rows are of one shape. */
  readonly empty: Readonly<Record<string, null>>
}

/** What a session was told of the statements that it has prepared, by their names. */
export type Described = Map<string, Columns>

export interface StatementParts {
  readonly text: string
  /** Prepared under this name; undefined: as it comes. */
  readonly name: string | undefined
  /** Null: several statements without parameters. */
  readonly values: readonly unknown[] | null
  /** Takes what it says to its session. */
  readonly outbox: Outbox
  readonly described: Described
  readonly readerOf: (oid: number) => Reader
}

/** Columns as PostgreSQL says them. */
interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/** The session as pg has it, as far as a statement works on it. */
interface Session extends Wire {
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Record<string, string>
}

const NO_COLUMNS: Columns = { names: [], readers: [], empty: {} }
/** `INSERT 0 1`, `SELECT 20`, `UPDATE 3`; others count nothing. */
const COUNT = /(\d+)$/

/**
 * One statement on its way. pg's own query asks for the columns with every answer and copies what it is given; this one asks once per
 * session, and reads rows by what it was told then.
 */
export class Statement {
  readonly text: string
  readonly name: string | undefined
  readonly #values: readonly unknown[] | null
  readonly #outbox: Outbox
  readonly #described: Described
  readonly #readerOf: StatementParts['readerOf']
  readonly #done: (result: StatementResult) => void
  readonly #failed: (error: Error) => void
  /** Without it pg would make one. */
  readonly callback = (): void => undefined
  #columns: Columns
  readonly #found: unknown[] = []
  #affected = 0

  constructor(
    { text, name, values, outbox, described, readerOf }: StatementParts,
    done: (result: StatementResult) => void,
    failed: (error: Error) => void,
  ) {
    this.text = text
    this.name = name
    this.#values = values
    this.#outbox = outbox
    this.#described = described
    this.#readerOf = readerOf
    this.#done = done
    this.#failed = failed
    this.#columns = NO_COLUMNS
  }

  /** Called by pg when it is this statement's turn to be sent. */
  submit({ parsedStatements, submittedNamedStatements }: Session): Error | null {
    const outbox = this.#outbox
    if (this.#values === null) {
      outbox.query(this.text)
      return null
    }
    const { name = '' } = this
    const known = this.#described.get(name)
    if (known !== undefined) this.#columns = known
    const values = wireValues(this.#values)
    if (values instanceof Error) return values
    const isParsed =
      name !== '' && (parsedStatements[name] !== undefined || submittedNamedStatements[name] !== undefined)
    if (!isParsed) {
      outbox.parse({ name, text: this.text, types: [] }, true)
      if (name !== '') submittedNamedStatements[name] = this.text
    }
    outbox.bind({ statement: name, values }, true)
    if (known === undefined) outbox.describe({ type: 'P' }, true)
    outbox.execute({}, true)
    outbox.sync()
    return null
  }

  handleRowDescription({ fields }: RowDescription): void {
    const names = fields.map(({ name }) => name)
    this.#columns = {
      names,
      readers: fields.map(({ dataTypeID }) => this.#readerOf(dataTypeID)),
      empty: Object.fromEntries(names.map((name) => [name, null])),
    }
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { names, readers, empty } = this.#columns
    const row: Record<string, unknown> = { ...empty }
    for (let at = 0; at < fields.length; at += 1) {
      const text = fields[at]
      if (typeof text === 'string') row[names[at] as string] = (readers[at] as Reader)(text)
    }
    this.#found.push(row)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#affected = Number(COUNT.exec(text)?.[1] ?? 0)
    if (this.name !== undefined) this.#described.set(this.name, this.#columns)
  }

  handleEmptyQuery(): void {}

  handleError(error: Error): void {
    this.#failed(error)
  }

  handleReadyForQuery(): void {
    this.#done({ rows: this.#found, affected: this.#affected })
  }
}

// pg lets no other classes but its own share a session with statements under way: one that keeps a portal open would mix up answers. This one
// never does, and takes nothing else of pg's class.
Object.setPrototypeOf(Statement.prototype, pg.Query.prototype)

/** Most values are texts; the rest as pg writes them. An error says what cannot be written, before anything is sent. */
function wireValues(values: readonly unknown[]): (string | Buffer | null)[] | Error {
  try {
    return values.map((value) => (typeof value === 'string' ? value : utils.prepareValue(value)))
  } catch (error) {
    return error as Error
  }
}
