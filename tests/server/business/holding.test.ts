import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { CallContext } from '../../../src/server/kernel/context/call-context.ts'
import type { PoolName } from '../../../src/server/kernel/context/entities.ts'
import type { Database, Trx } from '../../../src/server/kernel/db/database.ts'
import {
  checkHoldingCap,
  holdForNew,
  holdingOf,
  lockHeadroom,
  lockPeople,
} from '../../../src/server/kernel/pools/person-cap.ts'
import { homePool, memberPool, memberPools, targetPool } from '../../../src/server/kernel/pools/pool.ts'
import { isPooledRow, pooledName, pooledTable } from '../../../src/server/kernel/pools/pooled.ts'
import { refreshConverted, refreshExpiry } from '../../../src/server/kernel/pools/refresh-expiry.ts'
import { POOL_DEFAULTS, poolDefaults, poolSettingsOf } from '../../../src/server/kernel/pools/settings.ts'
import type { NewHolder } from '../../../src/server/kernel/records/new-holder.ts'
import { openTestDatabase } from '../support.ts'
import { addRows } from './seen-rows.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const opened = await openTestDatabase()
  database = opened.database
  drop = opened.drop
  await database.system(async (trx) => {
    await addRows(
      trx,
      'tenant',
      ['t1', 't2'].map((id) => ({ id, code: id, name: id })),
    )
    await addRows(
      trx,
      'app_user',
      ['u1', 'u2', 'x1'].map((id) => ({ id, account: id, password_hash: 'x' })),
    )
    await addRows(trx, 'department', [{ tenant_id: 't1', id: 'd1', name: 'd1', path: '/d1/' }])
    await addRows(trx, 'membership', [
      { tenant_id: 't1', user_id: 'u1', name: 'u1', dept_id: 'd1' },
      { tenant_id: 't1', user_id: 'u2', name: 'u2' },
      { tenant_id: 't2', user_id: 'x1', name: 'x1' },
    ])
  })
})
afterAll(() => drop())

const NOW = new Date('2026-03-16T02:00:00Z')
const day = (n: number): Date => new Date(NOW.getTime() + n * 86_400_000)
const VISIT = { label: '拜访', name: 'visit', origin: 'tenant', behaviours: ['owned', 'pool'] }

interface Scene {
  readonly trx: Trx
  readonly ctx: CallContext
  add(table: string, ...rows: Readonly<Record<string, unknown>>[]): Promise<void>
}

/** Plays in a database that is as before afterwards. */
async function play(work: (scene: Scene) => Promise<void>): Promise<void> {
  const over = new Error('over')
  await database
    .system(async (trx) => {
      const caller = { tenantId: 't1', userId: 'u1', deptId: 'd1', permissions: new Set<string>() }
      const model = { modules: new Map([['visit', VISIT]]) }
      await work({
        trx,
        ctx: { trx, caller, model, now: NOW } as unknown as CallContext,
        add: (table, ...rows) =>
          addRows(
            trx,
            table,
            rows.map((row) => ({ tenant_id: 't1', ...row })),
          ),
      })
      throw over
    })
    .catch((error) => {
      if (error !== over) throw error
    })
}

const pool = (id: string, more: object = {}) => ({
  id,
  entity: 'customer',
  name: id,
  member_all: true,
  ...more,
})
const settings = (given: JsonObject) => ({ settings: JSON.stringify(given) })
const found = (id: string) => ({
  name: id,
  name_norm: id,
  search_text: 'x',
  search_tokens: [],
  py: 'x',
  py_initial: 'x',
})
const held = { owner_id: 'u1', owner_since: NOW, obtain_way: 'claimed' }
const customer = (id: string, more: object = {}) => ({ id, ...found(id), customer_no: id, ...held, ...more })
const lead = (id: string, more: object = {}) => ({ id, ...found(id), wechat: id, ...held, ...more })
const bussiness = (id: string, more: object = {}) => ({
  id,
  ...found(id),
  bussiness_no: id,
  customer_id: 'c1',
  amount: 1,
  expected_date: '2026-01-01',
  stage_id: 's1',
  ...held,
  ...more,
})
const visit = (id: string, more: object = {}) => ({ module: 'visit', id, title: id, ...held, ...more })
const refusal = (code: number, data: unknown = null) => expect.objectContaining({ code, data })

