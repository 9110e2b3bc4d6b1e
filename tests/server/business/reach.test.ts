import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../../src/server/kernel/auth/caller.ts'
import { DATA_SCOPES, type DataScope } from '../../../src/server/kernel/auth/permissions.ts'
import type { CallContext } from '../../../src/server/kernel/context/call-context.ts'
import type { Database } from '../../../src/server/kernel/db/database.ts'
import { pageIds } from '../../../src/server/kernel/lists/branches.ts'
import { orderBy } from '../../../src/server/kernel/lists/keyset.ts'
import { ownedParts } from '../../../src/server/kernel/visibility/owned-parts.ts'
import { isVisible, isVisibleOwned } from '../../../src/server/kernel/visibility/predicate.ts'
import { withReach } from '../../../src/server/kernel/visibility/reach.ts'
import { CONTACT_LIST } from '../../../src/server/modules/contacts/list-spec.ts'
import { FOLLOW_LIST } from '../../../src/server/modules/follows/list-spec.ts'
import { DEMO } from '../images.ts'
import { NO_MODEL, openTestDatabase } from '../support.ts'
import { misplaced } from './support.ts'

const ENTITIES = ['customer', 'lead', 'bussiness'] as const

/** One rule decides who sees a row; lists use a faster equivalent. Both must always select the same rows. */
describe('visibility by index', () => {
  let database: Database
  let drop: () => Promise<void>
  beforeAll(async () => {
    const opened = await openTestDatabase(DEMO)
    database = opened.database
    drop = opened.drop
    // Some rows of every owner are shared, so that people see rows outside their scope.
    await database.system((trx) =>
      sql`insert into collaborator (tenant_id, entity, record_id, user_id, level)
        select tenant_id, 'customer', id, 'u-manager', 'read' from (select * from customer where tenant_id = 'xinghai'
          and deleted_at is null order by md5(id) limit 60) picked on conflict do nothing`.execute(trx),
    )
  }, 120_000)
  afterAll(() => drop())

  it.each(DATA_SCOPES.flatMap((scope) => ENTITIES.map((entity) => [scope, entity] as const)))(
    'in the scope %s returns the same %s rows as the rule',
    async (scope, entity) => {
      await ctx(scope, async (plain) => {
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

  it.each(
    DATA_SCOPES.flatMap((scope) =>
      [
        ...['all', 'mine', 'team'].map((tab) => [FOLLOW_LIST, tab, 'followed_at', 'desc'] as const),
        ...['all', 'mine', 'key', 'birthday'].map((tab) => [CONTACT_LIST, tab, 'py', 'asc'] as const),
        [CONTACT_LIST, 'recent', 'last_follow_at', 'desc'] as const,
        [CONTACT_LIST, 'all', 'created_at', 'desc'] as const,
      ].map(([list, tab, column, dir]) => [scope, list.entity, tab, column, dir, list] as const),
    ),
  )(
    'in the scope %s returns the same list of %s %s by %s %s as the rule',
    async (scope, _, tab, column, dir, list) => {
      await ctx(scope, async (plain) => {
        const quick = await withReach(plain, true)
        const by = list.sorts[column]
        if (by === undefined) throw new Error(`no sort ${column}`)
        const sorts = [{ by, dir }]
        const inTab = list.tabs[tab]?.where ?? (() => sql<boolean>`false`)
        const { rows: byRule } = await sql<{
          id: string
        }>`select ${sql.ref(`${list.row}.id`)} as id from ${list.from(plain)}
        where ${list.visible(plain)} and ${inTab(plain)} order by ${orderBy(list.row, sorts)}`.execute(
          plain.trx,
        )
        const branches = list.branches?.(quick, tab, sorts, [])
        if (!branches) throw new Error('the list is not taken apart')
        const where = branches.areTab ? [] : [inTab(quick)]
        const { rows } = await sql<{
          id: string
        }>`${pageIds(list.row, { branches, where, sorts, most: 10_000, after: null })}`.execute(plain.trx)
        const ids = rows.map(({ id }) => id)

        expect([...new Set(ids)]).toEqual(byRule.map(({ id }) => id))
        expect(ids.length).toBeLessThanOrEqual(byRule.length * (branches.copies ?? 1))
        if (tab === 'all') expect(ids.length).toBeGreaterThan(0)
      })
    },
  )

  it('follows records when they move', async () => {
    const run = (statement: ReturnType<typeof sql>) => database.system((trx) => statement.execute(trx))
    expect(await misplaced(database)).toEqual([])
    for (const table of ['customer', 'lead', 'bussiness'])
      await run(sql`update ${sql.table(table)} set owner_id = 'u-manager', owner_dept_id = 'xh-sales-1', pool_id = null
        where tenant_id = 'xinghai' and id in (select id from ${sql.table(table)} where tenant_id = 'xinghai' order by md5(id) limit 40)`)
    await run(sql`update customer set owner_id = null, owner_dept_id = null, pool_id = 'xinghai-pool-customer'
      where tenant_id = 'xinghai' and owner_id = 'u-demo'`)
    await run(sql`update contract set owner_id = 'u-manager' where tenant_id = 'xinghai'`)
    for (const table of ['customer', 'lead', 'bussiness', 'contract', 'follow'])
      await run(
        sql`update ${sql.table(table)} set deleted_at = now() where tenant_id = 'xinghai' and left(md5(id), 1) = '7'`,
      )
    await run(
      sql`update customer set deleted_at = null where tenant_id = 'xinghai' and left(md5(id), 2) < '78'`,
    )
    await run(sql`update contact set is_primary = false`)
    for (const table of ['contact', 'follow'])
      await run(sql`update ${sql.table(table)} set customer_id = (select id from customer where tenant_id = 'xinghai'
        and owner_id is not null and deleted_at is null order by md5(id) limit 1)
        where tenant_id = 'xinghai' and customer_id is not null and left(md5(id), 1) = '5'`)

    expect(await misplaced(database)).toEqual([])
  })

  function ctx<T>(scope: DataScope, work: (ctx: CallContext) => Promise<T>): Promise<T> {
    const caller = callerIn(scope)
    return database.tenant(caller, (trx) =>
      work({ trx, caller, now: new Date(), zone: 'Asia/Shanghai', cursorSecret: '', model: NO_MODEL }),
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
