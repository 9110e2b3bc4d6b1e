import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { recycle } from '../../../src/server/flows/pools/recycle.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { person } from './support.ts'

let server: TestApp
let demo: Client
let colleague: Client
let manager: Client
let admin: Client
const START = Date.parse('2026-03-16T02:00:00Z')
const DAY = 86_400_000
beforeAll(async () => {
  server = await openTestApp()
  demo = person(server, 'demo')
  colleague = person(server, 'zhaolei')
  manager = person(server, 'manager')
  admin = person(server, 'admin')
})
afterAll(() => server.close())
beforeEach(() => {
  server.clock.now = START
})

const POOL = 'xinghai-pool-customer'
let count = 0
const aName = () => `公海测试${'甲乙丙丁戊己庚辛壬癸'[++count % 10]}${count}号厂`
/** A customer that demo released. */
async function inPool(more: object = {}, by: Client = demo): Promise<string> {
  const made = await by.post('/mini/customer/create', { name: aName(), ...more })
  const released = await by.post('/mini/customer/release', { ids: [made.data.id], reason: 'no_need' })
  expect(released.data.ok).toEqual([made.data.id])
  return made.data.id
}
const claim = (client: Client, ids: string[], entity = 'customer') =>
  client.post(`/mini/pool/${entity}/claim`, { poolId: `xinghai-pool-${entity}`, ids })
const settings = (given: object) => admin.post('/mini/pool/setting', { id: POOL, settings: given as never })
const run: TestApp['database']['system'] = (work) => server.database.system(work)
/** Everybody starts the day with an unused quota. */
const forgetClaims = () => run((trx) => sql`delete from owner_record where kind = 'claim'`.execute(trx))