describe('the pool of a tenant', () => {
  it('is the default pool, else the oldest one that is in use', () =>
    play(async ({ trx, add }) => {
      const home = async (entity: PoolName = 'customer') =>
        (await homePool(entity, { trx, tenantId: 't1' }))?.id
      expect(await homePool('customer', { trx, tenantId: 't1' })).toBeNull()
      await add(
        'pool',
        pool('a', { entity: 'lead' }),
        pool('b', { tenant_id: 't2' }),
        pool('c', { enabled: false, is_default: true }),
        pool('d', { deleted_at: NOW }),
      )
      expect(await home()).toBeUndefined()
      await add('pool', pool('e', { created_at: day(2) }), pool('f', { created_at: day(1) }))
      expect(await home()).toBe('f')
      await add(
        'pool',
        pool('g', { created_at: day(1) }),
        pool('h', { created_at: day(3), is_default: true }),
      )
      expect(await home()).toBe('h')
      expect(await home('lead')).toBe('a')
      expect(await home('bussiness')).toBeUndefined()
    }))

  it('has the stored settings, and the defaults of its entity for the others', () =>
    play(async ({ trx, add }) => {
      await add('pool', pool('a', { entity: 'lead', ...settings({ holding_cap: 7, lock_cap: -1 }) }))
      expect(await homePool('lead', { trx, tenantId: 't1' })).toMatchObject({
        id: 'a',
        name: 'a',
        entity: 'lead',
        enabled: true,
        is_default: false,
        admin_user_ids: [],
        grace_until: null,
        settings: { ...POOL_DEFAULTS.lead, holding_cap: 7 },
      })
    }))

  it('is open to its members', () =>
    play(async ({ ctx, add }) => {
      await add(
        'pool',
        pool('a', { created_at: day(2) }),
        pool('b', { created_at: day(1), member_all: false, member_dept_ids: ['d1'] }),
        pool('c', { created_at: day(1), member_all: false, member_user_ids: ['u2'] }),
        pool('d', { created_at: day(3), is_default: true }),
        pool('e', { entity: 'lead' }),
        pool('f', { tenant_id: 't2' }),
      )
      expect((await memberPools('customer', ctx)).map(({ id }) => id)).toEqual(['d', 'b', 'a'])
      expect(await memberPool('customer', 'b', ctx)).toMatchObject({
        id: 'b',
        settings: POOL_DEFAULTS.customer,
      })
      await add('pool', pool('5'))
      for (const other of ['c', 'e', 'f', 'none', '', 5, undefined, { id: 'a' }])
        await expect(memberPool('customer', other, ctx), String(other)).rejects.toMatchObject({
          code: 405,
          message: '您不是该公海成员',
          error: { type: 'NO_PERMISSION', detail: 'customer_pool:view' },
        })
    }))

  it('for new records is the default pool, or another pool in use if users may choose', () =>
    play(async ({ trx, ctx, add }) => {
      const none = expect.objectContaining({
        code: 404,
        message: '公海不存在或已停用',
        error: { type: 'NOT_FOUND' },
      })
      await expect(targetPool('customer', undefined, ctx)).rejects.toEqual(none)
      await expect(targetPool('customer', 'other', ctx)).rejects.toEqual(none)
      await add('pool', pool('home', { is_default: true }), pool('other'), pool('off', { enabled: false }))
      await add(
        'pool',
        pool('gone', { deleted_at: NOW }),
        pool('lead', { entity: 'lead' }),
        pool('foreign', { tenant_id: 't2' }),
      )
      for (const chosen of [undefined, null, '', 'home'])
        expect((await targetPool('customer', chosen, ctx)).id).toBe('home')
      expect(await targetPool('customer', 'other', ctx)).toMatchObject({
        id: 'other',
        settings: POOL_DEFAULTS.customer,
      })
      for (const wrong of ['off', 'gone', 'lead', 'foreign', 5])
        await expect(targetPool('customer', wrong, ctx), String(wrong)).rejects.toEqual(none)
      await sql`update pool set settings = '{"manual_pool_choice": false}' where id = 'home'`.execute(trx)
      await expect(targetPool('customer', 'other', ctx)).rejects.toMatchObject({
        code: 405,
        message: '当前设置只能退回默认公海',
        error: { type: 'NO_PERMISSION' },
      })
      expect((await targetPool('customer', 'home', ctx)).id).toBe('home')
    }))
})

