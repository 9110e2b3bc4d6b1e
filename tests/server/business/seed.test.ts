import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedDemo } from '../../../src/server/http/seed/index.ts'
import type { Database } from '../../../src/server/kernel/db/database.ts'
import { long } from '../../support/long.ts'
import { nodePace } from '../../support/node-pace.ts'
import { openTestDatabase } from '../support.ts'

let database: Database
let drop: () => Promise<void>
let tookMs = 0
let limitMs = 10_000

beforeAll(async () => {
  const opened = await openTestDatabase()
  database = opened.database
  drop = opened.drop
  const before = await nodePace()
  const start = performance.now()
  await seedDemo(database)
  tookMs = performance.now() - start
  limitMs *= (before + (await nodePace())) / 2
})
afterAll(() => drop())

describe('the demo data', () => {
  it('is created in under ten seconds, on a machine that is not slowed down', () => {
    expect(tookMs).toBeLessThan(limitMs)
  })

  it('has the sizes of DOMAIN 6.1', async () => {
    expect(await countsOf('xinghai')).toEqual({
      customer: 600,
      in_pool: 150,
      lead: 400,
      bussiness: 260,
      contract: 90,
      payment: 150,
      follow: 3000,
      members: 24,
    })
    expect(await countsOf('yunfan')).toMatchObject({ customer: 80, in_pool: 20, follow: 300, members: 8 })
    expect(await countsOf('kongbai')).toMatchObject({ customer: 0, follow: 0, members: 1 })
  })

  it('has large contracts decided by the director too, as their flow asks', async () => {
    const row = await one<Record<string, number>>(sql`with course as (
      select a.*, jsonb_array_length(a.steps) as n, (select count(*) from approval_act t where t.tenant_id = a.tenant_id
          and t.approval_id = a.id and t.action = 'approve') as decided
        from approval a where a.tenant_id = 'xinghai' and a.entity = 'contract')
      select count(*) filter (where amount >= 100000 and n = 2)::int as large,
        count(*) filter (where amount < 100000 and n <> 1)::int as small_with_more,
        count(*) filter (where amount >= 100000 and n <> 2 and steps #>> '{0,people,0}' <> all(array(
          select r.user_id from role_assignment r join role k on k.tenant_id = r.tenant_id and k.id = r.role_id
          where r.tenant_id = 'xinghai' and k.code = 'sales_director')))::int as large_with_less,
        count(*) filter (where status = 'approved' and (n <> decided or n <> step_no))::int as undecided,
        count(*) filter (where status = 'running' and (decided <> 0 or step_no <> 0))::int as ahead
      from course`)

    expect(row?.large).toBeGreaterThan(5)
    expect({ ...row, large: 0 }).toEqual({
      large: 0,
      small_with_more: 0,
      large_with_less: 0,
      undecided: 0,
      ahead: 0,
    })
  })

  it('recycles no record on the first day', async () => {
    const row = await one<Record<string, number>>(sql`select
      (select count(*) from customer where expire_at < now() + interval '20 hours') as customers,
      (select count(*) from lead where expire_at < now() + interval '20 hours') as leads,
      (select count(*) from bussiness where expire_at < now() + interval '20 hours') as opportunities`)

    expect(row).toEqual({ customers: 0, leads: 0, opportunities: 0 })
  })

  it('gives the demo user a plausible day: overdue, today, later, and records that are recycled in three days', async () => {
    await expectBelievableDay(database, new Date())
  })

  it('does so early on a Sunday as well, when everything happened on Friday or before', long, async () => {
    const night = new Date('2026-11-21T20:00:00Z')
    const another = await openTestDatabase()
    await seedDemo(another.database, night)

    await expectBelievableDay(another.database, night)

    await another.drop()
  })

  it('shows the newest follow-up in every customer’s summary', async () => {
    const row = await one<{ wrong: number }>(sql`select count(*) as wrong from customer c
      where last_follow_at is distinct from
        (select max(followed_at) from follow f where f.tenant_id = c.tenant_id and f.customer_id = c.id)`)

    expect(row.wrong).toBe(0)
  })

  it('contains the edge cases: a long timeline, a lock, three duplicates, no phone, a long name', async () => {
    const row = await one<Record<string, number>>(sql`select
      (select max(n) from (select count(*) as n from follow where tenant_id = 'xinghai' group by customer_id) x) as longest,
      count(*) filter (where lock_status) as locked, count(*) filter (where dup_allowed) as duplicates,
      count(*) filter (where char_length(name) >= 40) as long_names,
      count(*) filter (where mobile_norm = '{}' and not exists (select 1 from contact k
        where k.tenant_id = c.tenant_id and k.customer_id = c.id and k.mobile_norm <> '{}')) as mute
      from customer c where tenant_id = 'xinghai'`)

    expect(row.longest).toBeGreaterThanOrEqual(120)
    expect(row).toMatchObject({ locked: 1, duplicates: 3 })
    expect(row.long_names).toBeGreaterThanOrEqual(1)
    expect(row.mute).toBeGreaterThanOrEqual(1)
  })

  it.each([
    [
      'customer',
      ['mobile', 'telephone', 'email', 'wechat', 'website', 'credit_code', 'address', 'remark', 'lng'],
    ],
    ['contact', ['telephone', 'wechat', 'email', 'qq', 'birthday', 'hobby', 'address', 'remark']],
    [
      'lead',
      ['contact_name', 'telephone', 'wechat', 'email', 'industry', 'address', 'demand', 'budget', 'remark'],
    ],
    ['bussiness', ['source', 'type', 'next_step', 'remark']],
    ['contract', ['start_date', 'end_date', 'payment_terms', 'remark']],
    ['payment', ['payer', 'bank_account', 'remark']],
  ])('has %s with all fields and with only required ones', async (table, fields) => {
    const filled = sql.join(
      fields.map((it) => sql`(${sql.ref(it)} is not null)::int`),
      sql` + `,
    )
    const row = await one<Record<string, number>>(
      sql`select max(${filled}) as most, min(${filled}) as least from ${sql.table(table)} where tenant_id = 'xinghai'`,
    )

    expect(row).toEqual({ most: fields.length, least: 0 })
  })

  it('is created only once', async () => {
    expect(await seedDemo(database)).toBe(false)
  })
})

