import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../../src/server/auth/caller.ts'
import { DATA_SCOPES, type DataScope } from '../../../src/server/auth/permissions.ts'
import type { Database } from '../../../src/server/db/database.ts'
import { FOLLOW_LIST, isFollowVisible } from '../../../src/server/follows/list-spec.ts'
import { pageIds } from '../../../src/server/lists/branches.ts'
import type { Asking } from '../../../src/server/records/asking.ts'
import { seedDemo } from '../../../src/server/seed/index.ts'
import { ownedParts } from '../../../src/server/visibility/owned-parts.ts'
import { isVisible, isVisibleOwned } from '../../../src/server/visibility/predicate.ts'
import { withReach } from '../../../src/server/visibility/reach.ts'
import { openTestDatabase } from '../support.ts'

const ENTITIES = ['customer', 'lead', 'bussiness'] as const

/** One rule decides who sees a row; lists ask it in quicker words. Both must always mean the same rows. */
describe('what somebody sees, asked by index', () => {
  let database: Database
  let drop: () => Promise<void>
  beforeAll(async () => {
    const opened = await openTestDatabase()
    database = opened.database
    drop = opened.drop
    await seedDemo(database)
    // Some rows of everybody's are shared, so that people see rows outside their scope.
    await database.system((trx) =>
      sql`insert into collaborator (tenant_id, entity, record_id, user_id, level)
        select tenant_id, 'customer', id, 'u-manager', 'read' from (select * from customer where tenant_id = 'xinghai'
          and deleted_at is null order by md5(id) limit 60) picked on conflict do nothing`.execute(trx),
    )
  }, 120_000)
  afterAll(() => drop())

  it.each(DATA_SCOPES.flatMap((scope) => ENTITIES.map((entity) => [scope, entity] as const)))(
    'in the scope %s is the same %s rows as by the rule',
    async (scope, entity) => {
      await asking(scope, async (plain) => {
        const quick = await withReach(plain)
        const row = sql.ref('r')
        const idsOf = async (where: ReturnType<typeof isVisible>) => {
          const { rows } = await sql<{
            id: string
          }>`select r.id from ${sql.table(entity)} ${row} where ${where}
            order by 1`.execute(plain.trx)
          return rows.map(({ id }) => id)
        }
        const rule = isVisible(plain.caller, entity, 'r')
        const owned = await idsOf(sql<boolean>`(${rule} and r.owner_id is not null)`)
        const parts = ownedParts(quick.caller, entity, 'r')
        const inParts = []
        for (const part of parts ?? []) inParts.push(...(await idsOf(part.where)))

        expect(owned.length).toBeGreaterThan(0)
        expect(await idsOf(isVisibleOwned(plain.caller, entity, 'r'))).toEqual(owned)
        expect(await idsOf(isVisibleOwned(quick.caller, entity, 'r'))).toEqual(owned)
        expect(await idsOf(isVisible(quick.caller, entity, 'r'))).toEqual(await idsOf(rule))
        expect(parts === null).toBe(scope === 'all')
        if (parts !== null) expect(inParts.sort()).toEqual(owned)
      })
    },
  )

  it.each(DATA_SCOPES)('in the scope %s is the same follow-ups as by the rule', async (scope) => {
    await asking(scope, async (plain) => {
      const quick = await withReach(plain)
      const { rows: byRule } = await sql<{ id: string }>`select f.id from follow f
        where ${isFollowVisible(plain.caller, 'f')} order by f.followed_at desc, f.id desc`.execute(plain.trx)
      const branches = FOLLOW_LIST.branches?.(quick, 'all', FOLLOW_LIST.defaultSort)
      if (!branches) throw new Error('the feed is not taken apart')
      const { rows } = await sql<{
        id: string
      }>`${pageIds('f', branches, [], FOLLOW_LIST.defaultSort, 10_000)}`.execute(plain.trx)

      expect(byRule.length).toBeGreaterThan(0)
      expect(rows).toEqual(byRule)
    })
  })

  function asking<T>(scope: DataScope, work: (asking: Asking) => Promise<T>): Promise<T> {
    const caller = callerIn(scope)
    return database.tenant(caller, (trx) =>
      work({ trx, caller, now: new Date(), zone: 'Asia/Shanghai', cursorSecret: '' }),
    )
  }
})

function callerIn(scope: DataScope): Caller {
  return {
    tenantId: 'xinghai',
    userId: 'u-manager',
    sessionId: 's',
    account: 'manager',
    name: '',
    deptId: 'xh-sales-1',
    deptPath: 'xh-root/xh-sales/xh-sales-1/',
    roles: [],
    permissions: new Set(['customer_pool:view', 'bussiness_pool:view']),
    scopes: { default: scope },
    customDepts: { default: ['xh-sales-2'] },
    fieldRights: {},
    mustChangePassword: false,
    tenant: { id: 'xinghai', name: '', logo: '', timezone: 'Asia/Shanghai', settings: {} },
  }
}