describe('claiming', () => {
  it('gives the record to exactly one of fifty concurrent claims, and counts only that claim (DOMAIN 8.8 no. 2)', async () => {
    const id = await inPool({}, manager)
    const people = [
      'demo',
      'zhaolei',
      'sunyue',
      'huangjie',
      'liufang',
      'shanyu',
      'zengke',
      'xiejing',
      'zhaming',
      'hebin',
    ]
    const clients = await Promise.all(people.map((account) => server.as(account)))

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => claim(clients[n % clients.length] ?? demo, [id])),
    )

    const codes = answers.map((answer) => answer.meta.code).sort()
    expect(codes).toEqual([200, ...Array(49).fill(409)])
    const winner = answers.findIndex((answer) => answer.meta.code === 200) % people.length
    // The director sees both departments.
    const detail = await (await server.as('director')).get(`/mini/customer/detail?id=${id}`)
    expect(detail.data.record.owner_id).toBe(`u-${people[winner]}`)
    const loser = answers.find((answer) => answer.meta.code === 409)
    expect(loser?.meta.error?.type).toBe('ALREADY_CLAIMED')
    expect(loser?.meta.message).toContain(detail.data.record.owner_name)
    const quotas = await Promise.all(clients.map((client) => client.get('/mini/pool/list?entity=customer')))
    const claimed = quotas.map((answer) => answer.data.list[0].quota.claimed)
    expect(claimed.reduce((sum: number, n: number) => sum + n, 0)).toBe(1)
    expect(claimed[winner]).toBe(1)
  })

  it('counts every claim of the day, including claims of returned records (DOMAIN 8.8 no. 3)', async () => {
    await forgetClaims()
    const id = await inPool({}, manager)
    await settings({ prev_owner_cooldown_days: 0 })

    const first = await claim(colleague, [id])
    await colleague.post('/mini/customer/release', { ids: [id], reason: 'other' })
    const second = await claim(colleague, [id])

    expect([first.data.quota.claimed, second.data.quota.claimed]).toEqual([1, 2])
    await settings({ prev_owner_cooldown_days: null })
  })

  it('is undone within a minute, as if the record had stayed in its pool, but still counts', async () => {
    await forgetClaims()
    const id = await inPool({ next_follow_at: '2026-03-20 10:00:00' }, manager)
    const lying = async () =>
      (await colleague.post('/mini/pool/customer/list', { poolId: POOL, limit: 100 })).data.list.find(
        (it: { id: string }) => it.id === id,
      )
    const before = await lying()
    server.clock.now += 3_600_000
    await claim(colleague, [id])
    server.clock.now += 5_000

    const back = await colleague.post('/mini/pool/customer/unclaim', { ids: [id] })
    const after = await lying()
    const again = await colleague.post('/mini/pool/customer/unclaim', { ids: [id] })
    const other = await claim(demo, [id])
    const notHis = await colleague.post('/mini/pool/customer/unclaim', { ids: [id] })
    await demo.post('/mini/pool/customer/unclaim', { ids: [id] })
    const twice = await claim(colleague, [id])

    expect(back.data).toMatchObject({ ok: [id], failed: [], quota: { claimed: 1 } })
    expect(after).toEqual(before)
    expect(again.data.failed[0]).toMatchObject({ type: 'STATE_CONFLICT', message: /不能撤销/ })
    expect(other.data.ok).toEqual([id])
    expect(notHis.data.ok).toEqual([])
    // No cool-down, but the second claim of the day, because the numbers were visible meanwhile.
    expect(twice.data).toMatchObject({ ok: [id], quota: { claimed: 2 } })
    const { data } = await colleague.get(`/mini/customer/owner-record?id=${id}`)
    expect(data.map(({ title }: { title: string }) => title).slice(0, 4)).toEqual([
      '领取了客户',
      '撤销了领取',
      '领取了客户',
      '撤销了领取',
    ])
  })

  it('cannot be undone later, nor after the record was used', async () => {
    await forgetClaims()
    const [late, followed, edited] = [
      await inPool({}, manager),
      await inPool({}, manager),
      await inPool({}, manager),
    ]
    await claim(colleague, [late, followed, edited])
    await colleague.post('/mini/follow/create', {
      target_type: 'customer',
      target_id: followed,
      method: 'call',
      content: '已经联系上了',
    })
    const { data } = await colleague.get(`/mini/customer/detail?id=${edited}`)
    await colleague.post('/mini/customer/patch', { ids: [edited], level: 'A' })
    const meanwhile = await colleague.post('/mini/pool/customer/unclaim', { ids: [followed, edited] })
    server.clock.now += 61_000
    const after = await colleague.post('/mini/pool/customer/unclaim', { ids: [late] })

    expect(data.record.owner_id).toBe('u-zhaolei')
    expect([meanwhile.data.ok, after.data.ok]).toEqual([[], []])
  })

  it('is undone together with the lead’s status and the share in an opportunity’s customer', async () => {
    await forgetClaims()
    const lead = await demo.post('/mini/lead/create', {
      name: aName(),
      mobile: '13900001122',
      source: 'other',
    })
    expect(lead.meta).toMatchObject({ code: 200 })
    await demo.post('/mini/follow/create', {
      target_type: 'lead',
      target_id: lead.data.id,
      method: 'call',
      content: '有兴趣，下周再谈',
    })
    await demo.post('/mini/lead/release', { ids: [lead.data.id], reason: 'no_need' })
    await claim(colleague, [lead.data.id], 'lead')
    await colleague.post('/mini/pool/lead/unclaim', { ids: [lead.data.id] })
    const customer = await demo.post('/mini/customer/create', { name: aName() })
    const deal = await demo.post('/mini/bussiness/create', {
      name: aName(),
      customer_id: customer.data.id,
      amount: 1000,
      expected_date: '2026-05-01',
    })
    await demo.post('/mini/bussiness/release', { ids: [deal.data.id], reason: 'no_need' })
    const taken = await claim(colleague, [deal.data.id], 'bussiness')
    const shared = await colleague.get(`/mini/customer/detail?id=${customer.data.id}`)
    const back = await colleague.post('/mini/pool/bussiness/unclaim', { ids: [deal.data.id] })
    const hidden = await colleague.get(`/mini/customer/detail?id=${customer.data.id}`)

    const [row] = await run(async (trx) => {
      const { rows } = await sql<{ status: number; pool_id: string | null }>`select status, pool_id from lead
        where id = ${lead.data.id}`.execute(trx)
      return rows
    })
    expect(row).toEqual({ status: 20, pool_id: 'xinghai-pool-lead' })
    expect([taken.data.ok, back.data.ok]).toEqual([[deal.data.id], [deal.data.id]])
    expect([shared.meta.code, hidden.meta.code]).toEqual([200, 404])
  })

  it('stops at the daily limit and starts again at midnight of the tenant', async () => {
    await forgetClaims()
    await settings({ daily_claim_limit: 2 })
    const ids = [await inPool({}, manager), await inPool({}, manager), await inPool({}, manager)]

    const three = await claim(colleague, ids)
    const two = await claim(colleague, ids.slice(0, 2))
    const more = await claim(colleague, ids.slice(2))
    server.clock.now = Date.parse('2026-03-16T15:59:00Z')
    const stillToday = await claim(colleague, ids.slice(2))
    server.clock.now = Date.parse('2026-03-16T16:00:00Z')
    const tomorrow = await claim(colleague, ids.slice(2))

    expect(three.meta.error?.type).toBe('CLAIM_DAILY_LIMIT')
    expect(two.data.ok).toHaveLength(2)
    expect(more.meta).toMatchObject({ code: 422, message: '今日领取已达上限（2/2）' })
    expect(stillToday.meta.code).toBe(422)
    expect(tomorrow.data.ok).toEqual(ids.slice(2))
    await settings({ daily_claim_limit: null })
  })

  it('is refused to the former owner, even if another user held the record in between, to the minute (DOMAIN 8.8 no. 4)', async () => {
    await forgetClaims()
    const id = await inPool()
    await claim(colleague, [id])
    server.clock.now = START + DAY
    await colleague.post('/mini/customer/release', { ids: [id], reason: 'other' })

    const early = await claim(demo, [id])
    server.clock.now = START + 7 * DAY - 60_000
    const almost = await claim(demo, [id])
    const detail = await demo.get(`/mini/pool/customer/detail?id=${id}`)
    server.clock.now = START + 7 * DAY
    const late = await claim(demo, [id])

    expect(early.meta).toMatchObject({
      code: 422,
      error: { type: 'CLAIM_COOLDOWN' },
      message: '3月23日 10:00 后可领取',
    })
    expect(almost.meta.code).toBe(422)
    expect(detail.data.claimableAt).toBe('2026-03-23 10:00:00')
    expect(late.data.ok).toEqual([id])
  })

  it('stops at the cap, deals not counted; a user’s own cap comes before the pool’s (DOMAIN 8.8 no. 4)', async () => {
    await forgetClaims()
    const seller = await server.as('fengqi')
    const [first, second] = [await inPool({}, manager), await inPool({}, manager)]
    const own = await seller.post('/mini/customer/create', { name: aName() })
    await settings({ holding_cap: 50, holding_cap_by_user: { 'u-fengqi': 1 } })

    const full = await claim(seller, [first])
    await manager.get('/mini/customer/list')
    await run((trx) => sql`update customer set deal_status = 1 where id = ${own.data.id}`.execute(trx))
    const room = await claim(seller, [first])
    const again = await claim(seller, [second])

    expect(full.meta).toMatchObject({ code: 422, message: '持有客户已达上限（1），可先退回或成交' })
    expect(room.meta.code).toBe(200)
    expect(again.meta.error?.type).toBe('HOLDING_CAP')
    await settings({ holding_cap: null, holding_cap_by_user: null })
  })

  it('names the pools of a claim that says none', async () => {
    const answer = await demo.post('/mini/pool/customer/claim', { ids: ['x'] })
    const { list } = (await demo.get('/mini/pool/list?entity=customer')).data
    const named = list.map(({ id, name }: JsonObject) => `${name}（${id}）`).join('、')

    expect(answer.meta).toMatchObject({
      code: 400,
      error: { type: 'VALIDATION', fields: { poolId: `请用 poolId 指明公海：${named}` } },
    })
  })

  it('returns 405 to users outside the pool, and does not find records of other pools or owners', async () => {
    await run((trx) =>
      sql`update pool set member_all = false, member_user_ids = '{u-demo}' where id = ${POOL}`.execute(trx),
    )
    const mine = await demo.post('/mini/customer/create', { name: aName() })
    await forgetClaims()

    const stranger = await claim(colleague, [mine.data.id])
    const owned = await claim(demo, [mine.data.id])

    expect(stranger.meta).toMatchObject({ code: 405, message: '您不是该公海成员' })
    expect(owned.meta.code).toBe(404)
    await run((trx) => sql`update pool set member_all = true where id = ${POOL}`.execute(trx))
  })

  it('answers for each record separately in a batch', async () => {
    await forgetClaims()
    const [free, lost] = [await inPool({}, manager), await inPool({}, manager)]
    await claim(colleague, [lost])

    const answer = await claim(demo, [free, lost])

    expect(answer.data.ok).toEqual([free])
    expect(answer.data.failed).toMatchObject([{ id: lost, code: 409, type: 'ALREADY_CLAIMED' }])
  })
})

