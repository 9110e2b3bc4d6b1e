import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createDatabase, type Database } from '../../../src/server/kernel/db/database.ts'
import { openPostgresql } from '../../../src/server/kernel/db/postgresql.ts'
import { startSharedClock } from '../../../src/server/kernel/db/shared-clock.ts'
import { isWithin } from '../../../src/server/kernel/time/within.ts'
import { type Cluster, startCluster } from '../../../src/tools/cluster.ts'

const HOUR_MS = 3_600_000
const before = Date.now
let cluster: Cluster
let database: Database
beforeAll(async () => {
  cluster = await startCluster()
  database = createDatabase(openPostgresql(cluster.url, () => undefined))
  await database.owner((trx) => sql`create role crm_system`.execute(trx))
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await database.close()
  await cluster.remove()
})

const shift = (ms: number) => vi.spyOn(Date, 'now').mockImplementation(() => before() + ms)

it.each([HOUR_MS, -HOUR_MS])(
  'a server uses the time of its database even if the machine’s clock is off by %i ms, which is logged once',
  async (ms) => {
    const drifts: number[] = []
    const clock = await startSharedClock(database, {
      onDrift: (off) => drifts.push(off),
      onError: (error) => drifts.push(Number(error)),
      everyMs: 20,
    })
    const off = () => Math.abs(clock.now() - before())
    expect(off()).toBeLessThan(1_000)

    shift(ms)

    await expect.poll(() => drifts).toHaveLength(1)
    await database.system((trx) => sql`select pg_sleep(0.1)`.execute(trx))
    expect(off()).toBeLessThan(1_000)
    expect(Math.abs((drifts[0] ?? 0) - ms)).toBeLessThan(1_000)
    expect(drifts).toHaveLength(1)
    clock.stop()
  },
)

it('a server continues from its last clock check while the database is unavailable', async () => {
  const errors: unknown[] = []
  const clock = await startSharedClock(database, {
    onDrift: () => undefined,
    onError: (error) => errors.push(error),
    everyMs: 20,
  })
  await cluster.stop()

  await expect.poll(() => errors.length, { timeout: 20_000 }).toBeGreaterThan(0)

  expect(Math.abs(clock.now() - before())).toBeLessThan(1_000)
  clock.stop()
  await cluster.start()
})

it('a start time in the future comes from a clock that was set back: it counts as expired', () => {
  const now = 10 * HOUR_MS
  expect([0, 1, 999, 1_000, -1, -HOUR_MS].map((ago) => isWithin(1_000, now - ago, now))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