describe('the number of records that a user holds', () => {
  it('excludes records that are done, deleted, or owned by others', () =>
    play(async ({ ctx, add }) => {
      const of = async (entity: PoolName, user = 'u1') =>
        (await holdingOf(entity, user, poolDefaults(entity), ctx)).n
      await add(
        'customer',
        customer('c1'),
        customer('c2', { deal_status: 1 }),
        customer('c3', { owner_id: 'u2' }),
        customer('c4', { deleted_at: NOW }),
        customer('c5', { tenant_id: 't2', owner_id: 'x1' }),
      )
      await add('lead', ...[10, 20, 40, 50].map((status) => lead(`l${status}`, { status })))
      await add('bussiness', ...[1, 2, 3].map((status) => bussiness(`b${status}`, { status })))
      await add('record', visit('v1'), visit('v2'), visit('o1', { module: 'other' }))
      expect([await of('customer'), await of('lead'), await of('bussiness'), await of('m.visit')]).toEqual([
        1, 2, 1, 2,
      ])
      expect([await of('customer', 'u2'), await of('customer', 'nobody')]).toEqual([1, 0])
    }))

  it('is limited by the user’s own cap, else their department’s, else the pool’s', () =>
    play(async ({ ctx }) => {
      const capOf = async (user: string, given: JsonObject) =>
        (await holdingOf('customer', user, poolSettingsOf('customer', given), ctx)).cap
      const all = { holding_cap: 3, holding_cap_by_user: { u1: 1 }, holding_cap_by_dept: { d1: 2 } }
      expect(await capOf('u1', all)).toBe(1)
      expect(await capOf('u1', { ...all, holding_cap_by_user: {} })).toBe(2)
      expect(await capOf('u2', all)).toBe(3)
      expect(await capOf('u1', { holding_cap_by_user: { u1: 0 } })).toBe(0)
    }))

  it('is refused above the cap, with different messages to the user and to others', () =>
    play(async ({ trx, ctx, add }) => {
      await add('customer', customer('c1'), customer('c2'), customer('c3', { owner_id: 'u2' }))
      const check = (user: string, more: number, cap?: number) =>
        checkHoldingCap(
          'customer',
          user,
          more,
          ctx,
          cap === undefined ? undefined : poolSettingsOf('customer', { holding_cap: cap }),
        )
      await check('u1', 1, 3)
      await check('u1', 99, 0)
      await check('u1', 999)
      await expect(check('u1', 2, 3)).rejects.toMatchObject({
        code: 422,
        error: { type: 'HOLDING_CAP' },
        message: '持有客户已达上限（3），可先退回或成交',
        data: { n: 2, cap: 3, userId: 'u1' },
      })
      await expect(check('u2', 1, 1)).rejects.toMatchObject({
        message: '对方持有客户已达上限（1），请选择其他同事',
        data: { n: 1, cap: 1, userId: 'u2' },
      })
      await add('pool', pool('a', settings({ holding_cap: 2 })))
      await expect(check('u1', 1)).rejects.toEqual(refusal(422, { n: 2, cap: 2, userId: 'u1' }))
      await sql`update pool set deleted_at = now()`.execute(trx)
      await check('u1', 1)
    }))

  it('is read under a lock of the user', () =>
    play(async ({ trx, ctx }) => {
      const holder: NewHolder = { userId: 'u1', deptId: null, poolId: null, way: 'created' }
      await lockHeadroom('customer', { ...holder, userId: null }, ctx)
      expect(await locksOf(trx)).toEqual({ keys: 0 })
      await lockHeadroom('customer', holder, ctx)
      expect(await locksOf(trx)).toEqual({ ShareLock: 1, keys: 1 })
      await lockPeople(trx, 't1', ['u2', 'u1', 'u2'])
      expect(await locksOf(trx)).toEqual({ ShareLock: 1, ExclusiveLock: 2, keys: 2 })
      await lockHeadroom('customer', { ...holder, userId: 'u3', way: 'imported' }, ctx)
      expect(await locksOf(trx)).toEqual({ ShareLock: 1, ExclusiveLock: 3, keys: 3 })
    }))

  it.each([
    [0, false],
    [2, true],
    [32, true],
    [33, false],
  ])('is counted again under an exclusive lock near the cap: %i, %j', (holding_cap, isNear) =>
    play(async ({ trx, ctx, add }) => {
      await add('pool', pool('a', settings({ holding_cap })))
      await add('customer', customer('c1'))
      const { ShareLock = 0, keys = 0 } = await locksOf(trx)
      await holdForNew('customer', { userId: 'u1', deptId: null, poolId: null, way: 'created' }, 'A', ctx)
      expect(await locksOf(trx)).toEqual({
        ShareLock: ShareLock + 1,
        ...(isNear ? { ExclusiveLock: 1, keys: keys + 2 } : { keys: keys + 1 }),
      })
    }),
  )
})