describe('the contents of a pool', () => {
  const SECRET = {
    mobile: '13900112233',
    telephone: '0755-86543210',
    wechat: 'secret_wx',
    email: 'who@secret.cn',
  }

  it('never show contact data before the claim, and show it afterwards (DOMAIN 8.8 no. 8)', async () => {
    await forgetClaims()
    const made = await manager.post('/mini/customer/create', {
      name: aName(),
      ...SECRET,
      remark: '老板直线13900112233',
      contacts: [{ name: '钱无双', mobile: '13900445566' }],
    })
    const id = made.data.id
    await manager.post('/mini/follow/create', {
      target_type: 'customer',
      target_id: id,
      method: 'call',
      content: '打了13900445566没接，邮箱who@secret.cn',
      contact_ids: [made.data.record.primary_contact_id],
    })
    await manager.post('/mini/customer/update', { id, version: made.data.version, mobile: '13900778899' })
    await manager.post('/mini/customer/release', { ids: [id], reason: 'no_need' })
    const name = made.data.record.name
    const looks = async () => [
      await demo.post('/mini/pool/customer/list', { poolId: POOL, keyword: name }),
      await demo.get(`/mini/pool/customer/detail?id=${id}`),
      await demo.get(`/mini/customer/detail?id=${id}`),
      await demo.get(`/mini/customer/timeline?id=${id}`),
      await demo.get(`/mini/customer/log?id=${id}`),
      await demo.get(`/mini/customer/owner-record?id=${id}`),
      await demo.post('/mini/follow/list', { targetType: 'customer', targetId: id }),
      await demo.get(`/mini/contact/list?customerId=${id}`),
      await demo.post('/mini/contact/list', { filters: [{ field: 'customer_id', op: 'eq', value: id }] }),
      await demo.get(`/mini/search/global?keyword=${encodeURIComponent(name)}`),
      await demo.get('/mini/search/global?keyword=13900778899'),
      await demo.post('/mini/duplicate/check', { entity: 'customer', name, mobile: '13900778899' }),
      await demo.get(`/mini/customer/options?ids=${id}`),
      await demo.get(`/mini/contact/detail?id=${made.data.record.primary_contact_id}`),
      await demo.get(`/mini/contact/vcard?id=${made.data.record.primary_contact_id}`),
    ]
    const secrets = [...Object.values(SECRET), '13900445566', '钱无双', '13900778899']

    const before = await looks()
    const probe = await demo.get('/mini/search/global?keyword=0077')
    const filter = await demo.post('/mini/customer/list', {
      tab: 'all',
      filters: [{ field: 'mobile', op: 'contains', value: '0077' }],
    })
    const revealed = await demo.post('/mini/customer/reveal', { id, field: 'mobile' })
    await claim(demo, [id])
    const after = await demo.get(`/mini/customer/detail?id=${id}`)

    for (const [index, look] of before.entries()) {
      const body = look.body.replaceAll('"highlight":"13900778899"', '')
      for (const secret of secrets) expect(body, `${index} ${secret}`).not.toContain(secret)
    }
    expect(before[0]?.data.list[0]).toMatchObject({
      id,
      mobile: '139****8899',
      contact_mobile: '139****5566',
      contacts_count: 1,
    })
    expect(before[1]?.data.record.mobile).toBe('139****8899')
    expect(before[1]?.data.mask).toContain('mobile')
    expect(before[6]?.data.list[0].content).toContain('139****5566')
    expect(before[8]?.data.list).toEqual([])
    expect(probe.body).not.toContain(id)
    expect(filter.data.list).toEqual([])
    expect(revealed.meta.code).toBe(405)
    expect(after.data.record.mobile).toBe('13900778899')
    expect(after.data.mask).toEqual([])
  })

  /** A follow-up with a number, commented, on a customer that demo released after it. */
  async function followedInPool(): Promise<{ readonly customer: string; readonly id: string }> {
    const made = await demo.post('/mini/customer/create', { name: aName() })
    const customer = made.data.id
    const said = '联系13877665544，邮箱secretmail@hidden.cn'
    const { id } = (
      await demo.post('/mini/follow/create', {
        target_type: 'customer',
        target_id: customer,
        method: 'call',
        content: `沟通顺利，${said}`,
        next_plan: `再打13877665544`,
      })
    ).data
    await manager.post('/mini/follow/comment', { id, content: `点评：${said}` })
    await demo.post('/mini/customer/release', { ids: [customer], reason: 'no_need' })
    return { customer, id }
  }

  it('show no number in their follow-ups, wherever these stand', async () => {
    const { id } = await followedInPool()
    const director = await server.as('director')
    const team = { period: 'today', scope: 'team' }
    const asked = [
      { key: 'new_customer_follow', ...team },
      { dimension: 'method', value: 'call', ...team },
      { dimension: 'rank', metric: 'follow_count', by: 'user', value: 'u-demo', period: 'today' },
    ]
    const behind = await Promise.all(asked.map((body) => director.post('/mini/stats/detail', body)))
    const detail = await director.get(`/mini/follow/detail?id=${id}`)
    const report = await demo.get('/mini/stats/report?period=week')
    const looks = [...behind, detail, await director.post('/mini/follow/list', {}), report]

    for (const { data } of behind)
      expect(data.list.find((row: JsonObject) => row.id === id).sub).toContain('沟通顺利，联系138****5544')
    expect(detail.data.comments[0].content).toBe('点评：联系138****5544，邮***')
    expect(report.body).toContain('沟通顺利，联系138****5544')
    for (const [index, look] of looks.entries())
      expect(look.body, `${index}`).not.toMatch(/13877665544|secretmail/)
  })

  it('are not found by a number in their follow-ups', async () => {
    const enabled = { name: 'follow', fields: [{ name: 'next_plan', filter: true }] }
    expect((await admin.post('/engine/web/module/save', { description: enabled })).meta.code).toBe(200)
    const { customer, id } = await followedInPool()
    const finds = async (who: Client, body: JsonObject) => {
      const { meta, data } = await who.post('/mini/follow/list', { limit: 100, ...body })
      expect([body, meta.code]).toEqual([body, 200])
      return data.list.some((row: JsonObject) => row.id === id)
    }
    const contains = (field: string, value: string) => ({ filters: [{ field, op: 'contains', value }] })
    const told = [
      ...['1387', '776655', '13877665544', 'secretmail', 'hidden.cn'].flatMap((value) => [
        { keyword: value },
        contains('content', value),
        { targetType: 'customer', targetId: customer, keyword: value },
      ]),
      contains('next_plan', '776655'),
      { filters: [{ field: 'content', op: 'startsWith', value: '沟通顺利，联系1387' }] },
    ]
    const shown = [{ keyword: '通顺利' }, contains('content', '通顺利'), contains('next_plan', '再打')]
    const ofDirector = await server.as('director')

    for (const who of [demo, ofDirector]) {
      for (const body of told) expect([body, await finds(who, body)]).toEqual([body, false])
      for (const body of shown) expect([body, await finds(who, body)]).toEqual([body, true])
    }
    await forgetClaims()
    await claim(ofDirector, [customer])
    for (const body of [...told, ...shown])
      expect([body, await finds(ofDirector, body)]).toEqual([body, true])
  })

  it('find an opportunity by the region of its customer', async () => {
    const region = ['530000', '530100', '530102']
    const at = async (more: object): Promise<string> => {
      const customer = await manager.post('/mini/customer/create', { name: aName(), ...more })
      const given = { customer_id: customer.data.id, name: aName(), amount: 5, expected_date: '2026-12-31' }
      const { id } = (await manager.post('/mini/bussiness/create', given)).data
      await manager.post('/mini/bussiness/release', { ids: [id], reason: 'other' })
      return id
    }
    const [there] = [await at({ region }), await at({})]
    const found = async (more: object = {}) => {
      const filters = [{ field: 'region', op: 'contains', value: region.slice(0, 2) }]
      const body = { poolId: 'xinghai-pool-bussiness', filters, withTotal: true, ...more }
      const { data } = await demo.post('/mini/pool/bussiness/list', body)
      return [data.list.map(({ id, city_name }: Record<string, string>) => [id, city_name]), data.total]
    }

    expect(await found()).toEqual([[[there, '昆明市']], 1])
    expect(await found({ sort: [{ field: 'name', dir: 'asc' }] })).toEqual([[[there, '昆明市']], 1])
  })

  it.each([
    [
      'lead',
      {
        contact_name: '郝保密',
        mobile: '13955660001',
        wechat: 'lead_secret',
        source: 'website',
        demand: '回电13955660002',
      },
      /1395566000\d|郝保密|lead_secret/,
    ],
    ['bussiness', { amount: 918_273, expected_date: '2026-12-31' }, /918,?273/],
  ])(
    'of a %s reveal no masked value, by whichever call (DOMAIN 8.8 no. 8)',
    async (entity, given, secret) => {
      const pool = `xinghai-pool-${entity}`
      const name = aName()
      const customerId = (await manager.post('/mini/customer/create', { name: aName() })).data.id
      const of = entity === 'bussiness' ? { customer_id: customerId } : {}
      const { id } = (await manager.post(`/mini/${entity}/create`, { name, ...given, ...of })).data
      const own = await manager.get(`/mini/${entity}/detail?id=${id}`)
      await manager.post(`/mini/${entity}/release`, { ids: [id], reason: 'other' })

      const looks = [
        await demo.post(`/mini/pool/${entity}/list`, { poolId: pool, keyword: name }),
        await demo.get(`/mini/pool/${entity}/detail?id=${id}`),
        ...(await Promise.all(
          ['detail', 'timeline', 'log', 'owner-record'].map((what) =>
            demo.get(`/mini/${entity}/${what}?id=${id}`),
          ),
        )),
        await demo.post(`/mini/${entity}/list`, { keyword: name }),
        await demo.get(`/mini/${entity}/options?ids=${id}`),
        await demo.get(`/mini/search/global?keyword=${encodeURIComponent(name)}`),
        await demo.post('/mini/duplicate/check', { entity: 'lead', name, mobile: '13955660009' }),
        await demo.post(`/mini/${entity}/reveal`, { id, field: 'mobile' }),
        await demo.post('/mini/follow/list', { targetType: entity, targetId: id }),
      ]

      expect(own.body).toMatch(secret)
      expect(looks[0]?.data.list[0]).toMatchObject({ id })
      for (const [index, look] of looks.entries()) expect(look.body, `${index}`).not.toMatch(secret)
    },
  )

  it('have a header, tabs, and the time from which the caller may claim', async () => {
    await forgetClaims()
    const id = await inPool()

    const page = await demo.post('/mini/pool/customer/list', {
      poolId: POOL,
      tab: 'returned',
      withTabs: true,
    })
    const colleagues = await colleague.post('/mini/pool/customer/list', { poolId: POOL, tab: 'returned' })

    expect(page.data.list[0]).toMatchObject({
      id,
      pool_reason: 'no_need',
      pool_times: 1,
      prev_owner_name: '李明轩',
      claimable_at: '2026-03-23 10:00:00',
      actions: ['claim'],
    })
    expect(page.data.quota).toEqual({ claimed: 0, limit: 10 })
    expect(page.data.holding.cap).toBe(200)
    expect(Object.keys(page.data.tabs)).toEqual(['all', 'today', 'never_followed', 'returned', 'high'])
    expect(colleagues.data.list).toEqual([])
  })

  it.each([
    ['customer', {}],
    ['lead', { mobile: '13955660029', source: 'website' }],
    ['bussiness', { amount: 1_000, expected_date: '2026-12-31' }],
  ])(
    'of a %s count a record as put back by the one who did it, not by whom it was taken from',
    async (entity, given) => {
      const customerId = (await demo.post('/mini/customer/create', { name: aName() })).data.id
      const of = entity === 'bussiness' ? { customer_id: customerId } : {}
      const name = aName()
      const { id } = (await demo.post(`/mini/${entity}/create`, { name, ...given, ...of })).data
      const released = await manager.post(`/mini/${entity}/release`, { ids: [id], reason: 'other' })
      const asked = { poolId: `xinghai-pool-${entity}`, tab: 'returned', keyword: name }
      const returnedBy = async (client: Client) =>
        (await client.post(`/mini/pool/${entity}/list`, asked)).data.list.map((row: { id: string }) => row.id)

      expect(released.data.ok).toEqual([id])
      expect(await returnedBy(manager)).toEqual([id])
      expect(await returnedBy(demo)).toEqual([])
    },
  )

  it('cannot be edited by any user, not even a former collaborator', async () => {
    const made = await demo.post('/mini/customer/create', { name: aName() })
    await demo.post('/mini/customer/team/save', {
      id: made.data.id,
      members: [{ userId: 'u-zhaolei', level: 'write' }],
    })
    await demo.post('/mini/customer/release', { ids: [made.data.id], reason: 'no_need' })

    const edit = await colleague.post('/mini/customer/update', { id: made.data.id, version: 2, remark: 'x' })
    const follow = await colleague.post('/mini/follow/create', {
      target_type: 'customer',
      target_id: made.data.id,
      method: 'call',
      content: '越权跟进',
    })

    expect(edit.meta).toMatchObject({ code: 405, message: '记录已在公海中' })
    expect(edit.data).toEqual({ url: `/pages/customer/pool/detail?id=${made.data.id}` })
    expect(follow.meta).toMatchObject({ code: 405, message: '记录已在公海中' })
    expect(follow.data).toEqual(edit.data)
  })

  it('and those that went to a colleague or are deleted say so to whoever had them, and to nobody else', async () => {
    const [given, deleted] = [
      await demo.post('/mini/customer/create', { name: aName() }),
      await demo.post('/mini/customer/create', { name: aName() }),
    ]
    await demo.post('/mini/customer/transfer', { ids: [given.data.id], toUserId: 'u-zhaolei' })
    await manager.post('/mini/customer/delete', { ids: [deleted.data.id] })
    const told = async (client: Client, id: string) => {
      const answers = [
        await client.get(`/mini/customer/detail?id=${id}`),
        await client.post('/mini/customer/update', { id, version: 2, remark: 'x' }),
        await client.post('/mini/follow/create', {
          target_type: 'customer',
          target_id: id,
          method: 'call',
          content: '谈了报价',
        }),
      ]
      return [...new Set(answers.map(({ meta }) => `${meta.code} ${meta.message}`))]
    }

    expect(await told(demo, given.data.id)).toEqual(['404 该客户已转给赵磊'])
    expect(await told(demo, deleted.data.id)).toEqual(['404 该客户已被删除'])
    expect(await told(colleague, deleted.data.id)).toEqual(['404 记录不存在或无权查看'])
  })
})

