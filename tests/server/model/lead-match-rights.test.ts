import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { type Deals, openDeals, right } from '../business5/deals.ts'
import { FULL_LEAD } from '../full-records.ts'
import type { Client } from '../support.ts'

/** What is held back from a role is not in the proposal of a conversion, and is carried all the same. */
let deals: Deals
let made = 0
const TEXT = { name: 'secret', kind: 'text', label: '内情' }
beforeAll(async () => {
  deals = await openDeals()
  for (const module of ['lead', 'customer', 'contact', 'bussiness'])
    right(await deals.admin.post('/engine/web/field/save', { module, field: TEXT }))
})
afterAll(() => deals.server.close())

/** The director, who has all permissions, with these field rights. */
async function keep(rights: JsonObject): Promise<Client> {
  await deals.server.database.system((trx) =>
    sql`update role set field_rights = ${JSON.stringify(rights)}::jsonb, permissions = '["*"]',
        scopes = '{"default":"all"}' where tenant_id = 'xinghai' and code = 'sales_director'`.execute(trx),
  )
  return deals.server.as('director')
}

async function aLead() {
  made += 1
  const values = {
    ...FULL_LEAD,
    name: `要转化的线索${made}`,
    company: `要转化的有限公司${made}`,
    mobile: `1391234${String(5600 + made)}`,
    telephone: `0755-8601${String(5600 + made)}`,
    ext: { secret: `内情${made}` },
  }
  return { id: right(await deals.demo.post('/mini/lead/create', values)).id as string, values }
}
const recordOf = async (module: string, id: string) =>
  right(await deals.admin.get(`/mini/${module}/detail?id=${id}`)).record

/** Fields that are copied, with what the answer must not contain. */
const COPIED = {
  company: 'company',
  contact_name: 'contact_name',
  mobile: 'mobile',
  telephone: 'telephone',
  wechat: 'wechat',
  email: 'email',
  position: 'position',
  source: 'source',
  industry: 'industry',
  scale: 'scale',
  region: 'region',
  address: 'address',
  remark: 'remark',
  budget: 'budget',
  expected_date: 'expected_date',
  demand: 'demand',
} as const

describe.each(['hidden', 'masked'])('fields of a lead that are %s', (kept) => {
  it('are not proposed, and are carried by the conversion, as it was proposed or by default', async () => {
    for (const isPosted of [true, false]) {
      const { id, values } = await aLead()
      const who = await keep({
        lead: Object.fromEntries([...Object.keys(COPIED), 'ext.secret'].map((name) => [name, kept])),
      })
      const { proposal } = right(await who.post('/mini/lead/match', { id }))
      for (const name of [...Object.values(COPIED), 'ext'] as const) {
        const value = name === 'ext' ? values.ext.secret : values[name]
        expect([name, JSON.stringify(proposal).includes(JSON.stringify(value))]).toEqual([name, false])
      }
      const done = right(
        await who.post('/mini/lead/convert', {
          id,
          customer: { mode: 'create', ...(isPosted ? { fields: proposal.customer } : {}) },
          contact: { mode: 'create', ...(isPosted ? { fields: proposal.contact ?? {} } : {}) },
          bussiness: isPosted ? proposal.bussiness : {},
        }),
      )
      const { contact_name, position, company, budget, expected_date, ext, mobile, wechat, region } = values
      const customer = await recordOf('customer', done.customerId)
      expect(customer).toMatchObject({ name: company, mobile, wechat, region, ext })
      expect(customer.remark).toBe(values.remark)
      expect(await recordOf('contact', done.contactId)).toMatchObject({
        name: contact_name,
        position,
        mobile,
        ext,
      })
      const sale = await recordOf('bussiness', done.bussinessId)
      expect(sale).toMatchObject({ amount: budget, expected_date, ext })
    }
  })

  it('are not judged by the rights to the records that are made; what the user enters is', async () => {
    const { id, values } = await aLead()
    const fields = { mobile: kept, 'ext.secret': kept, address: kept }
    const who = await keep({ lead: { mobile: kept }, customer: fields, contact: { mobile: kept } })
    const body = { id, contact: { mode: 'create' } }
    const own = await who.post('/mini/lead/convert', {
      ...body,
      customer: { mode: 'create', fields: { mobile: '13912340000' } },
    })
    expect([own.meta.code, Object.keys(own.meta.error?.fields ?? {})]).toEqual([405, ['mobile']])
    const guessed = await who.post('/mini/lead/convert', {
      ...body,
      customer: { mode: 'create', fields: { mobile: values.mobile } },
    })
    expect(guessed.meta.code).toBe(405)

    const done = right(await who.post('/mini/lead/convert', { ...body, customer: { mode: 'create' } }))

    const { mobile, address, ext } = values
    expect(await recordOf('customer', done.customerId)).toMatchObject({ mobile, address, ext })
    expect(await recordOf('contact', done.contactId)).toMatchObject({ mobile })
  })
})
