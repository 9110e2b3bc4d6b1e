import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Client } from '../support.ts'
import { contractInEffect, type Deals, openDeals, paid, right } from './deals.ts'

/** Amounts that occur nowhere else; the second record of each kind makes a sum of both. */
const AMOUNTS = { contract: 70_300, payment: 4_117, bussiness: 144_321, plan: 65_432 }
const AMOUNTS_TOO = { contract: 9_001, payment: 2_003, bussiness: 3_005, plan: 4_007 }
const HIDDEN = {
  contract: { amount: 'hidden' },
  payment: { amount: 'masked' },
  bussiness: { amount: 'hidden' },
  plan: { plan_amount: 'masked' },
}

let deals: Deals
beforeAll(async () => {
  deals = await openDeals()
  await add(AMOUNTS)
})
afterAll(() => deals.server.close())

/** One record of each kind, all of demo. */
async function add(amounts: typeof AMOUNTS): Promise<void> {
  const plans = [{ plan_amount: amounts.plan, plan_date: '2026-04-01' }]
  const contract = await contractInEffect(deals, { amount: amounts.contract, plans })
  await paid(deals, contract, amounts.payment)
  const expected_date = '2026-05-01'
  const lead = { name: '要转化的线索', source: 'website', mobile: `138${amounts.bussiness + 10_000_000}` }
  const { id } = right(await deals.demo.post('/mini/lead/create', { ...lead, expected_date }))
  const choices = { customer: { mode: 'link', id: deals.customerId }, contact: { mode: 'none' } }
  const bussiness = { name: '转化出来的商机', amount: amounts.bussiness, expected_date }
  right(await deals.demo.post('/mini/lead/convert', { id, ...choices, bussiness }))
}

async function limit(rights: Readonly<Record<string, JsonObject>>): Promise<void> {
  const { list } = right(await deals.admin.post('/engine/web/role/list', {}))
  for (const role of list.filter(({ code }: JsonObject) => code === 'sales' || code === 'sales_manager'))
    right(await deals.admin.post('/engine/web/role/save', { ...role, field_rights: rights }))
}

const MONTH = { period: 'this_month', scope: 'mine' }
/** All figures about somebody's amounts, by name. */
async function figures(of: Client, scope = 'mine'): Promise<JsonObject> {
  const asked = { ...MONTH, scope }
  const post = async (name: string, body: JsonObject) => right(await of.post(`/mini/stats/${name}`, body))
  const home = right(await of.get(`/mini/home/overview?period=this_month&scope=${scope}`))
  const keys = ['new_contract_total', 'new_amount_total']
  const trend = (bucket: string) => post('trend', { ...asked, keys, bucket })
  const stages = await post('funnel', asked)
  return {
    home: [home.statistics, home.target, home.funnel, home.rank, home.trend],
    trend: [await trend('day'), await trend('month')],
    funnel: [stages, await post('funnel', { ...asked, mode: 'conversion' })],
    detail: [
      await post('detail', { ...asked, key: keys[0] ?? '' }),
      await post('detail', { ...asked, key: keys[1] ?? '' }),
      await post('detail', { ...asked, dimension: 'plan_month', value: '2026-04' }),
    ],
    rank: await Promise.all(
      ['contract_amount', 'payment_amount'].map((metric) => post('rank', { ...asked, metric })),
    ),
    forecast: await post('forecast', asked),
    target: right(await of.get(`/mini/stats/target?year=2026&objectType=user&objectId=u-demo`)),
    report: right(await of.get(`/mini/stats/report?period=month${scope === 'mine' ? '' : '&userId=u-demo'}`)),
    ...(scope === 'mine'
      ? {}
      : {
          team: await post('team', { period: 'this_month', userId: 'u-demo' }),
          tree: right(await of.get('/mini/stats/target/tree?year=2026')),
        }),
  }
}

/** The figures that say one of these amounts, as numbers or in words. */
const saying = (found: JsonObject, amounts: readonly number[]): readonly string[] =>
  Object.entries(found).flatMap(([name, value]) => {
    const said = JSON.stringify(value).replaceAll(',', (comma, at, all) =>
      /\d,\d{3}/.test(all.slice(at - 1, at + 4)) ? '' : comma,
    )
    return amounts.some((amount) => new RegExp(`(?<![\\d.])${amount}(?![\\d])`).test(said)) ? [name] : []
  })

/** Those of single records; of the plan what is still open. */
const SINGLE = [AMOUNTS.contract, AMOUNTS.payment, AMOUNTS.bussiness, AMOUNTS.plan - AMOUNTS.payment]

describe('a sum that is that of one record', () => {
  it('is told to who sees the amount, by each of these figures', async () => {
    expect(saying(await figures(deals.demo), SINGLE)).toEqual([
      'home',
      'trend',
      'funnel',
      'detail',
      'rank',
      'forecast',
      'target',
      'report',
    ])
    expect(saying(await figures(deals.manager, 'team'), SINGLE)).toEqual(
      expect.arrayContaining(['team', 'tree']),
    )
  })

  it('is told to nobody else: it is empty, and counts stay', async () => {
    await limit(HIDDEN)
    try {
      const own = await figures(deals.demo)
      expect(saying(own, SINGLE)).toEqual([])
      expect(saying(await figures(deals.manager, 'team'), SINGLE)).toEqual([])
      const home = right(await deals.demo.get('/mini/home/overview?period=this_month&scope=mine'))
      expect(home.statistics).toMatchObject({
        new_contract: [0, 1, null],
        new_contract_total: [0, null, null],
        new_amount_total: [0, null, null],
      })
      expect(home.target.contract).toMatchObject({ done: null, rate: null })
      expect(home.rank.mine).toMatchObject({ amount: null })
      // Months without any are 0, not unknown.
      expect(home.trend.contract).toEqual([0, 0, 0, 0, 0, null])
      expect(own.report).toMatchObject({ text: expect.stringContaining('无权查看') })
      expect(own.detail).toMatchObject([
        { count: 1, number: null },
        { count: 1, number: null },
        { count: 1, number: null },
      ])
    } finally {
      await limit({})
    }
  })
})

describe('the total of a team', () => {
  it('is unknown in each column of which one amount is not told, and the other columns stay', async () => {
    const total = async () =>
      right(await deals.manager.post('/mini/stats/team', { period: 'this_month' })).total
    const before = await total()
    await limit(HIDDEN)
    try {
      expect(await total()).toEqual({
        ...before,
        contract: null,
        payment: null,
        pipeline: null,
        done: null,
        rate: null,
      })
      expect(before).toMatchObject({ contract: AMOUNTS.contract, done: AMOUNTS.contract })
    } finally {
      await limit({})
    }
  })
})

describe('a sum over two records', () => {
  it('is told to everybody who may have statistics', async () => {
    await add(AMOUNTS_TOO)
    await limit(HIDDEN)
    try {
      const of = (name: keyof typeof AMOUNTS) => AMOUNTS[name] + AMOUNTS_TOO[name]
      const found = await figures(deals.demo)
      expect(saying(found, SINGLE)).toEqual([])
      expect(saying(found, [of('contract')])).toEqual(['home', 'trend', 'detail', 'rank', 'target', 'report'])
      expect(saying(found, [of('payment')])).toEqual(['home', 'trend', 'detail', 'rank', 'target', 'report'])
      expect(saying(found, [of('bussiness')])).toEqual(['home', 'funnel'])
    } finally {
      await limit({})
    }
  })
})