describe('a customer that was merged while somebody was offline', () => {
  const edit = (client: Client, id: string) =>
    client.post('/mini/customer/update', { id, version: 1, remark: '预算三十万' })
  const follow = (client: Client, id: string) =>
    client.post('/mini/follow/create', {
      target_type: 'customer',
      target_id: id,
      method: 'call',
      content: '谈了报价',
    })
  async function merged(master: Client): Promise<readonly [old: string, kept: string, name: string]> {
    const name = aName()
    const kept = await master.post('/mini/customer/create', { name })
    const old = await demo.post('/mini/customer/create', { name: aName() })
    const answer = await manager.post('/mini/customer/merge', { masterId: kept.data.id, ids: [old.data.id] })
    expect(answer.meta.message).toBe('')
    return [old.data.id, kept.data.id, name]
  }

  it('receives the follow-ups written before', async () => {
    const [old, kept] = await merged(demo)

    const { meta, data } = await follow(demo, old)

    expect(meta.message).toBe('')
    const stored = await demo.get(`/mini/follow/detail?id=${data.id}`)
    expect(stored.data.record).toMatchObject({ customer_id: kept })
  })

  it('refuses an edit with its name and the way there, and to nobody else', async () => {
    const [old, kept, name] = await merged(demo)

    const refused = await edit(demo, old)

    expect(refused.meta).toMatchObject({ code: 404, message: `该客户已并入「${name}」` })
    expect(refused.data).toEqual({ url: `/pages/customer/my/detail?id=${kept}` })
    expect((await edit(colleague, old)).meta.message).toBe('记录不存在或无权查看')
    await manager.post('/mini/customer/delete', { ids: [kept] })
    expect((await edit(demo, old)).meta.message).toBe('该客户已与另一个客户合并')
  })
})

