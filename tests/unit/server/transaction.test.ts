import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Connection, ConnectionSource } from '../../../src/server/kernel/db/connection.ts'
import { createDatabase } from '../../../src/server/kernel/db/database.ts'
import { withLastStatements } from '../../../src/server/kernel/db/transaction.ts'

const READING = { tenantId: 't1', userId: 'u1', isReading: true }
const WRITING = { tenantId: 't1', userId: 'u1' }

/** A session that records its statements and answers a turn later, as across a network. */
function noted(fails: (text: string) => boolean = () => false) {
  const said: string[] = []
  const released: (boolean | undefined)[] = []
  const told = async (text: string): Promise<void> => {
    said.push(text)
    await new Promise((done) => setTimeout(done))
    said.push('.')
    if (fails(text)) throw new Error(`no ${text}`)
  }
  const connection: Connection = {
    async query(text) {
      await told(text)
      return { rows: [{ text }], affected: 0 }
    },
    begin: () => told('begin'),
    end: told,
    exec: told,
    release: (broken) => void released.push(broken),
  }
  const source: ConnectionSource = {
    kind: 'pglite',
    acquire: async () => connection,
    listen: async () => async () => undefined,
    close: async () => undefined,
  }
  return { database: createDatabase(source), said, released }
}

describe('a transaction', () => {
  it('begins in the round trip of its first statement if it only reads', async () => {
    const { database, said } = noted()
    await database.tenant(READING, (trx) => sql`select 1`.execute(trx))
    expect(said).toEqual(['begin', 'select 1', '.', '.', 'commit', '.'])
  })

  it('has begun before its first statement if it writes', async () => {
    const { database, said } = noted()
    await database.tenant(WRITING, (trx) => sql`select 1`.execute(trx))
    expect(said).toEqual(['begin', '.', 'select 1', '.', 'commit', '.'])
  })

  it('does not begin if it only reads and has no statements', async () => {
    const { database, said, released } = noted()
    expect(await database.tenant(READING, async () => 7)).toBe(7)
    expect(said).toEqual([])
    expect(released).toEqual([false])
  })

  it('sends concurrent statements together', async () => {
    const { database, said } = noted()
    await database.tenant(READING, (trx) =>
      Promise.all([sql`select 1`.execute(trx), sql`select 2`.execute(trx)]),
    )
    expect(said.slice(0, 3)).toEqual(['begin', 'select 1', 'select 2'])
  })

  it('begins, runs and ends in one round trip if it knows its last statement', async () => {
    const { database, said, released } = noted()
    await database.tenant(READING, (trx) => withLastStatements(trx, () => sql`select 1`.execute(trx)))
    expect(said).toEqual(['begin', 'select 1', 'commit', '.', '.', '.'])
    expect(released).toEqual([false])
  })

  it('refuses statements after its last one', async () => {
    const { database } = noted()
    const asked = database.tenant(READING, async (trx) => {
      await withLastStatements(trx, () => sql`select 1`.execute(trx))
      await sql`select 2`.execute(trx)
    })
    await expect(asked).rejects.toThrow('the transaction is over')
  })

  it('reports a failed last statement, and keeps its session', async () => {
    const { database, released } = noted((text) => text === 'select 1')
    const asked = database.tenant(READING, (trx) => withLastStatements(trx, () => sql`select 1`.execute(trx)))
    await expect(asked).rejects.toThrow('no select 1')
    expect(released).toEqual([false])
  })

  it('reports a failed commit', async () => {
    const { database } = noted((text) => text === 'commit')
    const asked = database.tenant(READING, (trx) => withLastStatements(trx, () => sql`select 1`.execute(trx)))
    await expect(asked).rejects.toThrow('no commit')
  })

  it('returns no result if the session could not begin, and closes the session', async () => {
    const { database, released } = noted((text) => text === 'begin')
    const told: unknown[] = []
    const asked = database.tenant(READING, async (trx) => {
      const each = [1, 2].map((n) => sql`select ${n}`.execute(trx).then((found) => told.push(found)))
      await Promise.all(each)
    })
    await expect(asked).rejects.toThrow('no begin')
    expect(told).toEqual([])
    expect(released).toEqual([true])
  })

  it('is rolled back if a statement fails, and keeps its session', async () => {
    const { database, said, released } = noted((text) => text === 'select 1')
    await expect(database.tenant(WRITING, (trx) => sql`select 1`.execute(trx))).rejects.toThrow('no select 1')
    expect(said.slice(-2)).toEqual(['rollback', '.'])
    expect(released).toEqual([false])
  })

  it('refuses statements once it has ended', async () => {
    const { database } = noted()
    const kept = await database.tenant(WRITING, async (trx) => () => sql`select 1`.execute(trx))
    await expect(kept()).rejects.toThrow('the transaction is over')
  })
})
