import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moneyText } from '../../../runtime/core/decimal.ts'
import type { TeamRow } from '../../../src/contract/stats.ts'
import {
  approveAll,
  type Deals,
  draft,
  makeCustomer,
  openDeals,
  paymentOf,
  right,
} from '../business5/deals.ts'
import type { Client } from '../support.ts'

let deals: Deals
const DAY_MS = 86_400_000

/** A month of a salesperson, of a colleague with less, and nothing of anybody else. */
beforeAll(async () => {
  deals = await openDeals()
  await makeCustomer(deals.demo, '早已忘记的客户有限公司')
  const late = await makeCustomer(deals.demo, '约好没去的客户有限公司')
  await follow(deals.demo, late, { next_follow_at: inDays(2) })
  await sleepFor(40)
  const { demo, manager } = deals
  const fresh = await makeCustomer(demo, '今天的客户有限公司')
  await follow(demo, fresh, { method: 'visit' })
  await follow(demo, fresh, {})
  await makeCustomer(manager, '经理的客户有限公司')
  for (const amount of [30_000, 12_345.67])
    right(
      await demo.post('/mini/bussiness/create', {
        name: `商机${amount}`,
        customer_id: fresh,
        amount,
        expected_date: inDays(20).slice(0, 10),
      }),
    )
  const { id } = await draft(demo, fresh, { sign_date: inDays(0).slice(0, 10), amount: 8_000 })
  right(await demo.post('/mini/contract/submit', { id }))
  await approveAll(deals, 'contract', id)
  const paid = right(
    await demo.post('/mini/payment/create', paymentOf(id, 3_000, { paid_at: inDays(0).slice(0, 10) })),
  )
  right(await demo.post('/mini/payment/submit', { id: paid.id }))
  await approveAll(deals, 'payment', paid.id)
  const plan = { contract_id: id, plan_amount: 4_000, plan_date: inDays(20).slice(0, 10) }
  right(await demo.post('/mini/plan/create', plan))
  const month = inDays(0).slice(0, 7)
  right(
    await deals.director.post('/mini/stats/target', {
      year: Number(month.slice(0, 4)),
      objectType: 'user',
      objectId: 'u-demo',
      months: [{ month, contract_amount: 16_000, payment_amount: 0 }],
    }),
  )
})
afterAll(() => deals.server.close())

describe('a team', () => {
  it('shows for each member exactly what the lists behind the figures contain', async () => {
    const { list } = right(await deals.director.post('/mini/stats/team', { period: 'this_month' }))

    const demo = list.find((row: TeamRow) => row.id === 'u-demo')
    expect(demo).toMatchObject({
      follows: 2,
      visits: 1,
      customers: 1,
      bussiness: 2,
      contract: 8_000,
      payment: 3_000,
    })
    expect(demo).toMatchObject({ open: 2, pipeline: 42_345.67, target: 16_000, done: 8_000, rate: 50 })
    expect(demo.neglected).toBeGreaterThan(0)
    expect(demo.overdue).toBe(1)
    for (const row of list as readonly TeamRow[])
      expect(await behind(deals.director, row)).toEqual(numbersOf(row))
  })

  it('adds up to what its members did and have', async () => {
    const { list, total } = right(await deals.director.post('/mini/stats/team', { period: 'this_month' }))

    const sum = (name: keyof TeamRow) =>
      list.reduce((cents: number, row: TeamRow) => cents + Math.round(Number(row[name]) * 100), 0) / 100
    for (const name of [
      'contract',
      'payment',
      'follows',
      'pipeline',
      'open',
      'neglected',
      'overdue',
      'held',
      'target',
      'done',
    ] as const)
      expect(total[name], name).toBe(sum(name))
    expect(total).toMatchObject({ people: list.length, rate: 50 })
    expect(total.contract).toBeGreaterThan(0)
  })

  it('consists of the users that the caller manages: none for a salesperson, their reports for a manager, one of them on request', async () => {
    const ids = async (client: Client, more: object = {}) =>
      right(await client.post('/mini/stats/team', { period: 'this_month', ...more })).list.map(
        (row: TeamRow) => row.id,
      )

    const refused = await deals.demo.post('/mini/stats/team', { period: 'this_month' })
    const ofManager = await ids(deals.manager)
    const ofDirector = await ids(deals.director)

    expect(refused.meta.code).toBe(405)
    expect(ofManager).toContain('u-demo')
    expect(ofManager.length).toBeLessThan(ofDirector.length)
    expect(await ids(deals.manager, { userId: 'u-demo' })).toEqual(['u-demo'])
    expect(await ids(deals.manager, { userId: 'u-admin' })).toEqual([])
  })

  it('can be sorted by any of its figures', async () => {
    for (const sort of ['contract', 'follows', 'neglected', 'pipeline'] as const) {
      const { list } = right(await deals.director.post('/mini/stats/team', { period: 'this_month', sort }))
      const values = list.map((row: TeamRow) => row[sort])
      expect(values).toEqual([...values].sort((a: number, b: number) => b - a))
    }
    expect((await deals.director.post('/mini/stats/team', { sort: 'py; drop' })).meta.code).toBe(400)
  })
})

