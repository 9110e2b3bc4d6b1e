import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STATISTIC_KEYS } from '../../../src/contract/home.ts'
import { LEAD_STEPS, RANK_METRICS, type StatDetail, type StatRankRow } from '../../../src/contract/stats.ts'
import { DEMO } from '../images.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const ACCOUNTS = ['demo', 'manager', 'director', 'finance', 'admin']

let server: TestApp
const clients = new Map<
  string,
  { readonly client: Client; readonly id: string; readonly permissions: readonly string[] }
>()
beforeAll(async () => {
  server = await openTestApp({}, DEMO)
  for (const account of ACCOUNTS) {
    const client = await server.as(account)
    const { userInfo, permissions } = (await client.get('/mini/user/detail')).data
    clients.set(account, { client, id: userInfo.id, permissions })
  }
}, 120_000)
afterAll(() => server.close())

const of = (account: string) => clients.get(account) ?? { client: server.with(null), id: '', permissions: [] }
/** The scopes that somebody may view. */
const scopesOf = (account: string) => {
  const { permissions } = of(account)
  return permissions.includes('stats:team') || permissions.includes('stats:money')
    ? (['mine', 'team'] as const)
    : (['mine'] as const)
}

/** The total of a figure's list, and its number of rows when read to the end. */
async function behind(client: Client, asked: object) {
  const page = async (cursor: string | null) =>
    (
      await client.post('/mini/stats/detail', {
        ...asked,
        limit: 100,
        ...(cursor === null ? {} : { cursor }),
      })
    ).data as StatDetail
  const first = await page(null)
  const ids = first.list.map(({ id }) => id)
  let sum = first.list.reduce((all, { value }) => all + Math.round((value ?? 0) * 100), 0)
  for (let cursor = first.nextCursor; cursor !== null; ) {
    const next = await page(cursor)
    ids.push(...next.list.map(({ id }) => id))
    sum += next.list.reduce((all, { value }) => all + Math.round((value ?? 0) * 100), 0)
    cursor = next.nextCursor
  }
  expect(new Set(ids).size).toBe(first.count)
  return { rows: ids.length, number: first.number, label: first.label, sum: sum / 100, unit: first.unit }
}

describe.each(ACCOUNTS)('the links of %s', { timeout: 180_000 }, (account) => {
  it('on home: each figure equals the rows of the list behind it', async () => {
    const { client, permissions, id } = of(account)
    const total = async (path: string, body: object) =>
      (await client.post(path, { limit: 1, withTotal: true, ...body })).data.total as number
    const ofType = (type: string) => [{ field: 'type', op: 'eq', value: type }]
    for (const scope of scopesOf(account)) {
      const { todo, forgotten, statistics } = (
        await client.get(`/mini/home/overview?period=this_month&scope=${scope}`)
      ).data
      const team = scope === 'team' ? 'team_' : ''
      const customers = (tab: string) => total('/mini/customer/list', { tab })
      expect({ scope, ...todo, forgotten, plan: null, open: null }).toEqual({
        scope,
        plan: null,
        open: null,
        due_today: await total('/mini/todo/list', { section: 'today' }),
        approvals: await total('/mini/todo/list', { filters: ofType('approval') }),
        today: await customers(`${team}today`),
        overdue: await customers(`${team}overdue`),
        recycling: await customers('recycling'),
        payments_due: permissions.includes('payment:view')
          ? await total('/mini/plan/list', { tab: 'due' })
          : todo.payments_due,
        contracts_ending: permissions.includes('contract:view')
          ? await total('/mini/contract/list', {
              tab: 'ending',
              filters: [{ field: 'owner_id', op: 'eq', value: id }],
            })
          : todo.contracts_ending,
        forgotten: {
          7: await customers(`${team}unfollowed7`),
          15: await customers(`${team}unfollowed15`),
          30: await customers(`${team}unfollowed30`),
          90: await customers(`${team}unfollowed90`),
        },
      })
      for (const key of STATISTIC_KEYS) {
        const found = await behind(client, { key, period: 'this_month', scope })
        const counted = key.endsWith('_total') ? found.sum : found.rows
        expect([scope, key, found.number, counted]).toEqual([
          scope,
          key,
          statistics[key][1],
          statistics[key][1],
        ])
      }
    }
  })

  it('on funnels, closings and payments: exactly the counted rows', async () => {
    const { client, permissions } = of(account)
    for (const scope of scopesOf(account))
      for (const period of ['this_month', 'this_year']) {
        const asked = { scope, period }
        const { steps, closed } = (await client.post('/mini/stats/funnel', { ...asked, mode: 'stage' })).data
        for (const { key, label, count, amount } of steps)
          expect(await behind(client, { ...asked, dimension: 'stage', value: key })).toEqual({
            rows: count,
            number: count,
            label,
            sum: amount,
            unit: 'count',
          })
        const ended = async (value: string) => behind(client, { ...asked, dimension: 'closed', value })
        expect(await ended('won')).toMatchObject({ rows: closed.won, sum: closed.wonAmount })
        expect(await ended('lost')).toMatchObject({ rows: closed.lost, sum: closed.lostAmount })
        expect(await ended('')).toMatchObject({ rows: closed.won + closed.lost })

        const leads = (await client.post('/mini/stats/funnel', { ...asked, mode: 'conversion' })).data
        expect(leads.steps.map(({ key }: { key: string }) => key)).toEqual(LEAD_STEPS)
        for (const { key, label, count } of leads.steps)
          expect(await behind(client, { ...asked, dimension: 'lead_step', value: key })).toMatchObject({
            rows: count,
            label,
          })
        if (!permissions.includes('payment:view')) continue
        const { months } = (await client.post('/mini/stats/forecast', { scope })).data
        for (const { key, month, planned, count } of months)
          expect(await behind(client, { scope, dimension: 'plan_month', value: key })).toEqual({
            rows: count,
            number: planned,
            label: month,
            sum: planned,
            unit: 'money',
          })
      }
  })

  it('on a place in the ranking: the records counted there, if the caller may see them', async () => {
    const { client } = of(account)
    for (const metric of RANK_METRICS)
      for (const by of ['user', 'dept']) {
        const asked = { metric, by, period: 'this_year' }
        const answer = await client.post('/mini/stats/rank', asked)
        if (answer.meta.code === 405) continue
        for (const { id, value, opens } of answer.data.rows.slice(0, 3) as StatRankRow[]) {
          const detail = { ...asked, dimension: 'rank', value: id }
          if (!opens) {
            expect((await client.post('/mini/stats/detail', detail)).meta.code).toBe(405)
            continue
          }
          const { number, rows, sum, unit } = await behind(client, detail)
          expect([metric, by, id, number]).toEqual([metric, by, id, value])
          if (unit === 'money') expect(sum).toBe(value)
          if (unit === 'count' && metric !== 'followed_customers') expect(rows).toBe(value)
        }
      }
  })

  it('on a month of the forecast: the opportunities expected in it', async () => {
    const { client, permissions } = of(account)
    if (!permissions.includes('bussiness:view')) return
    for (const tab of ['mine', 'all']) {
      const { list } = (await client.post('/mini/bussiness/forecast', { tab, filters: [] })).data
      for (const { count, from, until } of list) {
        const filters = [
          { field: 'status', op: 'eq', value: 1 },
          ...(from === null ? [] : [{ field: 'expected_date', op: 'gte', value: from }]),
          ...(until === null ? [] : [{ field: 'expected_date', op: 'lte', value: until }]),
        ]
        const found = await client.post('/mini/bussiness/list', { tab, filters, limit: 1, withTotal: true })
        expect(found.data.total).toBe(count)
      }
    }
  })
})

