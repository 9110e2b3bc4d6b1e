import {
  type CompiledQuery,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  Transaction,
} from 'kysely'
import type { Connection, ConnectionSource, TransactionSettings } from './connection.ts'
import { refuseRepeated } from './repeated-value.ts'
import type { Tables } from './tables.ts'

/**
 * A transaction: queries inside it see one state and commit together. Queries issued together are sent together, the last of them with the end of the
 * transaction, which succeeds if all of them have.
 */
export type Trx = Transaction<Tables>

/** How a transaction begins. */
export interface TransactionStart {
  readonly settings: TransactionSettings
  /** Its statements may take minutes. */
  readonly isPatient: boolean
  /**
   * It begins together with its first statement, in one round trip, and not at all without one. Other reads issued by then are sent along; writes
   * wait until it has begun.
   */
  readonly isLate: boolean
}

/** Runs `work` in a transaction on a session of its own. */
export async function transact<T>(
  source: ConnectionSource,
  opening: TransactionStart,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  const connection = await source.acquire(opening.isPatient)
  const session = new Session(connection, opening)
  try {
    if (!opening.isLate) await session.open()
    const result = await work(
      new Transaction<Tables>({ config: { dialect }, dialect, driver, executor: session }),
    )
    await session.end('commit')
    return result
  } catch (error) {
    await session.end('rollback').catch(() => undefined)
    throw error
  } finally {
    connection.release(session.isBroken)
  }
}

/** Issues the last statements of a transaction: it ends together with them, in one round trip, and accepts no further ones. */
export function withLastStatements<T>(trx: Trx, ask: () => Promise<T>): Promise<T> {
  const session = trx.getExecutor()
  const answer = ask()
  if (session instanceof Session) session.endAlong()
  return answer
}

const adapter = new PostgresAdapter()
const compiler = new PostgresQueryCompiler()
/** Every query already has its session: no driver is used. */
const driver = new DummyDriver()
const dialect: Dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => compiler,
}

/** Outside the transaction it would have no effect. */
const isRead = ({ sql }: CompiledQuery): boolean => /^\s*select\s/.test(sql)

/** The session of one transaction, as kysely uses it. Statements do not wait for each other: the session answers in order. */
class Session extends DefaultQueryExecutor {
  readonly #connection: Connection
  readonly #opening: TransactionStart
  #opened: Promise<void> | undefined
  /** Unanswered statements: those that nobody awaits are checked when the transaction ends. */
  readonly #asked = new Set<Promise<unknown>>()
  #ended: Promise<void> | undefined
  #isOver = false
  /** It has certainly begun. */
  #isBegun = false
  #isFirst = true
  /** It could not begin or end properly: it is not used again. */
  isBroken = false

  constructor(connection: Connection, opening: TransactionStart) {
    super(compiler, adapter, { provideConnection: () => Promise.reject(new Error('a session is not lent')) })
    this.#connection = connection
    this.#opening = opening
  }

  open(): Promise<void> {
    this.#opened ??= this.#connection.begin(this.#opening.settings).then(
      () => {
        this.#isBegun = true
      },
      (error: unknown) => {
        this.isBroken = true
        throw error
      },
    )
    return this.#opened
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const isFirst = this.#isFirst
    this.#isFirst = false
    if (!(isFirst || this.#isBegun || isRead(query))) await this.open()
    if (this.#isOver) throw new Error('the transaction is over')
    return this.#ask(query)
  }

  #ask<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const opened = this.open()
    const sent = this.#connection.query(sql, parameters)
    // An answer that came before it had begun would not be part of it.
    const reply = this.#isBegun ? sent : Promise.all([sent, opened]).then(([result]) => result)
    const answer = reply.then(
      ({ rows, affected }) => {
        this.#asked.delete(answer)
        return { rows: rows as R[], numAffectedRows: BigInt(affected) }
      },
      (error: unknown) => {
        this.#asked.delete(answer)
        refuseRepeated(error)
        throw error
      },
    )
    this.#asked.add(answer)
    return answer
  }

  /** If an earlier statement fails, it is rolled back instead. */
  endAlong(): void {
    this.#isOver = true
    this.#ended = this.#connection.end('commit')
    // Whoever ends it receives the error.
    this.#ended.catch(() => undefined)
  }

  async end(ending: 'commit' | 'rollback'): Promise<void> {
    this.#isOver = true
    if (this.#opened === undefined) return
    try {
      // If one of them fails, so does the transaction: the commit then rolls back.
      const pending = ending === 'commit' ? [...this.#asked] : []
      const ended = ending === 'commit' ? this.#ended : undefined
      await Promise.all([...pending, ended ?? this.#connection.end(ending)])
    } catch (error) {
      // A failed commit may still be rolled back.
      this.isBroken ||= ending === 'rollback'
      throw error
    }
  }
}