describe('a reminder to a user', () => {
  it('is a message with a link to its subject', async () => {
    right(
      await deals.manager.post('/mini/stats/remind', {
        id: 'u-demo',
        about: 'neglected',
        text: '请本周联系',
      }),
    )

    const { list } = right(await deals.demo.post('/mini/message/list', { tab: 'todo', limit: 20 }))
    expect(list[0]).toMatchObject({
      event: 'team.remind',
      content: expect.stringContaining('请本周联系'),
      url: '/pages/customer/my/index?tab=unfollowed30',
    })
  })

  it('reaches only users that the caller manages, and needs a text', async () => {
    const remind = (client: Client, body: object) => client.post('/mini/stats/remind', { ...body })

    const codes = [
      await remind(deals.demo, { id: 'u-manager', text: '快' }),
      await remind(deals.manager, { id: 'u-admin', text: '快' }),
      await remind(deals.manager, { id: 'u-demo' }),
      await remind(deals.manager, { id: 'u-demo', text: '快', about: 'x' }),
    ].map((it) => it.meta.code)

    expect(codes).toEqual([405, 404, 400, 400])
  })
})

describe('targets of a year', () => {
  it('are in a tree of departments and users, results beside targets', async () => {
    const { list, canSave } = right(await deals.director.get('/mini/stats/target/tree'))

    expect(canSave).toBe(true)
    const demo = list.find((line: { id: string }) => line.id === 'u-demo')
    expect(demo).toMatchObject({
      type: 'user',
      contract_amount: 16_000,
      contract_done: 8_000,
      payment_done: 3_000,
      contract_rate: 50,
      payment_rate: null,
    })
    const depts = list.filter((line: { type: string }) => line.type === 'dept')
    const top = depts.find((line: { depth: number }) => line.depth === 0)
    // A department without a target of its own is measured by the sum of its people's targets.
    // A missing target is shown as missing, not as 0.
    expect([top.contract_goal, demo.contract_goal, demo.payment_goal]).toEqual([null, 16_000, null])
    expect(top).toMatchObject({ people_amount: 16_000, contract_done: 8_000, contract_rate: 50 })
    // So are payments.
    await deals.director.post('/mini/stats/target', {
      year: Number(inDays(0).slice(0, 4)),
      objectType: 'user',
      objectId: 'u-demo',
      months: [{ month: inDays(0).slice(0, 7), contract_amount: 16_000, payment_amount: 12_000 }],
    })
    const [paid] = right(await deals.director.get('/mini/stats/target/tree')).list
    expect(paid).toMatchObject({ payment_goal: null, people_payment_goal: 12_000, payment_rate: 25 })
    expect((await deals.demo.get('/mini/stats/target/tree')).meta.code).toBe(405)
    const ofManager = right(await deals.manager.get('/mini/stats/target/tree')).list
    expect(ofManager.length).toBeLessThan(list.length)
  })

  it('say of each line whether its target opens', async () => {
    const { list } = right(await deals.manager.get('/mini/stats/target/tree'))
    const said: Record<string, boolean> = {}
    const opened: Record<string, boolean> = {}
    for (const { type, id, may_open } of list) {
      said[id] = may_open
      const { meta } = await deals.manager.get(`/mini/stats/target?objectType=${type}&objectId=${id}`)
      opened[id] = meta.code === 200
    }

    expect(said).toEqual(opened)
    expect(said).toMatchObject({ 'xh-sales': false, 'xh-sales-1': true, 'u-demo': true })
  })

  it('mark a department that is seen in part, whose results are not measured by the target of the whole', async () => {
    const year = Number(inDays(0).slice(0, 4))
    right(
      await deals.director.post('/mini/stats/target', {
        year,
        objectType: 'dept',
        objectId: 'xh-sales',
        months: [{ month: `${year}-01`, contract_amount: 80_000, payment_amount: 40_000 }],
      }),
    )
    const treeOf = async (client: Client) => right(await client.get('/mini/stats/target/tree'))
    const lineOf = ({ list }: { list: { id: string }[] }) => list.find(({ id }) => id === 'xh-sales')
    const [whole, part] = [await treeOf(deals.director), await treeOf(deals.manager)]

    expect(part.partial).toBe(true)
    expect(lineOf(whole)).toMatchObject({ note: '', contract_rate: 10 })
    expect(lineOf(part)).toMatchObject({ note: '（部分）', contract_rate: null, payment_rate: null })
  })

  it('start with those of the previous year on request, without saving them', async () => {
    const year = Number(inDays(0).slice(0, 4)) + 1
    const of = (more: string) =>
      deals.director.get(`/mini/stats/target?objectType=user&objectId=u-demo&year=${year}${more}`)

    const copied = right(await of('&copy=last_year')).months
    const stored = right(await of('')).months

    const sum = (months: readonly { contract_amount: number }[]) =>
      months.reduce((all, month) => all + month.contract_amount, 0)
    expect([sum(copied), sum(stored)]).toEqual([16_000, 0])
    expect(copied[0].month).toBe(`${year}-01`)
  })
})

