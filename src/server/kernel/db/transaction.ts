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
import type { Connection, ConnectionSource } from './connection.ts'
import { refuseRepeated } from './repeated-value.ts'
import type { Tables } from './tables.ts'

/**
 * A transaction: queries inside it see one state and commit together. Those asked in one go travel together, the last of them with its end:
 * that succeeds when they all have.
 */
export type Trx = Transaction<Tables>

/** How a transaction begins. */
export interface Opening {
  readonly statements: string
  /** Its statements may take minutes. */
  readonly isPatient: boolean
  /**
   * It begins along with its first statement, in one round trip, and not at all without one. What else is asked by then goes with them where it
   * reads; what writes waits until it has begun.
   */
  readonly isLate: boolean
}

/** Runs `work` in a transaction on a session of its own. */
export async function transact<T>(
  source: ConnectionSource,
  opening: Opening,
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

/** Asks the last statements of a transaction: it ends along with them, in one round trip, and takes no further one. */
export function endingWith<T>(trx: Trx, ask: () => Promise<T>): Promise<T> {
  const session = trx.getExecutor()
  const answer = ask()
  if (session instanceof Session) session.endAlong()
  return answer
}

const adapter = new PostgresAdapter()
const compiler = new PostgresQueryCompiler()
/** Every query has its session already: nothing is asked of a driver. */
const driver = new DummyDriver()
const dialect: Dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => compiler,
}

/** Outside of the transaction it would change nothing. */
const isRead = ({ sql }: CompiledQuery): boolean => /^\s*select\s/.test(sql)

/** The session of one transaction, as kysely asks it. Statements are not kept waiting for each other: the session answers in their order. */
class Session extends DefaultQueryExecutor {
  readonly #connection: Connection
  readonly #opening: Opening
  #opened: Promise<void> | undefined
  /** What was asked and is not answered yet: what nobody waits for counts when the transaction ends. */
  readonly #asked = new Set<Promise<unknown>>()
  #ended: Promise<void> | undefined
  #isOver = false
  /** It has begun, beyond doubt. */
  #isBegun = false
  #isFirst = true
  /** It could not begin or end as it should: it is not used again. */
  isBroken = false

  constructor(connection: Connection, opening: Opening) {
    super(compiler, adapter, { provideConnection: () => Promise.reject(new Error('a session is not lent')) })
    this.#connection = connection
    this.#opening = opening
  }

  open(): Promise<void> {
    this.#opened ??= this.#connection.exec(this.#opening.statements).then(
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
    const asked = this.#connection.query(sql, parameters)
    // What came back before it had begun would be no part of it.
    const told = this.#isBegun ? asked : Promise.all([asked, opened]).then(([result]) => result)
    const answer = told.then(
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

  /** Where a statement before it fails, it is rolled back instead. */
  endAlong(): void {
    this.#isOver = true
    this.#ended = this.#connection.exec('commit')
    // Whoever ends it hears of it.
    this.#ended.catch(() => undefined)
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    this.#isOver = true
    if (this.#opened === undefined) return
    try {
      // One of them that fails takes the transaction with it: committing then rolls back.
      const asked = how === 'commit' ? [...this.#asked] : []
      const ended = how === 'commit' ? this.#ended : undefined
      await Promise.all([...asked, ended ?? this.#connection.exec(how)])
    } catch (error) {
      // One that failed to commit may still be rolled back.
      this.isBroken ||= how === 'rollback'
      throw error
    }
  }
}
