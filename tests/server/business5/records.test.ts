import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import type { Client } from '../support.ts'
import {
  contractInEffect,
  type Deals,
  draft,
  makeCustomer,
  makeProduct,
  openDeals,
  paid,
  read,
  right,
} from './deals.ts'

let deals: Deals
beforeAll(async () => {
  deals = await openDeals()
})
afterAll(() => deals.server.close())

describe('the cost of a product', () => {
  it('is hidden from a salesperson everywhere', async () => {
    const id = await makeProduct(deals.director, { name: '保密成本品', price: 900, cost: 123.45 })
    const { version } = await read(deals.director, 'product', id)
    right(await deals.director.post('/mini/product/update', { id, version, cost: 543.21 }))

    const seen = await read(deals.director, 'product', id)
    const answers = await Promise.all([
      deals.demo.get(`/mini/product/detail?id=${id}`),
      deals.demo.post('/mini/product/list', { keyword: '保密' }),
      deals.demo.get(`/mini/product/options?ids=${id}`),
      deals.demo.get(`/mini/product/log?id=${id}`),
    ])
    const filtered = await deals.demo.post('/mini/product/list', {
      filters: [{ field: 'cost', op: 'gt', value: 1 }],
    })

    expect(seen).toMatchObject({ cost: 543.21 })
    for (const answer of answers) {
      expect(answer.meta.code).toBe(200)
      expect(answer.body).not.toMatch(/543\.21|123\.45|cost/)
    }
    expect(filtered.meta.error?.type).toBe('BAD_FILTER')
    expect((await deals.director.get(`/mini/product/log?id=${id}`)).body).toContain('543.21')
  })
})

describe('a product', () => {
  it('has a unique name per category, unless confirmed, and a unique code', async () => {
    const body = { name: '同名', product_no: 'SW-1', category_id: 'software', unit: 'suite', price: 1 }
    right(await deals.director.post('/mini/product/create', body))
    const again = await deals.director.post('/mini/product/create', { ...body, product_no: 'SW-2' })
    const known = right(
      await deals.director.post('/mini/product/create', {
        ...body,
        product_no: 'SW-2',
        confirm: ['DUPLICATE_NAME'],
      }),
    )
    const taken = await deals.director.post('/mini/product/create', { ...body, name: '异名' })

    expect(again.data).toEqual({ confirm: 'DUPLICATE_NAME' })
    expect(known.warnings[0].type).toBe('DUPLICATE_NAME')
    expect(taken.meta.error).toMatchObject({ type: 'DUPLICATE', fields: { product_no: expect.any(String) } })
  })

  it('is found under its category and its ancestors, by name, code in any width and pinyin, and off sale by authorised users', async () => {
    const id = await makeProduct(deals.director, {
      name: '量子网关',
      product_no: 'GW900',
      category_id: 'hardware_gateway',
    })
    const idsOf = async (body: { [key: string]: Json }, client = deals.demo) =>
      right(await client.post('/mini/product/list', body)).list.map((row: { id: string }) => row.id)

    expect(await idsOf({ tab: 'hardware' })).toContain(id)
    expect(await idsOf({ tab: 'software' })).not.toContain(id)
    for (const keyword of ['量子', 'gw9', 'ｇｗ９', 'liangzi', 'lzwg'])
      expect(await idsOf({ keyword })).toEqual([id])
    right(await deals.director.post('/mini/product/status', { ids: [id], status: 0 }))
    expect(await idsOf({ tab: 'hardware' })).not.toContain(id)
    expect(await idsOf({ tab: 'off' }, deals.director)).toContain(id)
    expect((await deals.demo.post('/mini/product/list', { tab: 'off' })).meta.code).toBe(400)
  })

  it('is sorted by its sales of 90 days in contracts in effect', async () => {
    const [few, many] = [
      await makeProduct(deals.director, { name: '少' }),
      await makeProduct(deals.director, { name: '多' }),
    ]
    const line = (product_id: string, quantity: number) => [{ product_id, quantity, price: 1 }]
    await contractInEffect(deals, { amount: undefined, lines: line(few, 1.5) })
    await contractInEffect(deals, { amount: undefined, lines: line(many, 7) })
    await draft(deals.demo, deals.customerId, { amount: undefined, lines: line(few, 100) })

    const { list } = right(
      await deals.demo.post('/mini/product/list', { sort: [{ field: 'sold_90d', dir: 'desc' }], limit: 2 }),
    )

    expect(list.map((row: { id: string; sold_90d: number }) => [row.id, row.sold_90d])).toEqual([
      [many, 7],
      [few, 1.5],
    ])
  })

  it('belongs to a tree of three levels with names unique within a level', async () => {
    const made = right(
      await deals.director.post('/mini/product/category/save', { label: '新类', parent: 'software_pro' }),
    )
    const deep = await deals.director.post('/mini/product/category/save', {
      label: '第四级',
      parent: made.value,
    })
    const twin = await deals.director.post('/mini/product/category/save', {
      label: '新类',
      parent: 'software_pro',
    })
    const id = await makeProduct(deals.director, { category_id: made.value })
    const used = await deals.director.post('/mini/product/category/delete', { value: made.value })
    const { list } = right(await deals.demo.get('/mini/product/category/tree'))

    expect(deep.meta.code).toBe(400)
    expect(twin.meta.error?.type).toBe('DUPLICATE')
    expect(used.meta.error?.type).toBe('REFERENCED')
    expect(await read(deals.demo, 'product', id)).toMatchObject({
      category_path: ['software', 'software_pro', made.value],
    })
    expect(list[0].children[1].children).toMatchObject([{ label: '新类', count: 1 }])
  })
})

