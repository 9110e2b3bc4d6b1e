import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { type Deals, openDeals, right } from '../business5/deals.ts'
import { FULL_CUSTOMER } from '../full-records.ts'
import type { Client } from '../support.ts'

/** A merge fills empty fields of the master by itself: only what the user takes or enters is judged by field rights. */
let deals: Deals
let made = 0
beforeAll(async () => {
  deals = await openDeals()
  const field = { name: 'secret', kind: 'text', label: '内情' }
  right(await deals.admin.post('/engine/web/field/save', { module: 'customer', field }))
})
afterAll(() => deals.server.close())

async function keep(right: string): Promise<Client> {
  const names = ['email', 'website', 'level', 'address', 'ext.secret']
  const rights = { customer: Object.fromEntries(names.map((name) => [name, right])) }
  await deals.server.database.system((trx) =>
    sql`update role set field_rights = ${JSON.stringify(rights)}::jsonb, permissions = '["*"]',
        scopes = '{"default":"all"}' where tenant_id = 'xinghai' and code = 'sales_director'`.execute(trx),
  )
  return deals.server.as('director')
}

async function aPair() {
  made += 1
  const { demo } = deals
  const { mobile: _, credit_code: __, ...full } = FULL_CUSTOMER as JsonObject
  const ext = { secret: `内情${made}` }
  const theirs = {
    ...full,
    ext,
    email: `only${made}@theirs.cn`,
    website: `https://w${made}.example.cn`,
    telephone: `0755-8601${5600 + made}`,
  }
  const master = right(await demo.post('/mini/customer/create', { name: `留下的第${made}家有限公司` })).id
  const other = right(
    await demo.post('/mini/customer/create', { ...theirs, name: `另外的${made}号商贸中心` }),
  ).id
  return { master: master as string, other: other as string, theirs }
}
const recordOf = async (id: string) => right(await deals.admin.get(`/mini/customer/detail?id=${id}`)).record

describe.each(['hidden', 'masked', 'read'])('fields of customers that are %s', (kept) => {
  it('are filled by the merge, and neither taken nor entered by the user', async () => {
    const { master, other, theirs } = await aPair()
    const who = await keep(kept)
    const merge = (more = {}) => who.post('/mini/customer/merge', { masterId: master, ids: [other], ...more })

    for (const more of [
      { take: ['level', 'ext.secret', 'name'] },
      { fields: { level: 'B', ext: { secret: '猜的' } } },
    ]) {
      const refused = await merge(more)
      expect([refused.meta.code, Object.keys(refused.meta.error?.fields ?? {}).sort()]).toEqual([
        405,
        ['ext.secret', 'level'],
      ])
    }
    right(await merge())

    const { email, website, ext } = theirs
    const { address } = FULL_CUSTOMER
    expect(await recordOf(master)).toMatchObject({ email, website, address, ext })
  })
})
