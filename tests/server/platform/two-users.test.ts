import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedAccounts } from '../../../src/server/http/seed/accounts.ts'
import { readPlace } from '../../../src/server/kernel/config/place.ts'
import { describeDatabase } from '../../../src/server/kernel/db/describe.ts'
import { migrate } from '../../../src/server/kernel/db/migrate.ts'
import { openDatabase } from '../../../src/server/kernel/db/open.ts'
import { withDatabase, withOwner } from '../../../src/server/kernel/db/with-database.ts'
import { type Cluster, startCluster } from '../../../src/tools/cluster.ts'
import { fail, onServer } from '../images.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

it('one database user migrates and owns the tables, another serves with only reading and writing', async () => {
  await onServer(cluster.url, async (client) => {
    await client.query('create role crm_owner login createrole')
    await client.query('create role "crm-serve" login')
    await client.query('create database crm owner crm_owner')
  })
  const as = (user: string) => {
    const url = new URL(cluster.url)
    url.pathname = '/crm'
    url.username = user
    return url.href
  }
  const place = { url: as('crm-serve'), migrateUrl: as('crm_owner'), folder: null, onError: fail }

  await expect(openDatabase({ ...place, migrateUrl: undefined })).rejects.toThrow('DATABASE_MIGRATE_URL')
  const first = await openDatabase(place)
  await first.database.system(seedAccounts)
  await first.database.close()
  const { database, ran } = await openDatabase(place)

  expect(first.ran.length).toBeGreaterThan(50)
  expect(ran).toEqual([])
  const about = {
    production: true,
    dataDir: '/data',
    databaseUrl: place.url,
    migrateUrl: place.migrateUrl,
    readUrl: undefined,
    storage: null,
  }
  expect(await describeDatabase(about, database, ran)).toMatch(/schema \d{4}-\S+ \(up to date\)/)
  const { rows } = await database.system((trx) =>
    sql<{ n: number }>`select count(*)::int as n from app_user`.execute(trx),
  )
  expect(rows[0]?.n).toBeGreaterThan(3)
  for (const statement of [
    'drop table customer',
    'alter table customer disable row level security',
    'create table mine (id int)',
    'drop policy own_tenant on customer',
  ])
    await expect(database.owner((trx) => sql.raw(statement).execute(trx))).rejects.toThrow(
      /permission denied|must be owner/,
    )
  const mine = await database.owner((trx) =>
    sql`select 1 from pg_class where relowner = current_user::regrole`.execute(trx),
  )
  expect(mine.rows).toEqual([])
  await database.close()
})

it('data that a command created as the owner is accessible to the serving user, before any start', async () => {
  await onServer(cluster.url, async (client) => {
    await client.query('create role other_owner login createrole')
    await client.query('create role other_serve login')
    await client.query('create database other owner other_owner')
  })
  const as = (user: string) =>
    Object.assign(new URL(cluster.url), { pathname: '/other', username: user }).href
  const place = {
    ...readPlace({ DATABASE_URL: as('other_serve'), DATABASE_MIGRATE_URL: as('other_owner') }),
    dataDir: '/nowhere',
  }

  await withOwner(place, (database) => migrate(database))

  await withDatabase(place, async (database) => {
    const { rows } = await database.system((trx) => sql`select 1 from tenant`.execute(trx))
    expect(rows).toEqual([])
  })
})
