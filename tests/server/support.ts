import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Database } from '../../src/server/db/database.ts'
import { openDatabase } from '../../src/server/db/open.ts'

/**
 * A fresh, migrated, empty database: embedded in memory, or on the PostgreSQL server of `TEST_DATABASE_URL` when that
 * is set, so that one suite serves both. Open one per test file (`beforeAll`) and `drop` it at the end.
 */
export async function openTestDatabase(): Promise<{ database: Database; drop: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL
  if (server === undefined || server === '') {
    const database = await openDatabase({ folder: null, onError: fail })
    return { database, drop: () => database.close() }
  }
  const name = `crm_test_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const database = await openDatabase({ url: url.href, folder: null, onError: fail })
  return {
    database,
    async drop() {
      await database.close()
      await onServer(server, `drop database ${name} with (force)`)
    },
  }
}

function fail(error: Error): never {
  throw error
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
