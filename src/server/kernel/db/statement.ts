import type { StatementResult } from './connection.ts'
import type { Messages, PgSession } from './pg-inner.ts'

type Reader = (text: string) => unknown

/** The names of a prepared statement's columns, and how each is read. Both stay valid as long as the session has the statement. */
interface Columns {
  readonly names: readonly string[]
  readonly readers: readonly Reader[]
  /** Creates a row with every column, so that all rows have the same shape. */
  readonly empty: Readonly<Record<string, null>>
}

/** The descriptions of a session's prepared statements, by name. */
export type Described = Map<string, Columns>

export interface StatementParts {
  readonly text: string
  /** Prepared under this name; undefined: not prepared. */
  readonly name: string | undefined
  /** As they are sent. Null: several statements without parameters. */
  readonly values: (string | Buffer | null)[] | null
  readonly described: Described
  readonly readerOf: (oid: number) => Reader
}

/** Columns as described by PostgreSQL. */
export interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

const NO_COLUMNS: Columns = { names: [], readers: [], empty: {} }
/** `INSERT 0 1`, `SELECT 20`, `UPDATE 3`; other tags have no count. */
const COUNT = /(\d+)$/

/**
 * One running statement. pg's own query requests the columns with every answer and copies its arguments; this one requests them once per session and
 * reads rows by that description.
 */
export class Statement {
  readonly text: string
  readonly name: string | undefined
  readonly #values: StatementParts['values']
  readonly #described: Described
  readonly #readerOf: StatementParts['readerOf']
  readonly #done: (result: StatementResult) => void
  readonly #failed: (error: Error) => void
  #columns: Columns
  readonly #found: unknown[] = []
  #affected = 0

  constructor(
    { text, name, values, described, readerOf }: StatementParts,
    done: (result: StatementResult) => void,
    failed: (error: Error) => void,
  ) {
    this.text = text
    this.name = name
    this.#values = values
    this.#described = described
    this.#readerOf = readerOf
    this.#done = done
    this.#failed = failed
    this.#columns = NO_COLUMNS
  }

  /** Writes its messages, without the one that ends a batch. */
  send(to: Messages, { parsedStatements, submittedNamedStatements }: PgSession): void {
    if (this.#values === null) {
      to.query(this.text)
      return
    }
    const { name = '' } = this
    const known = this.#described.get(name)
    if (known !== undefined) this.#columns = known
    const isParsed =
      name !== '' && (parsedStatements[name] !== undefined || submittedNamedStatements[name] !== undefined)
    if (!isParsed) {
      to.parse({ name, text: this.text, types: [] }, true)
      if (name !== '') submittedNamedStatements[name] = this.text
    }
    to.bind({ statement: name, values: this.#values }, true)
    if (known === undefined) to.describe({ type: 'P' }, true)
    to.execute({}, true)
  }

  describe({ fields }: RowDescription): void {
    const names = fields.map(({ name }) => name)
    this.#columns = {
      names,
      readers: fields.map(({ dataTypeID }) => this.#readerOf(dataTypeID)),
      empty: Object.fromEntries(names.map((name) => [name, null])),
    }
  }

  addRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { names, readers, empty } = this.#columns
    const row: Record<string, unknown> = { ...empty }
    for (let at = 0; at < fields.length; at += 1) {
      const text = fields[at]
      if (typeof text === 'string') row[names[at] as string] = (readers[at] as Reader)(text)
    }
    this.#found.push(row)
  }

  complete({ text }: { readonly text: string }): void {
    this.#affected = Number(COUNT.exec(text)?.[1] ?? 0)
    if (this.name !== undefined) this.#described.set(this.name, this.#columns)
  }

  done(): void {
    this.#done({ rows: this.#found, affected: this.#affected })
  }

  fail(error: Error): void {
    this.#failed(error)
  }
}