describe('releasing', () => {
  it.each([
    ['a locked customer', (id: string) => demo.post('/mini/customer/lock', { ids: [id] }), 'LOCKED'],
    [
      'a deal',
      (id: string) => demo.post('/mini/customer/deal', { ids: [id], dealStatus: 1 }),
      'STATE_CONFLICT',
    ],
  ])('refuses %s', async (_, prepare, type) => {
    const made = await demo.post('/mini/customer/create', { name: aName() })
    await prepare(made.data.id)

    const answer = await demo.post('/mini/customer/release', { ids: [made.data.id], reason: 'no_need' })

    expect(answer.data.failed).toMatchObject([{ id: made.data.id, type }])
  })

  it('needs a known reason, and refuses other users’ customers', async () => {
    const made = await demo.post('/mini/customer/create', { name: aName() })

    const without = await demo.post('/mini/customer/release', { ids: [made.data.id] })
    const unknown = await demo.post('/mini/customer/release', { ids: [made.data.id], reason: 'because' })
    const stranger = await colleague.post('/mini/customer/release', { ids: [made.data.id], reason: 'other' })

    expect(without.meta.error?.fields).toHaveProperty('reason')
    expect(unknown.meta.code).toBe(400)
    expect(stranger.data.failed).toMatchObject([{ code: 404 }])
  })
})