describe('payments above the contract amount', () => {
  const over = { amount: 60, paid_at: '2026-03-12', method: 'cash' }
  const setting = async (value: string) => {
    await deals.server.database.system((trx) =>
      sql`update tenant set settings = ${JSON.stringify({ over_collect: value })}::jsonb where id = 'xinghai'`.execute(
        trx,
      ),
    )
    // The server may cache a session for a moment.
    deals.server.clock.now += 60_000
  }
  afterAll(() => setting('warn'))

  it('need a confirmation, counting running approvals, and are accepted with it', async () => {
    const contract_id = await contractInEffect(deals, { amount: 100 })
    const first = right(await deals.demo.post('/mini/payment/create', { ...over, contract_id }))
    right(await deals.demo.post('/mini/payment/submit', { id: first.id }))

    const asked = await deals.demo.post('/mini/payment/create', { ...over, contract_id })
    const known = right(
      await deals.demo.post('/mini/payment/create', { ...over, contract_id, confirm: ['OVER_COLLECT'] }),
    )
    const submitted = await deals.demo.post('/mini/payment/submit', { id: known.id })

    expect(asked.meta).toMatchObject({ code: 422, error: { type: 'OVER_COLLECT' } })
    expect(asked.data).toMatchObject({ over: 20, pending: 60, confirm: 'OVER_COLLECT' })
    expect(known.warnings).toHaveLength(1)
    expect(submitted.meta.code).toBe(200)
  })

  it('need another confirmation if more was received in between', async () => {
    const contract_id = await contractInEffect(deals, { amount: 100 })
    const [one, two] = [0, 1].map(() => ({ ...over, contract_id }))
    const ids = [
      right(await deals.demo.post('/mini/payment/create', one)).id,
      right(await deals.demo.post('/mini/payment/create', two)).id,
    ]

    const answers = await Promise.all(ids.map((id) => deals.demo.post('/mini/payment/submit', { id })))

    expect(answers.map((it) => it.meta.code).sort()).toEqual([200, 422])
  })

  it('are refused or allowed by the tenant’s setting', async () => {
    const contract_id = await contractInEffect(deals, { amount: 50 })
    await setting('block')
    const blocked = await deals.demo.post('/mini/payment/create', {
      ...over,
      contract_id,
      confirm: ['OVER_COLLECT'],
    })
    await setting('allow')
    const allowed = await deals.demo.post('/mini/payment/create', { ...over, contract_id })

    expect(blocked.meta).toMatchObject({ code: 422, error: { type: 'OVER_COLLECT' } })
    expect(blocked.data).not.toHaveProperty('confirm')
    expect(allowed.meta.code).toBe(200)
  })
})

