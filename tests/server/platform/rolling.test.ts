import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { MIGRATIONS } from '../../../src/server/kernel/db/migrate.ts'
import { contractSteps, type Released } from '../../support/contract-steps.ts'
import { openTestDatabase } from '../support.ts'

/**
 * During a rolling update the old servers work on the new schema: a migration only adds. Whatever is unused is removed
 * by the release after the one that stopped using it.
 */
const unpacked = async (folder: string, file: string): Promise<string> =>
  gunzipSync(await readFile(join(import.meta.dirname, folder, file))).toString()
const namesIn = (text: string, pattern: RegExp): ReadonlySet<string> =>
  new Set([...text.matchAll(pattern)].map(([, name = '']) => name))

/** The released database with the most migrations. */
async function newestReleased(): Promise<Released & { readonly migrations: ReadonlySet<string> }> {
  const dumps = await Promise.all(
    (await readdir(join(import.meta.dirname, 'released'))).map((file) => unpacked('released', file)),
  )
  const read = dumps.map((text) => ({
    migrations: namesIn(text, /'(\d{4}-[\w-]+\.sql)'/g),
    tables: namesIn(text, /^CREATE TABLE public\.(\w+) \(/gm),
    functions: namesIn(text, /^CREATE FUNCTION public\.(\w+)\(/gm),
  }))
  return read.reduce((newest, one) => (one.migrations.size > newest.migrations.size ? one : newest))
}

describe('the migrations since the last released version', () => {
  it('remove nothing that its servers use, which run for a while beside the new ones', async () => {
    const released = await newestReleased()
    const since = Object.entries(MIGRATIONS).filter(([name]) => !released.migrations.has(name))
    const steps = await Promise.all(
      since.map(async ([name, text]) =>
        (await contractSteps(text, released)).map((step) => `${name} ${step}`),
      ),
    )

    expect(released.migrations.size).toBeGreaterThan(70)
    expect(steps.flat()).toEqual([])
  })

  it.each([
    ['drop table customer;', 'drops customer'],
    ['drop function crm_guard(text);', 'drops crm_guard'],
    ['alter table customer drop column name;', 'drops customer.name'],
    ['alter table customer rename column name to title;', 'renames name of customer'],
    ['alter table customer rename to client;', 'renames customer of customer'],
    ['alter table customer alter column name type int;', 'makes customer.name another type'],
    ['alter table customer alter column name set not null;', 'wants customer.name filled'],
    ['alter table customer add column a text not null;', 'adds to customer a column that has to be filled'],
  ])('are refused with %s', async (migration, step) => {
    expect(await contractSteps(migration, await newestReleased())).toEqual([step])
  })

  it.each([
    'alter table customer add column a text;',
    `alter table customer add column a text not null default '';`,
    'create table brand_new (a text); drop table brand_new;',
    'drop index customer_name;',
    'drop trigger noted on customer;',
  ])('may have %s', async (migration) => {
    expect(await contractSteps(migration, await newestReleased())).toEqual([])
  })
})

/** A statement that fails on a server whose column was dropped: the check must find it. */
const GONE = 'select dropped_long_ago from customer'

describe('the servers of the last released version', async () => {
  const versions = await readdir(join(import.meta.dirname, 'released-statements'))

  it.each(versions)(
    '%s find every table, column and function they name',
    async (file) => {
      const statements = JSON.parse(await unpacked('released-statements', file)) as readonly string[]
      const { database, drop } = await openTestDatabase()
      const refused: string[] = []
      await database.owner(async (trx) => {
        for (const statement of [...statements, GONE]) {
          await sql`savepoint one`.execute(trx)
          await sql
            .raw(`prepare one as ${statement}`)
            .execute(trx)
            .then(
              () => sql`deallocate one`.execute(trx),
              async (error: Error) => {
                refused.push(`${error.message}: ${statement.slice(0, 200)}`)
                await sql`rollback to savepoint one`.execute(trx)
              },
            )
        }
      })
      await drop()

      expect(statements.length).toBeGreaterThan(400)
      expect(refused).toEqual([expect.stringContaining(GONE)])
    },
    120_000,
  )
})
