import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { contractInEffect, type Deals, openDeals, right } from '../business5/deals.ts'
import { finished, readSheetOf } from '../sheets/finished-job.ts'
import type { Client } from '../support.ts'

/** The plans of a contract sum up to its amount: who does not see it sees none of theirs. */
let deals: Deals
let contract = ''
let plan = ''
beforeAll(async () => {
  deals = await openDeals()
  contract = await contractInEffect(deals)
  const body = { contract_id: contract, plan_amount: 4699, plan_date: '2026-05-01', remark: '第一期' }
  plan = right(await deals.demo.post('/mini/plan/create', body)).id
})
afterAll(() => deals.server.close())

async function keep(rights: JsonObject): Promise<Client> {
  await deals.server.database.system((trx) =>
    sql`update role set field_rights = ${JSON.stringify(rights)}::jsonb, permissions = '["*"]',
        scopes = '{"default":"all"}' where tenant_id = 'xinghai' and code = 'sales_director'`.execute(trx),
  )
  return deals.server.as('director')
}
const body = (plan_amount: number) => ({ contract_id: contract, plan_amount, plan_date: '2026-06-01' })

it.each(['hidden', 'masked'])('amounts of plans are not shown with the contract’s: %s', async (kept) => {
  const who = await keep({ contract: { amount: kept } })

  const list = await who.post('/mini/plan/list', { limit: 50 })
  const detail = await who.get(`/mini/plan/detail?id=${plan}`)
  const ofContract = await who.get(`/mini/contract/detail?id=${contract}`)
  for (const answer of [list, detail, ofContract]) {
    right(answer)
    expect(answer.body).not.toMatch(/4699|4,699/)
  }
  expect(list.body).toContain(plan)
  const filters = [{ field: 'plan_amount', op: 'gt', value: 4000 }]
  expect((await who.post('/mini/plan/list', { filters })).meta.code).toBe(400)
  const sort = [{ field: 'plan_amount', dir: 'asc' }]
  expect((await who.post('/mini/plan/list', { sort })).meta.code).toBe(400)
  const [titles = []] = await readSheetOf(
    deals.server,
    (await finished(who, await who.post('/mini/plan/export', {}))).fileUrl,
  )
  expect(titles.length).toBeGreaterThan(2)
  if (kept === 'hidden') expect(titles).not.toContain('计划金额')

  const tried = await who.post('/mini/plan/create', body(100_000_000))
  expect(tried.meta.code).toBe(405)
  expect(tried.body).not.toMatch(/合计/)
})

it('are shown and written by who sees the contract’s amount and may not change it, and payments stay', async () => {
  const who = await keep({ contract: { amount: 'read' } })
  const { id } = right(await who.post('/mini/plan/create', body(12)))
  expect(right(await who.get(`/mini/plan/detail?id=${id}`)).record.plan_amount).toBe(12)

  const other = await keep({ contract: { amount: 'hidden' } })
  right(await other.post('/mini/payment/list', { filters: [{ field: 'amount', op: 'gt', value: 0 }] }))
  expect(right(await other.get(`/mini/plan/detail?id=${id}`)).record.received_amount).toBe(0)
})