/** The locks of this transaction that people are counted under, by mode, and how many keys they have. */
async function locksOf(trx: Trx): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{ mode: string; key: string }>`select mode, classid || '/' || objid as key
    from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`.execute(trx)
  const counts: Record<string, number> = {}
  for (const { mode } of rows) counts[mode] = (counts[mode] ?? 0) + 1
  return { ...counts, keys: new Set(rows.map(({ key }) => key)).size }
}

describe('a record in a pool', () => {
  it('is listed under its own name, and one of an own module only with records of its module', () =>
    play(async ({ trx, add }) => {
      await add('lead', lead('l1'))
      await add('record', visit('v1', { title: '拜访一' }), visit('o1', { module: 'other' }))
      const names = async (entity: PoolName) => {
        const { rows } = await sql<{ name: string }>`select ${pooledName(entity)} as name
          from ${pooledTable(entity)} r where ${isPooledRow(entity)}`.execute(trx)
        return rows.map(({ name }) => name)
      }
      expect([await names('lead'), await names('m.visit')]).toEqual([['l1'], ['拜访一']])
    }))
})

describe('a new record', () => {
  const holder: NewHolder = { userId: 'u1', deptId: 'd1', poolId: null, way: 'created' }
  const mine = { owner_id: 'u1', owner_dept_id: 'd1', owner_since: NOW, obtain_way: 'created' }

  it('is held by its receiver, or lies in a pool', () =>
    play(async ({ ctx, add }) => {
      expect(await holdForNew('customer', holder, 'A', ctx)).toEqual(mine)
      await add('pool', pool('a', settings({ holding_cap: 1 })))
      await add('customer', customer('c1'))
      expect(await holdForNew('customer', { ...holder, userId: null, poolId: 'a' }, 'A', ctx)).toEqual({
        pool_id: 'a',
        pool_entered_at: NOW,
        obtain_way: 'created',
      })
    }))

  it('is returned by the rules of the pool: by its level, and not within the grace period', () =>
    play(async ({ trx, ctx, add }) => {
      const expiry = async (level: unknown, more: Partial<NewHolder> = {}) =>
        (await holdForNew('customer', { ...holder, ...more }, level, ctx)).expire_at
      const rules = {
        recycle_no_follow_days: { A: 30, default: 15 },
        recycle_no_first_follow_days: 3,
        recycle_no_deal_days: 0,
      }
      await add('pool', pool('a', settings(rules)), pool('b', { entity: 'bussiness' }))
      expect(await expiry('A')).toEqual(day(30))
      expect(await expiry(['A'])).toEqual(day(15))
      expect(await expiry('A', { way: 'imported' })).toEqual(day(30))
      await sql`update pool set grace_until = ${day(40)} where id = 'a'`.execute(trx)
      expect(await expiry('A')).toEqual(day(40))
      await sql`update pool set settings = '{"recycle_no_follow_days": {}, "recycle_no_deal_days": 0}' where id = 'a'`.execute(
        trx,
      )
      expect(await expiry('A')).toBeNull()
      expect((await holdForNew('bussiness', holder, null, ctx)).expire_at).toEqual(day(20))
    }))

  it('is refused above the cap, even if other records arrived after the check', () =>
    play(async ({ trx, ctx, add }) => {
      await add('pool', pool('a', settings({ holding_cap: 2 })))
      await add('customer', customer('c1'))
      const room = await lockHeadroom('customer', holder, ctx)
      expect(room).toMatchObject({ n: 1, dept_id: 'd1', home_pool: 'a' })
      expect(await holdForNew('customer', holder, 'A', ctx, room)).toMatchObject(mine)
      await add('customer', customer('c2'))
      const full = { n: 2, cap: 2, userId: 'u1' }
      await expect(holdForNew('customer', holder, 'A', ctx, room)).rejects.toEqual(refusal(422, full))
      await expect(holdForNew('customer', holder, 'A', ctx)).rejects.toEqual(refusal(422, full))
      await sql`update pool set settings = '{"holding_cap": 2, "holding_cap_by_dept": {"d1": 0}}'`.execute(
        trx,
      )
      expect(await holdForNew('customer', holder, 'A', ctx)).toMatchObject(mine)
    }))
})