describe('a submitted report', () => {
  it('reaches the superior, shows when it was read, and is unread again after another submission', async () => {
    const sent = right(
      await deals.demo.post('/mini/report/send', { period: 'month', remark: '下月主攻续约' }),
    )
    const listed = right(await deals.manager.post('/mini/report/list', { tab: 'received' })).list
    const unread = right(await deals.demo.get(`/mini/report/detail?id=${sent.id}`)).readers
    const shown = right(await deals.manager.get(`/mini/report/detail?id=${sent.id}`))
    const read = right(await deals.demo.get(`/mini/report/detail?id=${sent.id}`)).readers
    right(await deals.demo.post('/mini/report/send', { period: 'month' }))
    const again = right(await deals.demo.get(`/mini/report/detail?id=${sent.id}`)).readers

    // The chart shows the same as the text.
    const { numbers, follows } = shown.record.facts
    expect(numbers).toContainEqual(
      expect.objectContaining({
        name: 'new_contract_total',
        filter: 'money',
        value: [0, 8_000, expect.any(Number)],
      }),
    )
    for (const { label, value, filter } of numbers)
      expect(shown.record.content).toContain(
        `${label}：${filter === 'money' ? moneyText(value[1]) : value[1]}（`,
      )
    expect(follows.length).toBeGreaterThan(0)
    for (const { name, content } of follows) expect(shown.record.content).toContain(`${name}：${content}`)
    expect(listed).toMatchObject([{ id: sent.id, kind: 'month', read: false, read_count: 0 }])
    expect(shown.record).toMatchObject({
      remark: '下月主攻续约',
      content: expect.stringContaining('¥8,000.00'),
    })
    const at = (readers: readonly { id: string; read_at: string | null }[]) =>
      readers.find(({ id }) => id === 'u-manager')?.read_at
    expect([at(unread), at(again)]).toEqual([null, null])
    expect(at(read)).toEqual(expect.any(String))
    expect(right(await deals.demo.post('/mini/report/list', { tab: 'sent' })).list).toHaveLength(1)
  })

  it('can be read by no other user', async () => {
    const { id } = right(await deals.demo.post('/mini/report/send', { period: 'week' }))

    expect((await deals.finance.get(`/mini/report/detail?id=${id}`)).meta.code).toBe(404)
    expect(right(await deals.finance.post('/mini/report/list', { tab: 'received' })).list).toEqual([])
    expect((await deals.demo.post('/mini/report/send', { period: 'year' })).meta.code).toBe(400)
  })
})