describe('the demo data', () => {
  it('has rows behind every kind of figure', async () => {
    const { client } = of('director')
    const rows = async (asked: object) =>
      (await behind(client, { scope: 'team', period: 'this_year', ...asked })).rows
    for (const asked of [
      { dimension: 'stage', value: 'first_contact' },
      { dimension: 'closed', value: 'won' },
      { dimension: 'closed', value: 'lost' },
      { dimension: 'lead_step', value: 'converted' },
      { dimension: 'rank', metric: 'contract_amount', by: 'user', value: 'u-demo' },
      { dimension: 'rank', metric: 'follow_count', by: 'dept', value: 'xh-sales-1' },
    ])
      expect({ asked, rows: (await rows(asked)) > 0 }).toEqual({ asked, rows: true })
  })

  it('shows no amount and no company to users whose roles hide them', async () => {
    const give = (rights: object) =>
      server.database.system((trx) =>
        sql`update role set field_rights = ${JSON.stringify(rights)}::jsonb
          where tenant_id = 'xinghai' and code = 'sales'`.execute(trx),
      )
    const said = async (part: 'sub' | 'value', asked: object) => {
      const client = await server.as('demo')
      const question = { ...asked, scope: 'mine', period: 'this_year' }
      const { list } = (await client.post('/mini/stats/detail', question)).data
      return (list as Record<'sub' | 'value', unknown>[]).some(
        (row) => row[part] !== '' && row[part] !== null,
      )
    }
    const both = async () => [
      await said('value', { dimension: 'closed', value: '' }),
      await said('sub', { dimension: 'lead_step', value: 'leads' }),
    ]
    expect(await both()).toEqual([true, true])

    await give({ bussiness: { amount: 'hidden' }, lead: { company: 'masked' } })
    expect(await both()).toEqual([false, false])
    await give({})
  })

  it('returns no rows for an unknown figure', async () => {
    const { client } = of('director')
    const codes = []
    for (const asked of [
      { dimension: 'closed', value: 'half' },
      { dimension: 'lead_step', value: 'x' },
      { dimension: 'rank', metric: 'beauty', value: 'u-demo' },
    ])
      codes.push((await client.post('/mini/stats/detail', asked)).meta.code)
    expect(codes).toEqual([400, 400, 400])
  })
})
