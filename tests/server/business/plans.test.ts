import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/server/db/database.ts'
import { keywordCondition } from '../../../src/server/search/keyword-condition.ts'
import { seedDemo } from '../../../src/server/seed/index.ts'
import { openTestDatabase } from '../support.ts'

/**
 * Row-level security lets an index answer only what is leakproof: a search that loses its index reads the whole tenant. On a PostgreSQL
 * server only; its planner is the one that counts.
 */
describe('a search under row-level security', () => {
  let database: Database
  let drop: () => Promise<void>
  let tenantId = ''
  beforeAll(async () => {
    if (!process.env.TEST_DATABASE_URL) throw new Error('TEST_DATABASE_URL names no PostgreSQL server')
    const opened = await openTestDatabase()
    database = opened.database
    drop = opened.drop
    await seedDemo(database)
    const { rows } = await database.system((trx) =>
      sql<{ id: string }>`select id from tenant where name = '星海科技'`.execute(trx),
    )
    tenantId = rows[0]?.id ?? ''
    for (const table of ['customer', 'lead', 'bussiness']) await multiply(table)
  }, 120_000)
  afterAll(() => drop())

  it.each(
    ['customer', 'lead', 'bussiness'].flatMap((table) =>
      ['精密', 'jm', 'jingmi', '1234', 'ZZ9'].map((keyword) => [table, keyword] as const),
    ),
  )('of %s for %s is answered by indexes', async (table, keyword) => {
    const number = { customer: 'customer_no', bussiness: 'bussiness_no' }[table]
    const plan = await planOf(table, keywordCondition('r', keyword, number))

    expect(plan).toMatch(/Bitmap Index Scan on \w+_tokens/)
  })

  /** Thirty of each: a table that is worth an index. */
  async function multiply(table: string): Promise<void> {
    await database.system(async (trx) => {
      const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
        where table_name = ${table} and is_generated = 'NEVER'`.execute(trx)
      const once = new Set(['id', 'customer_no', 'bussiness_no', 'name_norm'])
      const values = rows.map(({ name }) => {
        if (name === 'credit_code') return sql`null`
        return once.has(name) ? sql`${sql.ref(`b.${name}`)} || '.' || k` : sql.ref(`b.${name}`)
      })
      await sql`insert into ${sql.table(table)} (${sql.join(rows.map(({ name }) => sql.ref(name)))})
        select ${sql.join(values)} from ${sql.table(table)} b, generate_series(1, 30) k`.execute(trx)
    })
    // As vacuum does by and by: what waits beside the index would make it look dear.
    await database.system(async (trx) => {
      await sql`reset role`.execute(trx)
      await sql`select gin_clean_pending_list(${`${table}_tokens`}::regclass)`.execute(trx)
      await sql`analyze ${sql.table(table)}`.execute(trx)
    })
  }

  function planOf(table: string, found: RawBuilder<boolean>): Promise<string> {
    return database.tenant({ tenantId, userId: 'u-demo' }, async (trx) => {
      // What is asked is whether an index may answer at all, not when it pays.
      await sql`set local enable_seqscan = off`.execute(trx)
      const { rows } = await sql<Record<string, string>>`explain select r.id from ${sql.table(table)} r
        where r.tenant_id = ${tenantId} and r.deleted_at is null and ${found}`.execute(trx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
  }
})