describe('expected payments', () => {
  it('are planned and not received, by month', async () => {
    const { months } = right(await deals.director.post('/mini/stats/forecast', { scope: 'team' }))

    const month = inDays(20).slice(0, 7)
    // 4,000 are planned; the 3,000 that were received without a plan count towards it.
    expect(months).toContainEqual({ key: month, month, planned: 1_000, count: 1 })
    const ofManager = right(await deals.manager.post('/mini/stats/forecast', { scope: 'mine' })).months
    expect(ofManager).toEqual([])
  })
})

/** The numbers of a row according to the lists that a tap on each opens. */
async function behind(client: Client, { id }: TeamRow) {
  const stat = async (key: string) =>
    right(await client.post('/mini/stats/detail', { key, period: 'this_month', scope: `user:${id}` }))
  const of = async (entity: string, tab: string) => {
    const filters = [{ field: 'owner_id', op: 'eq', value: id }]
    const { list } = right(await client.post(`/mini/${entity}/list`, { tab, filters, limit: 100 }))
    return list as readonly { readonly amount?: number }[]
  }
  const open = await of('bussiness', 'open')
  return {
    follows: (await stat('new_customer_follow')).number,
    customers: (await stat('new_customer')).number,
    bussiness: (await stat('new_bussiness')).number,
    contract: (await stat('new_contract_total')).number,
    payment: (await stat('new_amount_total')).number,
    open: open.length,
    pipeline: Math.round(open.reduce((sum, { amount = 0 }) => sum + amount * 100, 0)) / 100,
    neglected: (await of('customer', 'team_unfollowed30')).length,
    overdue: (await of('customer', 'team_overdue')).length,
  }
}

function numbersOf(row: TeamRow) {
  const { follows, customers, bussiness, contract, payment, open, pipeline, neglected, overdue } = row
  return { follows, customers, bussiness, contract, payment, open, pipeline, neglected, overdue }
}

const inDays = (days: number): string =>
  `${new Date(deals.server.clock.now + days * DAY_MS + 8 * 3_600_000).toISOString().slice(0, 10)} 10:00:00`

/** Time passes, and everybody signs in again. */
async function sleepFor(days: number): Promise<void> {
  const { server } = deals
  server.clock.now += days * DAY_MS
  const [demo, manager, director, finance] = await Promise.all(
    ['demo', 'manager', 'director', 'finance'].map((account) => server.as(account)),
  )
  if (demo && manager && director && finance) deals = { ...deals, demo, manager, director, finance }
}

async function follow(client: Client, customer: string, more: object) {
  right(
    await client.post('/mini/follow/create', {
      target_type: 'customer',
      target_id: customer,
      method: 'call',
      content: '谈了一下',
      ...more,
    }),
  )
}