describe('a payment', () => {
  it('goes to the oldest open plan, is reversed in parts, and never beyond its amount', async () => {
    const plans = [
      { plan_amount: 40, plan_date: '2026-05-01' },
      { plan_amount: 60, plan_date: '2026-04-01' },
    ]
    const contract = await contractInEffect(deals, { amount: 100, plans })
    const payment = await paid(deals, contract, 60)
    const taken = right(
      await deals.finance.post('/mini/payment/reverse', { id: payment, amount: 25.5, reason: '退' }),
    )
    const tooMuch = await deals.finance.post('/mini/payment/reverse', {
      id: payment,
      amount: 34.51,
      reason: '退',
    })
    const bySales = await deals.demo.post('/mini/payment/reverse', { id: payment, reason: '退' })

    expect(taken.record).toMatchObject({ amount: -25.5, approval_status: 2, reverses_id: payment })
    expect(tooMuch.meta.error?.fields?.amount).toContain('34.5')
    expect(bySales.meta.code).toBe(405)
    const list = right(
      await deals.demo.post('/mini/plan/list', {
        filters: [{ field: 'contract_id', op: 'eq', value: contract }],
      }),
    ).list
    expect(
      list.map((row: { period_no: number; status: string; received_amount: number }) => [
        row.period_no,
        row.status,
        row.received_amount,
      ]),
    ).toEqual([
      [2, 'partial', 34.5],
      [1, 'unpaid', 0],
    ])
    expect(await read(deals.demo, 'contract', contract)).toMatchObject({ received_amount: 34.5 })
  })

  it('is refused for a draft contract, a future date and another contract’s plan, and cannot change its contract', async () => {
    const contract_id = await contractInEffect(deals)
    const { id: other } = await draft(deals.demo, deals.customerId)
    const body = { contract_id, amount: 5, paid_at: '2026-03-16', method: 'cash' }
    const made = right(await deals.demo.post('/mini/payment/create', body))

    expect(
      (await deals.demo.post('/mini/payment/create', { ...body, contract_id: other })).meta.error?.type,
    ).toBe('STATE_CONFLICT')
    expect(
      (await deals.demo.post('/mini/payment/create', { ...body, paid_at: '2026-03-17' })).meta.error?.fields,
    ).toHaveProperty('paid_at')
    expect(
      (await deals.demo.post('/mini/payment/create', { ...body, plan_id: 'nothing' })).meta.error?.fields,
    ).toHaveProperty('plan_id')
    expect(
      (await deals.demo.post('/mini/payment/create', { ...body, amount: -5 })).meta.error?.fields,
    ).toHaveProperty('amount')
    const moved = await deals.demo.post('/mini/payment/update', {
      id: made.id,
      version: 1,
      contract_id: other,
    })
    expect(moved.meta.error?.fields).toHaveProperty('contract_id')
  })

  it('is created once per token', async () => {
    const contract_id = await contractInEffect(deals)
    const body = {
      contract_id,
      amount: 5,
      paid_at: '2026-03-16',
      method: 'cash',
      clientToken: 'pay-once-0001',
    }

    const [first, second] = await Promise.all([
      deals.demo.post('/mini/payment/create', body),
      deals.demo.post('/mini/payment/create', body),
    ])

    expect(first.data.id).toBe(second.data.id)
  })
})

