import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GLOBAL_TABLES } from '../../../src/server/kernel/db/catalogue.ts'
import type { Database } from '../../../src/server/kernel/db/database.ts'
import { openTestDatabase } from '../support.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ database, drop } = await openTestDatabase())
})
afterAll(() => drop())

const column = async (query: string): Promise<readonly string[]> => {
  const { rows } = await database.owner((trx) => sql.raw<{ name: string }>(query).execute(trx))
  return rows.map(({ name }) => name)
}

/** What src/SCALE.md says about the tables, read from the catalogue. */
describe('a database that is distributed over machines by tenant', () => {
  it('has foreign keys within one tenant, except to logins, which are reference tables', async () => {
    const across =
      await column(`select conrelid::regclass || ' -> ' || confrelid::regclass as name from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace and not exists (select 1 from unnest(conkey) k
        join pg_attribute a on a.attrelid = conrelid and a.attnum = k where a.attname = 'tenant_id') order by 1`)

    expect(across).toEqual(['membership -> app_user', 'session -> app_user'])
  })

  it('uses sequences only for the order of one tenant’s writes', async () => {
    const counted = await column(`select d.refobjid::regclass || '.' || a.attname as name from pg_class c
      join pg_depend d on d.objid = c.oid and d.deptype in ('a', 'i')
      join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid where c.relkind = 'S' order by 1`)

    expect(counted).toEqual(['approval_act.seq', 'stat_day.seq'])
  })

  it('has a script that distributes each of its tables once, reference tables first', async () => {
    const script = await readFile(join(import.meta.dirname, '../../../src/deploy/distribute.sql'), 'utf8')
    const { rows } = await database.owner((trx) =>
      sql.raw<{ line: string }>(script.replace(/^--.*$/gm, '').replace(/;\s*$/, '')).execute(trx),
    )
    const lines = rows.map((row) => String(Object.values(row)[0]))
    const named = (kind: string) =>
      lines.flatMap((line) => new RegExp(`create_${kind}_table\\('(\\w+)'`).exec(line)?.[1] ?? [])
    const tables = await column(`select relname as name from pg_class where relkind = 'r'
      and relnamespace = 'public'::regnamespace and relname <> 'schema_migration'`)

    expect([...named('reference'), ...named('distributed')].sort()).toEqual([...tables].sort())
    expect(named('reference').filter((name) => !GLOBAL_TABLES.has(name))).toEqual(['tenant'])
    expect(lines.findIndex((line) => line.includes('distributed'))).toBe(named('reference').length)
    expect(named('distributed')[0]).toBe('membership')
  })
})