async function expectBelievableDay(of: Database, at: Date): Promise<void> {
  const row = await one<Record<string, number>>(
    sql`with clock as (select ${at}::timestamptz as time)
      select count(*) as owned,
        count(*) filter (where next_follow_at < time) as overdue,
        count(*) filter (where next_follow_at > time and next_follow_at < time + interval '20 hours') as soon,
        count(*) filter (where next_follow_at > time + interval '1 day') as later,
        count(*) filter (where expire_at < time + interval '3 days') as leaving,
        count(*) filter (where expire_at < time) as gone
      from customer, clock where tenant_id = 'xinghai' and owner_id = 'u-demo'`,
    of,
  )

  expect(row.owned).toBeGreaterThanOrEqual(38)
  expect(row.owned).toBeLessThanOrEqual(60)
  for (const kind of ['overdue', 'soon', 'later', 'leaving'])
    expect(row[kind], kind).toBeGreaterThanOrEqual(2)
  expect(row.gone).toBe(0)
}

async function countsOf(tenantId: string) {
  const table = (name: string) => sql`(select count(*) from ${sql.table(name)} where tenant_id = ${tenantId})`
  return one(sql`select ${table('customer')} as customer, ${table('lead')} as lead, ${table('bussiness')} as bussiness,
    ${table('contract')} as contract, ${table('payment')} as payment, ${table('follow')} as follow,
    ${table('membership')} as members,
    (select count(*) from customer where tenant_id = ${tenantId} and owner_id is null) as in_pool`)
}

async function one<T>(query: ReturnType<typeof sql>, of = database): Promise<T> {
  const { rows } = await of.system((trx) => query.execute(trx))
  return rows[0] as T
}