describe('assigning', () => {
  it('distributes records to several users in turn, without quota or cool-down, within their caps', async () => {
    const ids = [await inPool(), await inPool(), await inPool(), await inPool()].sort()

    const answer = await manager.post('/mini/pool/customer/assign', {
      ids,
      toUserIds: ['u-demo', 'u-zhaolei'],
      mode: 'roundRobin',
    })

    expect([...answer.data.ok].sort()).toEqual(ids)
    const owners = await Promise.all(
      ids.map(async (id) => (await manager.get(`/mini/customer/detail?id=${id}`)).data.record.owner_id),
    )
    expect(owners).toEqual(['u-demo', 'u-zhaolei', 'u-demo', 'u-zhaolei'])
  })

  it('is refused to users without the right, and for users outside the tenant', async () => {
    const id = await inPool()

    const seller = await demo.post('/mini/pool/customer/assign', { ids: [id], toUserIds: ['u-zhaolei'] })
    const foreign = await manager.post('/mini/pool/customer/assign', { ids: [id], toUserIds: ['u-xuli'] })
    const nobody = await manager.post('/mini/pool/customer/assign', { ids: [id], toUserIds: [] })

    expect([seller.meta.code, foreign.meta.code, nobody.meta.code]).toEqual([405, 404, 400])
  })
})

