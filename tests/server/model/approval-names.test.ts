import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { right } from '../business5/deals.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const NAME = '看不见的客户有限公司'
const GEAR = aModule({
  name: 'gear',
  label: '设备',
  behaviours: ['owned', 'pool'],
  approval: { steps: [{ kind: 'role', value: 'sales_director', mode: 'any' }] },
  fields: [{ name: 'customer_id', kind: 'ref', module: 'customer', label: '客户' }],
})
const { server, admin, demo, give, make } = await openOwnTenant([GEAR])
let zengke: Client
let director: Client
let approvalId = ''
beforeAll(async () => {
  const all = ['view', 'add', 'edit', 'pool', 'claim', 'release'].map((one) => `m.gear:${one}`)
  await give('sales', 'gear', { permissions: all })
  await give('sales_director', 'gear', { permissions: ['m.gear:view', 'm.gear:approve'] })
  zengke = await server.as('zengke')
  director = await server.as('director')
  const { list } = right(await admin.post('/engine/web/role/list'))
  const role = list.find((one: JsonObject) => one.code === 'sales_director')
  right(await admin.post('/engine/web/role/save', { ...role, scopes: { default: 'self' } }))
  const { id: customerId } = right(await demo.post('/mini/customer/create', { name: NAME }))
  const id = await make(demo, 'gear', { title: '离心泵', customer_id: customerId })
  right(await demo.post('/mini/m/gear/release', { ids: [id], reason: 'other' }))
  const poolId = right(await zengke.get('/mini/pool/list?entity=m/gear')).list[0].id
  right(await zengke.post('/mini/m/gear/pool/claim', { poolId, ids: [id] }))
  const { record } = right(await zengke.get(`/mini/m/gear/detail?id=${id}`))
  expect(record.customer_id_name).toBe('')
  right(await zengke.post('/mini/m/gear/submit', { id, version: record.version }))
  approvalId = right(await zengke.post('/mini/approval/list', { tab: 'mine' })).list[0].id
})
afterAll(() => server.close())

/** The name of the customer in list and detail of the approval, and how many approvals a keyword of it finds. */
async function told(who: Client, tab: string) {
  const list = right(await who.post('/mini/approval/list', { tab })).list
  const found = right(await who.post('/mini/approval/list', { tab, keyword: NAME })).list
  const { record } = right(await who.get(`/mini/approval/detail?id=${approvalId}`))
  const card = list.find((one: JsonObject) => one.id === approvalId)
  return [card.customer_name, record.customer_name, found.length]
}

/** A role with field rights on the module. */
async function limit(code: string, rights: JsonObject): Promise<void> {
  const { list } = right(await admin.post('/engine/web/role/list'))
  const role = list.find((one: JsonObject) => one.code === code)
  right(await admin.post('/engine/web/role/save', { ...role, field_rights: { 'm.gear': rights } }))
}

describe('the customer of a record under approval', () => {
  it('is named to whoever decides on it, and not to a submitter who does not see the customer', async () => {
    expect(await told(zengke, 'mine')).toEqual([null, null, 0])
    expect(await told(director, 'todo')).toEqual([NAME, NAME, 1])
  })

  it('is named to nobody whose role hides or masks the field', async () => {
    for (const kept of ['hidden', 'masked']) {
      await limit('sales_director', { customer_id: kept })
      expect(await told(await server.as('director'), 'todo'), kept).toEqual([null, null, 0])
    }
    await limit('sales_director', {})
    expect(await told(await server.as('director'), 'todo')).toEqual([NAME, NAME, 1])
  })
})