describe('the recycling date', () => {
  /** What is found for the records, which must be what is stored with them. */
  async function refreshed(entity: PoolName, ids: readonly string[], { trx }: Scene) {
    const expiries = await refreshExpiry(entity, ids, { trx, tenantId: 't1' })
    const table = entity.startsWith('m.')
      ? sql`record where module = 'visit' and`
      : sql`${sql.table(entity)} where`
    const { rows } = await sql<{
      id: string
      at: Date | null
    }>`select id, expire_at as at from ${table} tenant_id = 't1' and id = any(${[...ids]}::text[])`.execute(
      trx,
    )
    for (const { id, at } of rows) expect(expiries.get(id)?.at ?? null, id).toEqual(at)
    return Object.fromEntries(
      [...expiries].map(([id, expiry]) => [
        id,
        expiry === null ? null : `${(expiry.at.getTime() - NOW.getTime()) / 86_400_000} ${expiry.reason}`,
      ]),
    )
  }
  const rules = settings({
    recycle_no_first_follow_days: 3,
    recycle_no_follow_days: { A: 30, default: 15 },
    recycle_no_deal_days: 90,
    exempt_deal: false,
  })

  it('is empty without a pool, without records, or with its rules off', () =>
    play(async (scene) => {
      await scene.add('customer', customer('c1', { expire_at: NOW }))
      expect(await refreshed('customer', ['c1', 'none'], scene)).toEqual({ c1: null })
      expect(await refreshed('customer', [], scene)).toEqual({})
    }))

  it('of customers depends on level, follow-up, lock, deal and open opportunities', () =>
    play(async (scene) => {
      await scene.add('pool', pool('a', rules))
      await scene.add(
        'customer',
        customer('c1', { level: 'A', obtain_way: 'created' }),
        customer('c2', { last_follow_at: day(2) }),
        customer('c3', { lock_status: true }),
        customer('c4', { deal_status: 1 }),
        customer('c5'),
        customer('c6'),
        customer('c7'),
        customer('c8'),
        customer('c9', { owner_id: null, owner_since: null, pool_id: 'a' }),
        customer('cx', { owner_since: day(1) }),
      )
      await scene.add(
        'bussiness',
        bussiness('b5', { customer_id: 'c5' }),
        bussiness('b6', { customer_id: 'c6', status: 2 }),
        bussiness('b7', { customer_id: 'c7', owner_id: null, owner_since: null, pool_id: 'a' }),
        bussiness('b8', { customer_id: 'c8', deleted_at: NOW }),
      )
      const ids = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'cx']
      expect(await refreshed('customer', ids, scene)).toEqual({
        c1: '30 follow_overdue',
        c2: '17 follow_overdue',
        c3: null,
        c4: '3 follow_overdue',
        c5: null,
        c6: '3 follow_overdue',
        c7: '3 follow_overdue',
        c8: '3 follow_overdue',
        c9: null,
        cx: '4 follow_overdue',
      })
      expect(await refreshed('customer', ['c1'], scene)).toEqual({ c1: '30 follow_overdue' })
    }))

  it('of leads and opportunities depends on their status, and of opportunities on the stage', () =>
    play(async (scene) => {
      await scene.add(
        'pool',
        pool('l', { entity: 'lead', ...rules }),
        pool('b', { entity: 'bussiness', ...rules }),
      )
      await scene.add(
        'lead',
        ...[10, 40, 50].map((status) => lead(`l${status}`, { status, level: 'A', obtain_way: 'created' })),
      )
      await scene.add('customer', customer('c1'))
      await scene.add(
        'bussiness',
        bussiness('b1', { stage_since: day(5), last_follow_at: day(9) }),
        bussiness('b2', { status: 2 }),
      )
      expect(await refreshed('lead', ['l10', 'l40', 'l50'], scene)).toEqual({
        l10: '30 follow_overdue',
        l40: null,
        l50: null,
      })
      expect(await refreshed('bussiness', ['b1', 'b2'], scene)).toEqual({ b1: '20 follow_overdue', b2: null })
    }))

  describe('the recycling date of own records', () => {
    const described = (more: object = {}) => ({
      name: 'visit',
      version: 1,
      kind: 'own',
      description: JSON.stringify({
        name: 'visit',
        behaviours: ['owned', 'pool'],
        fields: [
          {
            name: 'state',
            kind: 'choice',
            label: 's',
            options: ['new', 'won'].map((value) => ({ value, label: value })),
          },
        ],
        statuses: { field: 'state', moves: { new: ['won'] } },
        ...more,
      }),
    })
    const own = (given: JsonObject) => pool('v', { entity: 'm.visit', ...settings(given) })
    const days = { recycle_no_follow_days: { default: 15 } }
    const ext = (state: string) => ({ ext: JSON.stringify({ state }) })

    it('depends on the last change, the status, an approval, and the conversion of the record', () =>
      play(async (scene) => {
        await scene.add('module_override', described())
        await scene.add('pool', own({ ...days, exempt_statuses: ['spared'] }))
        await scene.add(
          'record',
          visit('v1', { updated_at: day(2) }),
          visit('v2', { ...ext('won') }),
          visit('v3', { ...ext('spared') }),
          visit('v4', { approval_status: 1 }),
          visit('v5', { approval_status: 2, updated_at: NOW }),
          visit('v6', { ...ext('new'), updated_at: NOW }),
          visit('v7'),
          visit('v8', { owner_since: null, created_at: day(1), updated_at: NOW }),
          visit('v9', { module: 'other', updated_at: NOW, expire_at: NOW }),
        )
        await scene.add('conversion', {
          to_entity: 'customer',
          to_id: 'c1',
          from_entity: 'm.visit',
          from_id: 'v7',
        })
        await scene.add('conversion', {
          to_entity: 'customer',
          to_id: 'c2',
          from_entity: 'm.other',
          from_id: 'v6',
        })
        const { v9, ...rest } = await refreshed(
          'm.visit',
          ['v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7', 'v8'],
          scene,
        )
        expect(v9).toBeUndefined()
        expect(rest).toEqual({
          v1: '17 follow_overdue',
          v2: null,
          v3: null,
          v4: null,
          v5: '15 follow_overdue',
          v6: '15 follow_overdue',
          v7: null,
          v8: '16 follow_overdue',
        })
        expect([...(await refreshExpiry('m.visit', ['v9'], { trx: scene.trx, tenantId: 't1' }))]).toEqual([])
      }))

    it('depends on the follow-ups, if the module has them', () =>
      play(async (scene) => {
        await scene.add('module_override', described({ behaviours: ['owned', 'pool', 'follow'] }))
        await scene.add('pool', own({ ...days, recycle_no_first_follow_days: 3 }))
        await scene.add('record', visit('v1', { updated_at: day(9) }), visit('v2', { updated_at: day(9) }))
        await scene.add('record', visit('v3'), visit('v1', { module: 'other' }))
        const follow = (id: string, more: object) => ({
          id,
          target_type: 'm/visit',
          target_id: 'v1',
          record_module: 'visit',
          record_id: 'v1',
          method: 'phone',
          author_id: 'u1',
          content: '去过了',
          ...more,
        })
        await scene.add(
          'follow',
          follow('f1', { followed_at: day(1) }),
          follow('f2', { followed_at: day(2) }),
          follow('f3', { followed_at: day(3), deleted_at: NOW }),
          follow('f4', { followed_at: day(4), record_id: 'v3', target_id: 'v3' }),
          follow('f5', { followed_at: day(4), record_module: 'other', target_type: 'm/other' }),
        )
        expect(await refreshed('m.visit', ['v1', 'v2'], scene)).toEqual({
          v1: '17 follow_overdue',
          v2: '3 follow_overdue',
        })
      }))

    it('is empty if the module or its pools are deleted, or the rules are off', () =>
      play(async (scene) => {
        const { trx, add } = scene
        const at = async () => (await refreshed('m.visit', ['v1'], scene)).v1
        await add('record', visit('v1', { updated_at: NOW, expire_at: NOW }))
        expect(await at()).toBeNull()
        await add('pool', own(days))
        expect(await at()).toBeNull()
        await add('module_override', described())
        expect(await at()).toBe('15 follow_overdue')
        await add('module_override', { ...described({ behaviours: ['owned'] }), version: 2 })
        expect(await at()).toBeNull()
        await add('module_override', { ...described(), version: 3, deleted: true })
        expect(await at()).toBeNull()
        await add('module_override', { ...described(), version: 4, kind: 'difference' })
        expect(await at()).toBeNull()
        await add('module_override', { ...described(), version: 5 })
        expect(await at()).toBe('15 follow_overdue')
        await sql`update pool set grace_until = ${day(20)}`.execute(trx)
        expect(await at()).toBe('20 follow_overdue')
        await sql`update pool set settings = '{}'`.execute(trx)
        expect(await at()).toBeNull()
      }))

    it('is decided by the actions that the module offers', () =>
      play(async (scene) => {
        await scene.add('module_override', described({ statuses: undefined }))
        await scene.add('pool', own({ recycle_no_deal_days: 5, ...days }))
        await scene.add('record', visit('v1', { updated_at: NOW }))
        expect(await refreshed('m.visit', ['v1'], scene)).toEqual({ v1: '15 follow_overdue' })
        await scene.add('module_override', { ...described(), version: 2 })
        expect(await refreshed('m.visit', ['v1'], scene)).toEqual({ v1: '5 deal_overdue' })
      }))

    it('is updated when a record is converted and stays in place', () =>
      play(async (scene) => {
        const { trx, ctx, add } = scene
        const stored = async () => {
          const { rows } = await sql<{
            at: Date | null
          }>`select expire_at as at from record where id = 'v1'`.execute(trx)
          return rows[0]?.at
        }
        await add('module_override', described())
        await add('pool', own(days))
        await add('record', visit('v1', { updated_at: NOW, expire_at: NOW }))
        const of = async (modules: object) =>
          ({ ...ctx, model: { modules: new Map([['visit', modules]]) } }) as unknown as CallContext
        await refreshConverted(undefined, ctx)
        await refreshConverted({ module: 'gone', id: 'v1' }, ctx)
        await refreshConverted({ module: 'visit', id: 'v1' }, await of({ ...VISIT, origin: 'vendor' }))
        await refreshConverted({ module: 'visit', id: 'v1' }, await of({ ...VISIT, behaviours: ['owned'] }))
        expect(await stored()).toEqual(NOW)
        await refreshConverted({ module: 'visit', id: 'v1' }, ctx)
        expect(await stored()).toEqual(day(15))
      }))
  })
})
