import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { Client } from '../support.ts'
import {
  approveAll,
  contractInEffect,
  type Deals,
  draft,
  makeCustomer,
  makeProduct,
  openDeals,
  paid,
  paymentOf,
  read,
  right,
} from './deals.ts'

let deals: Deals
beforeAll(async () => {
  deals = await openDeals()
})
afterAll(() => deals.server.close())

describe('a contract', () => {
  it('is a draft that does not count until its author’s superior approves', async () => {
    const customer = await makeCustomer(deals.demo, '上海首单科技有限公司')
    const { id, record } = await draft(deals.demo, customer)
    expect(record).toMatchObject({ approval_status: 0, contract_no: 'HT202603160001' })

    right(await deals.demo.post('/mini/contract/submit', { id }))
    const waiting = await read(deals.demo, 'contract', id)
    const todo = right(await deals.manager.post('/mini/approval/list', { tab: 'todo' })).list
    const before = await read(deals.demo, 'customer', customer)
    right(await deals.manager.post('/mini/approval/act', { id: todo[0].id, action: 'approve' }))

    expect(waiting).toMatchObject({ approval_status: 1, approver_name: '周晓燕' })
    expect(todo[0]).toMatchObject({
      record_id: id,
      entity: 'contract',
      amount: 10_000,
      submitter_name: '李明轩',
    })
    expect(before).toMatchObject({ deal_status: 0, deal_count: 0 })
    expect(await read(deals.demo, 'contract', id)).toMatchObject({ approval_status: 2, perform_status: 1 })
    expect(await read(deals.demo, 'customer', customer)).toMatchObject({
      deal_status: 1,
      deal_count: 1,
      deal_amount: 10_000,
      deal_at: '2026-03-10 00:00:00',
      expire_at: null,
    })
  })

  it('also needs the director’s approval from 100,000 on, and below a price floor', async () => {
    const product = await makeProduct(deals.director, { price: 100, min_price: 80 })
    const line = (price: number) => ({ product_id: product, price, quantity: 1 })
    const peopleAsked = async (more: Parameters<typeof draft>[2]) => {
      const { id } = await draft(deals.demo, deals.customerId, more)
      right(await deals.demo.post('/mini/contract/submit', { id }))
      const { approval_id } = right(await deals.demo.get(`/mini/contract/detail?id=${id}`))
      const { steps } = right(await deals.demo.get(`/mini/approval/detail?id=${approval_id}`))
      return steps.map((step: { people: { id: string }[] }) => step.people.map((it) => it.id))
    }

    expect(await peopleAsked({ amount: 99_999.99 })).toEqual([['u-manager']])
    expect(await peopleAsked({ amount: 100_000 })).toEqual([['u-manager'], ['u-director']])
    expect(await peopleAsked({ amount: undefined, lines: [line(80)] })).toEqual([['u-manager']])
    expect(await peopleAsked({ amount: undefined, lines: [line(79.99)] })).toEqual([
      ['u-manager'],
      ['u-director'],
    ])
  })

  it('has the amount of its lines after discount; another amount needs the right to approve', async () => {
    const product = await makeProduct(deals.director, { price: 33.35 })
    const lines = [{ product_id: product, price: 33.35, quantity: 3.3 }]
    const sent = {
      customer_id: deals.customerId,
      name: '明细',
      type: 'direct',
      sign_date: '2026-03-10',
      lines,
      discount_rate: 95,
    }

    const made = right(await deals.demo.post('/mini/contract/create', sent))
    const refused = await deals.demo.post('/mini/contract/create', { ...sent, amount: 100 })
    const overridden = right(await deals.director.post('/mini/contract/create', { ...sent, amount: 100 }))

    // 33.35 × 3.3 = 110.055, half up 110.06; 110.06 × 95 % = 104.557, half up 104.56
    expect(made.record).toMatchObject({
      amount: 104.56,
      lines: [{ amount: 110.06, discount: 100, list_price: 33.35 }],
    })
    expect(refused.meta.error?.fields?.amount).toContain('104.56')
    expect(overridden.record).toMatchObject({ amount: 100, amount_overridden: true })
  })

  it('keeps the values of a line if the product changes or is taken off sale', async () => {
    const product = await makeProduct(deals.director, { name: '旧名', price: 50 })
    const made = await draft(deals.demo, deals.customerId, {
      amount: undefined,
      lines: [{ product_id: product, quantity: 2 }],
    })
    const { version } = await read(deals.director, 'product', product)
    right(
      await deals.director.post('/mini/product/update', { id: product, version, name: '新名', price: 70 }),
    )
    right(await deals.director.post('/mini/product/status', { ids: [product], status: 0 }))

    const lines = [{ product_id: product, quantity: 3 }]
    const kept = right(
      await deals.demo.post('/mini/contract/update', { id: made.id, version: made.version, lines }),
    )
    const fresh = await deals.demo.post('/mini/contract/create', {
      customer_id: deals.customerId,
      name: '新',
      type: 'direct',
      sign_date: '2026-03-10',
      lines,
    })

    expect(kept.record).toMatchObject({
      amount: 150,
      lines: [{ product_name: '旧名', list_price: 50, price: 50 }],
    })
    expect(fresh.meta.error?.fields).toHaveProperty(['lines.0.product_id'])
    const removal = right(await deals.director.post('/mini/product/delete', { ids: [product] }))
    expect(removal.failed[0]).toMatchObject({ type: 'REFERENCED' })
  })

  it('is changed by a revision that replaces it, with its plans and payments', async () => {
    const customer = await makeCustomer(deals.demo, '广州变更贸易有限公司')
    const old = await contractInEffect(
      deals,
      { amount: 1000, plans: [{ plan_amount: 600, plan_date: '2026-04-01' }] },
      customer,
    )
    await paid(deals, old, 300)
    const revision = right(await deals.demo.post('/mini/contract/change', { id: old }))
    const second = await deals.demo.post('/mini/contract/change', { id: old })
    const low = right(
      await deals.demo.post('/mini/contract/update', {
        id: revision.id,
        version: revision.version,
        amount: 299,
      }),
    )
    const tooLow = await deals.demo.post('/mini/contract/submit', { id: revision.id })
    right(
      await deals.demo.post('/mini/contract/update', { id: revision.id, version: low.version, amount: 1500 }),
    )

    right(await deals.demo.post('/mini/contract/submit', { id: revision.id }))
    await approveAll(deals, 'contract', revision.id)

    expect(second.meta.error?.type).toBe('STATE_CONFLICT')
    expect(tooLow.meta.message).toContain('300')
    expect(await read(deals.demo, 'contract', revision.id)).toMatchObject({
      received_amount: 300,
      unreceived_amount: 1200,
      revision_no: 1,
    })
    expect(await read(deals.demo, 'contract', old)).toMatchObject({
      replaced_by: revision.id,
      received_amount: 0,
    })
    expect(await read(deals.demo, 'customer', customer)).toMatchObject({
      deal_count: 1,
      deal_amount: 1500,
      received_amount: 300,
    })
    const plans = right(
      await deals.demo.post('/mini/plan/list', {
        filters: [{ field: 'contract_id', op: 'eq', value: revision.id }],
      }),
    )
    expect(plans.list).toMatchObject([{ received_amount: 300, status: 'partial' }])
    const all = right(
      await deals.demo.post('/mini/contract/list', {
        filters: [{ field: 'customer_id', op: 'eq', value: customer }],
      }),
    )
    expect(all.list.map((row: { id: string }) => row.id)).toEqual([revision.id])
    const home = right(
      await deals.demo.post('/mini/contract/list', {
        stat: { key: 'new_contract_total', period: 'this_month' },
        limit: 100,
      }),
    ).list
    const ours = home.filter((row: { customer_id: string }) => row.customer_id === customer)
    expect(ours).toHaveLength(2)
  })

  it('counts as one contract after a revision: in the figure of home, in its rows, and after a merge', async () => {
    const tile = { key: 'new_contract', period: 'this_month' }
    const count = async () => right(await deals.demo.post('/mini/stats/detail', tile))
    const before = await count()
    const customer = await makeCustomer(deals.demo, '珠海变更一次贸易有限公司')
    const old = await contractInEffect(deals, { amount: 1000 }, customer)
    const revision = right(await deals.demo.post('/mini/contract/change', { id: old }))
    right(
      await deals.demo.post('/mini/contract/update', {
        id: revision.id,
        version: revision.version,
        amount: 1500,
      }),
    )
    right(await deals.demo.post('/mini/contract/submit', { id: revision.id }))
    await approveAll(deals, 'contract', revision.id)

    const after = await count()
    const master = await makeCustomer(deals.demo, '珠海变更集团有限公司')
    right(await deals.manager.post('/mini/customer/merge', { masterId: master, ids: [customer] }))

    expect([after.number - before.number, after.count - before.count]).toEqual([1, 1])
    expect(after.list.filter((row: { id: string }) => [old, revision.id].includes(row.id))).toHaveLength(1)
    expect(await read(deals.demo, 'customer', master)).toMatchObject({ deal_count: 1, deal_amount: 1500 })
  })

  it('has its instalments paid by one payment, oldest first, and reversed in reverse order', async () => {
    const plans = [
      { plan_amount: 4000, plan_date: '2026-05-01' },
      { plan_amount: 5000, plan_date: '2026-04-01' },
      { plan_amount: 1000, plan_date: '2026-06-01' },
    ]
    const id = await contractInEffect(deals, { plans })
    const received = async () =>
      right(
        await deals.demo.post('/mini/plan/list', {
          filters: [{ field: 'contract_id', op: 'eq', value: id }],
        }),
      ).list.map((it: { received_amount: number; status: string }) => [it.received_amount, it.status])

    const payment = await paid(deals, id, 9000)
    const spread = await received()
    const shown = right(await deals.demo.get(`/mini/payment/detail?id=${payment}`)).record.shares
    right(await deals.finance.post('/mini/payment/reverse', { id: payment, amount: 4500, reason: '退款' }))
    const back = await received()
    const last = right(
      await deals.demo.post('/mini/plan/list', { filters: [{ field: 'contract_id', op: 'eq', value: id }] }),
    ).list[2]
    const chosen = await paid(deals, id, 1500, { plan_id: last.id })

    expect(spread).toEqual([
      [5000, 'paid'],
      [4000, 'paid'],
      [0, 'unpaid'],
    ])
    expect(shown).toMatchObject([
      { period_no: 2, amount: 5000 },
      { period_no: 1, amount: 4000 },
    ])
    expect(back).toEqual([
      [4500, 'partial'],
      [0, 'unpaid'],
      [0, 'unpaid'],
    ])
    expect(await received()).toEqual([
      [5000, 'paid'],
      [0, 'unpaid'],
      [1000, 'paid'],
    ])
    expect(right(await deals.demo.get(`/mini/payment/detail?id=${chosen}`)).record.shares).toMatchObject([
      { period_no: 3, amount: 1000 },
      { period_no: 2, amount: 500 },
    ])
  })

  describe('a payment that its author assigns to plans', () => {
    const plans = [
      { plan_amount: 5000, plan_date: '2026-04-01' },
      { plan_amount: 4000, plan_date: '2026-05-01' },
      { plan_amount: 1000, plan_date: '2026-06-01' },
    ]
    const planList = async (id: string) =>
      right(
        await deals.demo.post('/mini/plan/list', {
          filters: [{ field: 'contract_id', op: 'eq', value: id }],
        }),
      ).list
    const received = async (id: string) =>
      (await planList(id)).map((it: { received_amount: number }) => it.received_amount)
    const shared = async (id: string) => {
      const { shares, unassigned_amount } = right(
        await deals.demo.get(`/mini/payment/detail?id=${id}`),
      ).record
      return [
        shares.map((it: { period_no: number; amount: number }) => [it.period_no, it.amount]),
        unassigned_amount,
      ]
    }

    it('is proposed with the open amount and today’s date, over the open plans by date, a chosen plan first', async () => {
      const id = await contractInEffect(deals, { plans })
      await paid(deals, id, 2000)
      const [, second] = await planList(id)
      const ask = async (more: string) =>
        right(await deals.demo.get(`/mini/payment/propose?contractId=${id}${more}`))
      const spread = (it: { shares: { open: number; amount: number }[] }) =>
        it.shares.map(({ open, amount }) => [open, amount])

      const all = await ask('')
      expect(all).toMatchObject({ amount: 8000, paid_at: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
      expect(spread(all)).toEqual([
        [3000, 3000],
        [4000, 4000],
        [1000, 1000],
      ])
      expect(spread(await ask('&amount=3500'))).toEqual([
        [3000, 3000],
        [4000, 500],
        [1000, 0],
      ])
      const tapped = await ask(`&planId=${second.id}`)
      expect(tapped.amount).toBe(4000)
      expect(spread(tapped)).toEqual([
        [3000, 0],
        [4000, 4000],
        [1000, 0],
      ])
    })

    it.each([
      ['plan', 'plan_amount'],
      ['contract', 'amount'],
      ['payment', 'amount'],
    ])(
      'is neither proposed nor chosen by users who do not see the amounts behind it: %s %s',
      async (entity, field) => {
        const id = await contractInEffect(deals, { plans })
        const [first, second] = await planList(id)
        const reader = await salespersonWith({ [entity]: { [field]: 'hidden' } })
        const ask = async (more: string) =>
          right(await reader.get(`/mini/payment/propose?contractId=${id}${more}`))

        const asked = [await ask(`&planId=${second.id}`), await ask('&amount=99999999')]
        const amount = entity === 'payment' ? {} : { shares: [{ plan_id: first.id, amount: 5000.01 }] }
        const chosen = await reader.post('/mini/payment/create', paymentOf(id, 6000, amount))
        const made = await reader.post('/mini/payment/create', paymentOf(id, 6000, { shares: [] }))
        await salespersonWith({})

        expect(asked.map((it) => Object.keys(it))).toEqual([['paid_at'], ['paid_at']])
        expect(chosen.meta).toMatchObject({ code: 405, error: { type: 'NO_PERMISSION' } })
        if (entity === 'payment') return expect(made.meta.code).toBe(405)
        expect(chosen.meta.error?.fields).toEqual({ shares: '您没有修改该字段的权限' })
        right(await deals.demo.post('/mini/payment/submit', { id: right(made).id }))
        await approveAll(deals, 'payment', made.data.id)
        expect(await received(id)).toEqual([5000, 1000, 0])
      },
    )

    it('is changed by users who do not see the plans only without its assignment, which stays', async () => {
      const id = await contractInEffect(deals, { plans })
      const [first, second] = await planList(id)
      const shares = [
        { plan_id: first.id, amount: 1000 },
        { plan_id: second.id, amount: 2500 },
      ]
      const { id: payment } = right(
        await deals.demo.post('/mini/payment/create', paymentOf(id, 4000, { shares })),
      )
      const before = await shared(payment)
      const reader = await salespersonWith({ plan: { plan_amount: 'hidden' } })
      const change = async (more: JsonObject) => {
        const { version } = await read(deals.finance, 'payment', payment)
        return reader.post('/mini/payment/update', { id: payment, version, ...more })
      }

      const other = await change({ shares: [{ plan_id: first.id, amount: 900 }], remark: '先收一部分' })
      const none = await change({ shares: [], remark: '第一次' })
      const back = right(await reader.get(`/mini/payment/detail?id=${payment}`)).record.shares
      const same = await change({ shares: back, remark: '第二次' })
      await salespersonWith({})

      expect(other.meta).toMatchObject({ code: 405, error: { fields: { shares: '您没有修改该字段的权限' } } })
      expect([none.meta.code, same.meta.code]).toEqual([200, 200])
      expect(await read(deals.demo, 'payment', payment)).toMatchObject({ remark: '第二次' })
      expect(await shared(payment)).toEqual(before)
    })

    it('counts for its assigned plans, shows the remainder, and gives that only to later plans', async () => {
      const id = await contractInEffect(deals, { plans: plans.slice(0, 2) })
      const [first, second] = await planList(id)
      const shares = [
        { plan_id: first.id, amount: 1000 },
        { plan_id: second.id, amount: 2500, period_no: 2, open: 4000 },
      ]
      const draft = right(await deals.demo.post('/mini/payment/create', paymentOf(id, 4000, { shares })))
      const before = await shared(draft.id)
      right(await deals.demo.post('/mini/payment/submit', { id: draft.id }))
      await approveAll(deals, 'payment', draft.id)

      expect(before).toEqual([
        [
          [1, 1000],
          [2, 2500],
        ],
        500,
      ])
      expect(await shared(draft.id)).toEqual(before)
      expect(await received(id)).toEqual([1000, 2500])

      right(
        await deals.demo.post('/mini/plan/create', {
          contract_id: id,
          plan_amount: 300,
          plan_date: '2026-07-01',
        }),
      )
      expect(await received(id)).toEqual([1000, 2500, 300])

      const shown = right(await deals.demo.get(`/mini/plan/detail?id=${second.id}`)).record.shares
      expect(shown).toMatchObject([{ payment_id: draft.id, amount: 2500, total: 4000 }])
      right(await deals.finance.post('/mini/payment/reverse', { id: draft.id, amount: 3500, reason: '退款' }))
      expect(await received(id)).toEqual([500, 0, 0])
    })

    it('continues with other plans if another payment was faster', async () => {
      const id = await contractInEffect(deals, { plans })
      const [first, , third] = await planList(id)
      const shares = [
        { plan_id: first.id, amount: 0 },
        { plan_id: third.id, amount: 1000 },
      ]
      const slow = right(await deals.demo.post('/mini/payment/create', paymentOf(id, 1000, { shares })))
      await paid(deals, id, 1000, { plan_id: third.id })
      right(await deals.demo.post('/mini/payment/submit', { id: slow.id }))
      await approveAll(deals, 'payment', slow.id)

      expect(await received(id)).toEqual([1000, 0, 1000])
    })

    it('is refused if the parts exceed the payment or a plan, or if the plan belongs to another contract', async () => {
      const id = await contractInEffect(deals, { plans })
      const other = await contractInEffect(deals, { plans })
      const [first, second] = await planList(id)
      const [foreign] = await planList(other)
      const faults = async (amount: number, shares: Json) =>
        (await deals.demo.post('/mini/payment/create', paymentOf(id, amount, { shares }))).meta.error?.fields

      expect(
        await faults(3000, [
          { plan_id: first.id, amount: 2000 },
          { plan_id: second.id, amount: 1000.01 },
        ]),
      ).toEqual({ unassigned: '未分配不能小于0' }) // the form's own check comes first, shown at the field
      expect(await faults(9000, [{ plan_id: second.id, amount: 4000.01 }])).toHaveProperty([
        'shares.0.amount',
      ])
      expect(await faults(9000, [{ plan_id: second.id, amount: -1 }])).toHaveProperty(['shares.0.amount'])
      expect(await faults(9000, [{ plan_id: foreign.id, amount: 1 }])).toHaveProperty('shares')
      expect(
        await faults(9000, [
          { plan_id: first.id, amount: 1 },
          { plan_id: first.id, amount: 1 },
        ]),
      ).toHaveProperty('shares')
      expect(await faults(9000, 'all')).toHaveProperty('shares')
    })

    it('is spread at the write where nothing was assigned by hand, also after a change of its amount', async () => {
      const id = await contractInEffect(deals, { plans })
      const [first, second, third] = await planList(id)
      const draft = right(
        await deals.demo.post('/mini/payment/create', paymentOf(id, 6000, { shares: null })),
      )
      const made = await shared(draft.id)
      const update = async (more: JsonObject) =>
        right(await deals.demo.post('/mini/payment/update', { id: draft.id, ...more }))
      const shares = [
        { plan_id: first.id, amount: 1000 },
        { plan_id: second.id, amount: 3000 },
        { plan_id: third.id, amount: 0 },
      ]
      const chosen = await update({ version: draft.version, shares })
      const named = await update({ version: chosen.version, shares: null, remark: '备注' })
      const kept = await shared(draft.id)
      await update({ version: named.version, shares: null, amount: 7000 })
      const reader = await salespersonWith({ plan: { plan_amount: 'hidden' } })
      const unseen = await reader.post('/mini/payment/create', paymentOf(id, 100, { shares: null }))
      await salespersonWith({})

      expect(made).toEqual([
        [
          [1, 5000],
          [2, 1000],
        ],
        0,
      ])
      expect(kept).toEqual([
        [
          [1, 1000],
          [2, 3000],
        ],
        2000,
      ])
      expect(await shared(draft.id)).toEqual([
        [
          [1, 5000],
          [2, 2000],
        ],
        0,
      ])
      expect(unseen.meta.code).toBe(200)
    })

    it('keeps its parts while it is edited, until its amount changes', async () => {
      const id = await contractInEffect(deals, { plans })
      const [first, , third] = await planList(id)
      const shares = [{ plan_id: third.id, amount: 1000 }]
      const draft = right(await deals.demo.post('/mini/payment/create', paymentOf(id, 3000, { shares })))
      const proposed = right(
        await deals.demo.get(`/mini/payment/propose?contractId=${id}&amount=3000&id=${draft.id}`),
      ).shares
      const named = right(
        await deals.demo.post('/mini/payment/update', { id: draft.id, version: 1, remark: '分期' }),
      )
      const kept = await shared(draft.id)
      const less = right(
        await deals.demo.post('/mini/payment/update', { id: draft.id, version: named.version, amount: 2900 }),
      )

      expect(named.record.plan_id).toBe(third.id)
      expect(proposed.map((it: { amount: number }) => it.amount)).toEqual([2000, 0, 1000])
      expect(kept).toEqual([
        [
          [3, 1000],
          [1, 2000],
        ],
        0,
      ])
      expect(await shared(draft.id)).toEqual([
        [
          [3, 1000],
          [1, 1900],
        ],
        0,
      ])
      expect((await deals.demo.post('/mini/plan/delete', { ids: [third.id] })).data.failed).toHaveLength(1)
      expect(first.received_amount).toBe(0)
      expect(less.version).toBe(named.version + 1)
    })
  })

  it('is voided with a reason by authorised users, and only by finance after money was received', async () => {
    const customer = await makeCustomer(deals.demo, '深圳作废电子有限公司')
    const first = await contractInEffect(deals, { amount: 500 }, customer)
    const second = await contractInEffect(deals, { amount: 700 }, customer)
    await paid(deals, second, 100)

    const bySales = await deals.demo.post('/mini/contract/void', { id: first, reason: '误签' })
    const silent = await deals.manager.post('/mini/contract/void', { id: first })
    right(await deals.manager.post('/mini/contract/void', { id: first, reason: '误签' }))
    const byManager = await deals.manager.post('/mini/contract/void', { id: second, reason: '误签' })
    right(await deals.finance.post('/mini/contract/void', { id: second, reason: '退款' }))

    expect(bySales.meta.code).toBe(405)
    expect(silent.meta.error?.fields).toHaveProperty('reason')
    expect(byManager.meta.code).toBe(405)
    expect(await read(deals.demo, 'customer', customer)).toMatchObject({
      deal_status: 1,
      deal_count: 0,
      deal_amount: 0,
      received_amount: 100,
    })
  })

  it('can be edited and deleted only by its author while it is open, with the current version', async () => {
    const made = await draft(deals.demo, deals.customerId)
    const stale = await deals.demo.post('/mini/contract/update', {
      id: made.id,
      version: made.version + 1,
      remark: 'x',
    })
    const unknown = await deals.demo.post('/mini/contract/update', {
      id: made.id,
      version: made.version,
      received_amount: 5,
    })
    const effect = await contractInEffect(deals)
    const { version } = await read(deals.demo, 'contract', effect)
    const closed = await deals.demo.post('/mini/contract/update', { id: effect, version, remark: 'x' })
    const stays = right(await deals.demo.post('/mini/contract/delete', { ids: [effect] }))
    const gone = right(await deals.demo.post('/mini/contract/delete', { ids: [made.id] }))
    const missing = await deals.demo.get(`/mini/contract/detail?id=${made.id}`)
    const back = right(await deals.demo.post('/mini/contract/restore', { ids: [made.id] }))

    expect(stale.meta.error?.type).toBe('VERSION_CONFLICT')
    expect(stale.data.current.id).toBe(made.id)
    expect(unknown.meta.error?.fields).toHaveProperty('received_amount')
    expect(closed.meta.error?.type).toBe('STATE_CONFLICT')
    expect(stays.failed[0].type).toBe('STATE_CONFLICT')
    expect(gone.ok).toEqual([made.id])
    expect(missing.meta.code).toBe(404)
    expect(back.ok).toEqual([made.id])
  })

  it('refuses invalid values: reversed dates, zero, users of other tenants, too many decimals, plans above the amount', async () => {
    const body = {
      customer_id: deals.customerId,
      name: '错',
      type: 'direct',
      amount: 100,
      sign_date: '2026-03-10',
    }
    const faultsOf = async (more: object) =>
      Object.keys(
        (await deals.demo.post('/mini/contract/create', { ...body, ...more })).meta.error?.fields ?? {},
      )

    expect(await faultsOf({ start_date: '2026-03-10', end_date: '2026-03-09' })).toEqual(['end_date'])
    expect(await faultsOf({ amount: 0 })).toEqual(['amount'])
    expect(await faultsOf({ amount: 1.001 })).toEqual(['amount'])
    expect(await faultsOf({ our_signer_id: 'u-nobody' })).toEqual(['our_signer_id'])
    expect(await faultsOf({ type: 'nothing' })).toEqual(['type'])
    expect(await faultsOf({ plans: [{ plan_amount: 100.01, plan_date: '2026-04-01' }] })).toEqual(['plans'])
    expect(await faultsOf({ customer_id: await makeCustomer(deals.director, '别人的客户有限公司') })).toEqual(
      ['customer_id'],
    )
  })

  it('has its events and those of its payments in the customer’s timeline', async () => {
    const customer = await makeCustomer(deals.demo, '成都时间线有限公司')
    const id = await contractInEffect(deals, { amount: 100 }, customer)
    const payment = await paid(deals, id, 40)
    right(await deals.finance.post('/mini/payment/reverse', { id: payment, reason: '退款' }))
    right(await deals.manager.post('/mini/contract/void', { id, reason: '误签' }))

    const { list } = right(await deals.demo.get(`/mini/customer/timeline?id=${customer}&types=deal`))

    const lines = list.map((row: { title: string; content: string }) => [row.title, row.content]).sort()
    expect(lines).toEqual(
      [
        ['合同作废 ¥100.00', '误签'],
        ['合同审批通过 ¥100.00', ''],
        ['回款到账 ¥40.00', ''],
        ['回款冲销 -¥40.00', '退款'],
      ].sort(),
    )
  })

  it('has one line per payment in the customer’s timeline, and none for a draft', async () => {
    const customer = await makeCustomer(deals.demo, '成都一笔一行有限公司')
    const id = await contractInEffect(deals, { amount: 100 }, customer)
    const { id: payment } = right(await deals.demo.post('/mini/payment/create', paymentOf(id, 40)))
    const lines = async () =>
      right(await deals.demo.get(`/mini/customer/timeline?id=${customer}&types=deal,payment`))
        .list.map((row: { title: string }) => row.title)
        .filter((title: string) => title.includes('回款'))

    expect(await lines()).toEqual([])
    right(await deals.demo.post('/mini/payment/submit', { id: payment }))
    expect(await lines()).toEqual(['新建回款 ¥40.00（审批中）'])
    await approveAll(deals, 'payment', payment)
    expect(await lines()).toEqual(['回款到账 ¥40.00'])
  })

  it('is renewed as a separate draft, transferred with its payments, and fulfilled manually', async () => {
    const id = await contractInEffect(deals, {
      amount: 400,
      start_date: '2026-01-01',
      end_date: '2026-12-31',
    })
    const payment = await paid(deals, id, 50)
    const renewal = right(await deals.demo.post('/mini/contract/renew', { id }))
    right(await deals.demo.post('/mini/contract/perform', { id, status: 3, reason: '终止' }))
    const ended = await read(deals.demo, 'contract', id)
    right(
      await deals.manager.post('/mini/contract/transfer', {
        ids: [id],
        toUserId: 'u-zhaolei',
        keepOld: 'read',
      }),
    )

    expect(renewal.record).toMatchObject({
      type: 'renewal',
      approval_status: 0,
      start_date: '2027-01-01',
      received_amount: 0,
    })
    expect(ended).toMatchObject({ perform_status: 3, performed_by_hand: true })
    expect(await read(deals.demo, 'contract', id)).toMatchObject({ owner_id: 'u-zhaolei' })
    expect((await deals.demo.post('/mini/contract/perform', { id, status: 2 })).meta.code).toBe(405)
    expect(await read(deals.manager, 'payment', payment)).toMatchObject({ owner_id: 'u-zhaolei' })
  })

  it('is transferred with its customer on request, with payments and revisions, and keeps the former owner’s access', async () => {
    const customer = await makeCustomer(deals.demo, '苏州移交软件有限公司')
    const id = await contractInEffect(deals, { amount: 400 }, customer)
    const payment = await paid(deals, id, 50)
    const open = right(
      await deals.demo.post('/mini/payment/create', {
        contract_id: id,
        amount: 20,
        paid_at: '2026-03-12',
        method: 'bank_transfer',
      }),
    ).id
    const revision = right(await deals.demo.post('/mini/contract/change', { id })).id
    const move = { ids: [customer], toUserId: 'u-zhaolei', keepOld: 'read' }

    const moved = right(await deals.manager.post('/mini/customer/transfer', { ...move, withContract: true }))

    expect(moved.failed).toEqual([])
    for (const contract of [id, revision])
      expect(await read(deals.manager, 'contract', contract)).toMatchObject({ owner_id: 'u-zhaolei' })
    for (const one of [payment, open])
      expect(await read(deals.manager, 'payment', one)).toMatchObject({ owner_id: 'u-zhaolei' })
    expect(await read(deals.demo, 'contract', id)).toMatchObject({ received_amount: 50 })
    expect((await deals.demo.post('/mini/contract/perform', { id, status: 3, reason: 'x' })).meta.code).toBe(
      405,
    )
  })

  it('is in exactly its tabs', async () => {
    const customer = await makeCustomer(deals.demo, '杭州标签软件有限公司')
    const only = [{ field: 'customer_id', op: 'eq', value: customer }]
    const open = (await draft(deals.demo, customer)).id
    const running = (await draft(deals.demo, customer)).id
    right(await deals.demo.post('/mini/contract/submit', { id: running }))
    const ending = await contractInEffect(deals, { amount: 10, end_date: '2026-04-15' }, customer)
    await paid(deals, ending, 10)
    const owing = await contractInEffect(deals, { end_date: '2026-04-16' }, customer)
    const tab = async (name: string, client = deals.demo) =>
      right(await client.post('/mini/contract/list', { tab: name, filters: only }))
        .list.map((row: { id: string }) => row.id)
        .sort()

    expect(await tab('all')).toEqual([open, running, ending, owing].sort())
    expect(await tab('submitted')).toEqual([running, ending, owing].sort())
    expect(await tab('to_approve', deals.manager)).toEqual([running])
    expect(await tab('to_approve')).toEqual([])
    expect(await tab('unpaid')).toEqual([owing])
    expect(await tab('ending')).toEqual([ending])
    expect(await tab('performing')).toEqual([ending, owing].sort())
  })
})

/** Demo in a session of its own, while the role of salespeople has these field rights. */
async function salespersonWith(rights: object): Promise<Client> {
  await deals.server.database.system((trx) =>
    sql`update role set field_rights = ${JSON.stringify(rights)}::jsonb
      where tenant_id = 'xinghai' and code = 'sales'`.execute(trx),
  )
  return deals.server.as('demo', 'limited-device')
}
