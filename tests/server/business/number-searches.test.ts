import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let demo: Client
beforeAll(async () => {
  server = await openTestApp()
  demo = await server.as('demo')
})
afterAll(() => server.close())

const DAY_MS = 86_400_000
const numberOf = (n: number) => `139${String(n).padStart(8, '0')}`
const noted = () =>
  server.database.system(async (trx) => {
    const { rows } = await sql<{ detail: string }>`select detail::text as detail from audit_log
      where user_id = 'u-demo' and action = 'search:number'`.execute(trx)
    return rows.map((row) => row.detail)
  })

it('a search for a complete number is logged once a day, without the number', async () => {
  const number = '13912340001'

  for (const keyword of [number, '139 1234 0001', number]) await demo.post('/mini/customer/list', { keyword })
  await demo.get(`/mini/search/global?keyword=${number}`)
  await demo.post('/mini/duplicate/check', { entity: 'customer', mobile: number })
  await demo.post('/mini/customer/list', { keyword: '1391' })

  const details = await noted()
  expect(details).toHaveLength(1)
  expect(details[0]).toContain('139****0001')
  expect(details[0]).not.toContain(number)
})

it('a user cannot try all endings of a masked number: all calls together allow two hundred a day', async () => {
  const codes: number[] = []
  for (let n = 0; n < 205; n++) {
    const number = numberOf(n)
    const calls = [
      () => demo.post('/mini/customer/list', { keyword: number }),
      () => demo.get(`/mini/lead/options?keyword=${number}`),
      () => demo.post('/mini/duplicate/check', { entity: 'lead', telephone: number }),
    ]
    codes.push((await calls[n % 3]?.())?.meta.code ?? 0)
  }
  const known = await demo.post('/mini/customer/list', { keyword: numberOf(0) })
  const name = await demo.post('/mini/customer/list', { keyword: '科技' })
  server.clock.now += DAY_MS
  const nextDay = await (await server.as('demo')).post('/mini/customer/list', { keyword: numberOf(300) })

  expect(codes.filter((code) => code === 200)).toHaveLength(199)
  expect(codes.at(-1)).toBe(429)
  expect([known.meta.code, name.meta.code, nextDay.meta.code]).toEqual([200, 200, 200])
})

it('parts of a masked number find neither its customer nor its records', async () => {
  const contract = {
    type: 'direct',
    amount: 10,
    sign_date: '2026-03-10',
    plans: [{ plan_amount: 10, plan_date: '2026-04-01' }],
  }
  const seller = await server.as('demo')
  const customer = await seller.post('/mini/customer/create', { name: '号码客户', mobile: '13977778888' })
  await seller.post('/mini/contract/create', { ...contract, name: '号码合同', customer_id: customer.data.id })
  const observer = await server.as(await observerOf())

  const found = async (client: Client, kind: string, keyword: string) =>
    (await client.post(`/mini/${kind}/list`, { keyword })).data.list.length

  expect(await found(seller, 'contract', '97777')).toBe(1)
  expect(await found(observer, 'contract', '号码')).toBe(1)
  expect(await found(observer, 'contract', '97777')).toBe(0)
  expect(await found(observer, 'plan', '97777')).toBe(0)
  expect(await found(observer, 'payment', '97777')).toBe(0)
})

/** A person who sees the whole company with masked phones. */
async function observerOf(): Promise<string> {
  const { rows } = await server.database.system((trx) =>
    sql<{
      account: string
    }>`update role_assignment a set role_id = (select id from role where tenant_id = 'xinghai' and code = 'observer')
      from app_user u where a.tenant_id = 'xinghai' and a.user_id = 'u-director' and u.id = a.user_id returning u.account`.execute(
      trx,
    ),
  )
  return rows[0]?.account ?? ''
}