describe('plans', () => {
  it('are created by shares to the cent, a month apart, and stay while they have payments', async () => {
    const contract = await contractInEffect(deals, { amount: 100.01, sign_date: '2026-01-31' })
    const { list } = right(
      await deals.demo.post('/mini/plan/generate', { contractId: contract, preset: '30/60/10' }),
    )
    await paid(deals, contract, 30)
    const again = await deals.demo.post('/mini/plan/generate', { contractId: contract, preset: '100' })
    const more = await deals.demo.post('/mini/plan/create', {
      contract_id: contract,
      plan_amount: 0.01,
      plan_date: '2026-05-01',
    })

    expect(
      list.map((row: { period_no: number; plan_amount: number; plan_date: string }) => [
        row.period_no,
        row.plan_amount,
        row.plan_date,
      ]),
    ).toEqual([
      [1, 30, '2026-01-31'],
      [2, 60, '2026-02-28'],
      [3, 10.01, '2026-03-31'],
    ])
    expect(again.meta.error?.type).toBe('REFERENCED')
    expect(more.meta.error?.fields).toHaveProperty('plan_amount')
    expect(
      (await deals.demo.post('/mini/plan/generate', { contractId: contract, preset: '30/60' })).meta.code,
    ).toBe(400)
    const overdue = right(
      await deals.demo.post('/mini/plan/list', {
        tab: 'overdue',
        filters: [{ field: 'contract_id', op: 'eq', value: contract }],
      }),
    ).list
    expect(overdue).toMatchObject([{ period_no: 2, status: 'overdue' }])
  })
})

describe('an activity', () => {
  it('derives its status from the time, registers attendance, and is cancelled with a reason', async () => {
    const made = right(
      await deals.director.post('/mini/activity/create', {
        name: '春季沙龙',
        type: 'salon',
        start_at: '2026-03-16 09:00:00',
        end_at: '2026-03-16 18:00:00',
        member_ids: ['u-demo'],
      }),
    )
    const contact = right(
      await deals.demo.post('/mini/customer/create', {
        name: '参会客户有限公司',
        contacts: [{ name: '张三', mobile: '13912345678' }],
      }),
    ).record.primary_contact_id
    right(
      await deals.director.post('/mini/activity/member/save', {
        id: made.id,
        members: [{ contactId: contact }],
      }),
    )
    const invited = right(await deals.director.get(`/mini/activity/member/list?id=${made.id}`)).list[0]
    const byCode = { id: made.id, memberId: invited.id }
    const other = await deals.director.post('/mini/activity/sign-in', { ...byCode, memberId: 'nobody' })
    right(await deals.director.post('/mini/activity/sign-in', byCode))
    const first = right(
      await deals.director.get(`/mini/activity/member/list?id=${made.id}&memberId=${invited.id}`),
    ).list
    deals.server.clock.now += 60_000
    right(await deals.director.post('/mini/activity/sign-in', { ...byCode, contactId: contact }))
    right(await deals.director.post('/mini/activity/sign-in', { id: made.id, contactId: contact }))
    const later = right(
      await deals.director.post('/mini/activity/create', {
        name: '下周的沙龙',
        type: 'salon',
        start_at: '2026-03-23 09:00:00',
        end_at: '2026-03-23 18:00:00',
      }),
    )
    const early = await deals.director.post('/mini/activity/sign-in', { id: later.id, contactId: contact })
    const again = right(await deals.director.get(`/mini/activity/member/list?id=${made.id}`)).list
    expect([other.meta.code, early.meta.code]).toEqual([404, 409])
    expect(first).toMatchObject([{ id: invited.id, status: 'signed' }])
    expect(again).toEqual(first)
    expect(
      right(await deals.director.get(`/mini/activity/member/list?id=${made.id}&memberId=nobody`)).list,
    ).toEqual([])
    const status = async () => (await read(deals.demo, 'activity', made.id)).status
    const before = await status()
    const joined = right(await deals.demo.post('/mini/activity/list', { tab: 'joined' })).list
    const silent = await deals.director.post('/mini/activity/cancel', { id: made.id })
    right(await deals.director.post('/mini/activity/cancel', { id: made.id, reason: '天气' }))

    expect(made.record.activity_no).toBe('HD202603160001')
    expect(before).toBe('running')
    expect(joined).toMatchObject([
      { id: made.id, member_count: 1, actions: expect.arrayContaining(['add_lead']) },
    ])
    expect(silent.meta.error?.fields).toHaveProperty('reason')
    expect(await status()).toBe('cancelled')
    const members = right(await deals.demo.get(`/mini/activity/member/list?id=${made.id}`)).list
    expect(members).toMatchObject([{ name: '张三', status: 'signed' }])
    const foreign = right(
      await (await deals.server.as('zengke')).get(`/mini/activity/member/list?id=${made.id}`),
    ).list
    expect(foreign[0].name).not.toBe('张三')
    expect((await deals.demo.post('/mini/activity/create', { name: 'x' })).meta.code).toBe(405)
  })
})

