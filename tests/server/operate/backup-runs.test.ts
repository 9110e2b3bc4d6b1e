import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimDueRun, endRun } from '../../../src/server/flows/backup/runs.ts'
import { readConfig } from '../../../src/server/kernel/config/config.ts'
import type { Database } from '../../../src/server/kernel/db/database.ts'
import { openTestDatabase } from '../support.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-03-16T02:00:00Z')
const SETTINGS = { folder: '/backups', everyMs: 24 * HOUR, keep: 3, testEveryMs: 7 * 24 * HOUR }

describe('scheduled backups', () => {
  let database: Database
  let drop: () => Promise<void>
  beforeAll(async () => {
    ;({ database, drop } = await openTestDatabase())
  })
  afterAll(() => drop())
  const take = (hours: number) => claimDueRun(database, SETTINGS, START + hours * HOUR)
  const finish = (id = '', hours = 0, ok = true) =>
    endRun(database, id, { ok, message: ok ? 'done' : 'disk full', now: START + hours * HOUR })

  it('are made by one of several servers, again an hour after a failure, and test-restored once a week', async () => {
    const [one, other] = await Promise.all([take(0), take(0)])
    const first = one ?? other
    expect([one, other]).toContain(null)
    expect(first).toMatchObject({ kind: 'backup', file: 'crm-2026-03-16T020000Z.backup' })
    await finish(first?.id, 0.1, false)
    expect(await take(0.5)).toBeNull()
    const second = await take(1)
    expect(second?.kind).toBe('backup')
    await finish(second?.id, 1)
    const test = await take(1.1)
    expect(test).toMatchObject({ kind: 'test', file: second?.file })
    await finish(test?.id, 1.2)
    expect(await take(24)).toBeNull()
    expect((await take(25))?.kind).toBe('backup')
  })

  it.each([
    [{ BACKUP_HOURS: '0' }, 'BACKUP_HOURS is a whole number from 1 to 744, not 0'],
    [{ BACKUP_KEEP: 'all' }, 'BACKUP_KEEP is a whole number from 1 to 1000, not all'],
    [{ BACKUP_TEST_DAYS: '-1' }, 'BACKUP_TEST_DAYS is a whole number from 0 to 365, not -1'],
  ])('refuse the setting %o', (env, sentence) => {
    expect(() => readConfig({ DATA_DIR: 'x', BACKUP_DIR: 'b', ...env })).toThrow(sentence)
  })
})