describe('the recycling job', () => {
  it('returns records without a timely follow-up, records the reason, and notifies the owner once', async () => {
    await forgetClaims()
    const id = await inPool({}, manager)
    await claim(colleague, [id])

    server.clock.now = START + 3 * DAY - 1000
    await recycle(server.database, server.clock.now)
    const before = await colleague.get(`/mini/customer/detail?id=${id}`)
    server.clock.now = START + 3 * DAY
    await recycle(server.database, server.clock.now)
    const history = await manager.get(`/mini/customer/owner-record?id=${id}`)
    const detail = await colleague.get(`/mini/pool/customer/detail?id=${id}`)

    expect(before.data.record).toMatchObject({ owner_id: 'u-zhaolei', left_days: 1 })
    expect(detail.data.record).toMatchObject({ owner_id: null, pool_reason: 'follow_overdue' })
    expect(history.data[0]).toMatchObject({ kind: 'recycle', title: '系统回收到公海', user_name: null })
    expect(history.data[0].text).toContain('超期未跟进')
  })

  it('exempts followed and locked records and deals', async () => {
    const [followed, locked, deal] = await Promise.all(
      [1, 2, 3].map(
        async () => (await demo.post('/mini/customer/create', { name: aName() })).data.id as string,
      ),
    )
    await demo.post('/mini/customer/lock', { ids: [locked ?? ''] })
    await demo.post('/mini/customer/deal', { ids: [deal ?? ''], dealStatus: 1 })
    server.clock.now = START + 14 * DAY
    await demo.post('/mini/follow/create', {
      target_type: 'customer',
      target_id: followed ?? '',
      method: 'call',
      content: '还在谈',
    })

    server.clock.now = START + 20 * DAY
    await recycle(server.database, server.clock.now)

    for (const id of [followed, locked, deal])
      expect((await demo.get(`/mini/customer/detail?id=${id}`)).data.record.owner_id).toBe('u-demo')
  })

  it('ends an expired lock, and returns the customer afterwards', async () => {
    const made = await demo.post('/mini/customer/create', { name: aName() })
    await demo.post('/mini/customer/lock', { ids: [made.data.id], until: '2026-04-10 10:00:00' })

    server.clock.now = START + 20 * DAY
    await recycle(server.database, server.clock.now)
    const held = await demo.get(`/mini/customer/detail?id=${made.data.id}`)
    server.clock.now = START + 26 * DAY
    await recycle(server.database, server.clock.now)
    const gone = await demo.get(`/mini/customer/detail?id=${made.data.id}`)

    expect(held.data.record.owner_id).toBe('u-demo')
    expect(gone.data.record.owner_id).toBeNull()
  })

  it('returns no record before remind_days have passed since a rule was enabled (DOMAIN 8.8 no. 14)', async () => {
    await settings({ recycle_no_follow_days: { default: 0 }, recycle_no_deal_days: 0 })
    const made = await demo.post('/mini/customer/create', { name: aName() })
    const owner = async () =>
      (await demo.get(`/mini/customer/detail?id=${made.data.id}`)).data.record.owner_id
    server.clock.now = START + 100 * DAY
    await recycle(server.database, server.clock.now)
    const whileOff = await owner()

    const saved = await settings({ recycle_no_follow_days: { default: 15 }, remind_days: 3 })
    const owners = []
    for (const passed of [0, 1, 2.99, 3]) {
      server.clock.now = START + (100 + passed) * DAY
      await recycle(server.database, server.clock.now)
      owners.push(await owner())
    }

    expect(saved.data.graceUntil).toBe('2026-06-27 10:00:00')
    expect(whileOff).toBe('u-demo')
    expect(owners).toEqual(['u-demo', 'u-demo', 'u-demo', null])
    await settings({ recycle_no_follow_days: null, recycle_no_deal_days: null, remind_days: null })
    await run((trx) => sql`update pool set grace_until = null, rules_changed_at = null`.execute(trx))
  })

  it('returns each record once if two servers run at the same time', async () => {
    const made = await Promise.all(
      Array.from({ length: 4 }, () => demo.post('/mini/customer/create', { name: aName() })),
    )
    server.clock.now = START + 16 * DAY

    await Promise.all([
      recycle(server.database, server.clock.now),
      recycle(server.database, server.clock.now),
    ])

    const ids = made.map((answer) => answer.data.id)
    const { rows } = await run((trx) =>
      sql<{ n: number }>`select count(*) as n from owner_record where kind = 'recycle'
        and record_id = any(${ids}::text[])`.execute(trx),
    )
    expect(rows[0]?.n).toBe(4)
  })
})

describe('settings', () => {
  it.each([
    [{ holding_cap: -1 }],
    [{ holding_cap: 'many' }],
    [{ no_such: 1 }],
    [{ masked_fields: 'mobile' }],
    [{ recycle_no_follow_days: { A: 'x' } }],
  ])('refuses %j', async (given) => {
    const answer = await settings(given)

    expect(answer.meta.code).toBe(400)
  })

  it('can only be changed by administrators', async () => {
    const read = await demo.get(`/mini/pool/setting?id=${POOL}`)
    const written = await demo.post('/mini/pool/setting', { id: POOL, settings: { holding_cap: 1 } })
    const foreign = await (await server.as('yfadmin')).get(`/mini/pool/setting?id=${POOL}`)

    expect([read.meta.code, written.meta.code, foreign.meta.code]).toEqual([405, 405, 404])
  })
})