describe('pages of a list', () => {
  it('show each contract once while others are created', async () => {
    const customer = await makeCustomer(deals.demo, '翻页客户有限公司')
    for (let i = 0; i < 5; i++) await draft(deals.demo, customer, { sign_date: `2026-03-0${i + 1}` })
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = right(
        await deals.demo.post('/mini/contract/list', {
          filters: [{ field: 'customer_id', op: 'eq', value: customer }],
          sort: [{ field: 'sign_date', dir: 'desc' }],
          limit: 2,
          cursor,
        }),
      )
      seen.push(...page.list.map((row: { id: string }) => row.id))
      await draft(deals.demo, customer, { sign_date: '2026-03-15' })
      cursor = page.nextCursor
    } while (cursor !== null)

    expect(seen).toHaveLength(5)
    expect(new Set(seen).size).toBe(5)
  })
})

describe('the forms', () => {
  it('validate a write by the published page: the server also requires what only the page requires', async () => {
    const activity = await deals.director.post('/mini/activity/create', {
      name: '发布会',
      type: 'salon',
      start_at: '2026-04-01 09:00:00',
      end_at: '2026-04-01 10:00:00',
      // The server's own pattern accepts capitals, the page's does not.
      online_url: 'HTTPS://LIVE.EXAMPLE/1',
    })

    expect(activity.meta.error?.fields).toEqual({ online_url: '链接应以 http:// 或 https:// 开头' })
  })

  it('offer only what the user may use', async () => {
    const foreign = await makeCustomer(deals.director, '总监自己的客户有限公司')
    right(
      await deals.director.post('/mini/customer/team/save', {
        id: foreign,
        members: [{ userId: 'u-demo', level: 'read' }],
      }),
    )
    const values = async (client: Client, url: string) =>
      right(await client.get(url)).list.map((row: { value: string }) => row.value)

    expect(await values(deals.demo, '/mini/customer/options')).toContain(foreign)
    expect(await values(deals.demo, '/mini/customer/options?filter=deal')).not.toContain(foreign)
    // The one for which another is picked is not offered.
    expect(await values(deals.demo, `/mini/customer/options?without=${foreign}`)).not.toContain(foreign)
    expect(await values(deals.demo, '/mini/customer/options?filter=deal')).toContain(deals.customerId)
    expect(right(await deals.demo.get('/mini/product/form'))).toEqual({ cost: 'hidden' })
    expect(right(await deals.admin.get('/mini/product/form'))).toEqual({ cost: 'write' })
  })

  it('offer every customer that the user sees, page by page, each once', async () => {
    for (let n = 0; n < 22; n++) {
      const target_id = await makeCustomer(deals.demo, `翻页客户${n}号有限公司`)
      const follow = { target_type: 'customer', target_id, method: 'call', content: '打过电话' }
      if (n % 2 === 0) right(await deals.demo.post('/mini/follow/create', follow))
    }
    const [all, pages] = [new Set<string>(), [] as string[]]
    for (let cursor = '', more = true; more; ) {
      const { list, nextCursor } = right(await deals.demo.get(`/mini/customer/options?cursor=${cursor}`))
      pages.push(...list.map((row: { value: string }) => row.value))
      cursor = nextCursor ?? ''
      more = nextCursor !== null
    }
    const { list, total } = right(
      await deals.demo.post('/mini/customer/list', { limit: 100, withTotal: true }),
    )
    for (const row of list) all.add(row.id)

    expect(total).toBeGreaterThan(20)
    expect(pages).toHaveLength(total)
    expect(new Set(pages)).toEqual(all)
  })
})
