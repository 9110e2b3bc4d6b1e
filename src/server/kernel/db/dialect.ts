import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Connection, ConnectionSource } from './connection.ts'
import { refuseRepeated } from './repeated-value.ts'

/** How the transaction of the current call begins. */
export interface Opening {
  readonly statements: string
  /** Its statements may take minutes. */
  readonly isPatient: boolean
}

/** kysely on a connection source. */
export function createDialect(source: ConnectionSource, opening: () => Opening): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(source, opening),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

interface Held extends DatabaseConnection {
  readonly connection: Connection
  broken: boolean
}

function createDriver(source: ConnectionSource, opening: () => Opening): Driver {
  const held = new WeakMap<DatabaseConnection, Held>()
  const of = (connection: DatabaseConnection): Held => {
    const found = held.get(connection)
    if (found === undefined) throw new Error('a connection of another driver')
    return found
  }
  return {
    async init() {},
    async acquireConnection() {
      const mine = hold(await source.acquire(opening().isPatient))
      held.set(mine, mine)
      return mine
    },
    async beginTransaction(connection) {
      const mine = of(connection)
      await mine.connection.exec(opening().statements).catch(async (error: unknown) => {
        await rollBack(mine)
        throw error
      })
    },
    async commitTransaction(connection) {
      await of(connection).connection.exec('commit')
    },
    async rollbackTransaction(connection) {
      await rollBack(of(connection))
    },
    async savepoint(connection, name) {
      await connection.executeQuery(CompiledQuery.raw(`savepoint ${compileName(name)}`, []))
    },
    async rollbackToSavepoint(connection, name) {
      await connection.executeQuery(CompiledQuery.raw(`rollback to savepoint ${compileName(name)}`, []))
    },
    async releaseSavepoint(connection, name) {
      await connection.executeQuery(CompiledQuery.raw(`release savepoint ${compileName(name)}`, []))
    },
    async releaseConnection(connection) {
      const mine = of(connection)
      mine.connection.release(mine.broken)
    },
    // The source is the database's: kysely ends only a driver that was asked something.
    async destroy() {},
  }
}

/** A session whose transaction cannot be ended is not used again. */
async function rollBack(held: Held): Promise<void> {
  await held.connection.exec('rollback').catch(() => {
    held.broken = true
  })
}

function compileName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function hold(connection: Connection): Held {
  return {
    connection,
    broken: false,
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const result = await connection.query(query.sql, query.parameters).catch((error: unknown) => {
        refuseRepeated(error)
        throw error
      })
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.affected) }
    },
    // Rows always fit in memory here: lists are paged and exports run page by page.
    streamQuery(): never {
      throw new Error('streaming is not offered: read page by page')
    },
  }
}
