import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { notifyOfPoolNews } from '../../../src/server/flows/jobs/pool-news.ts'
import { right } from '../business5/deals.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const HOUR = 3_600_000
const { server, admin, demo, give, make } = await openOwnTenant([
  aModule({ behaviours: ['owned', 'recycle', 'pool'] }),
])
let zengke: Client
let manager: Client
beforeAll(async () => {
  await give('sales', 'ticket')
  await give('sales_manager', 'ticket', { permissions: ['m.ticket:view', 'm.ticket:edit'] })
  const { list } = right(await admin.post('/engine/web/role/list'))
  const role = list.find((one: JsonObject) => one.code === 'sales_manager')
  right(
    await admin.post('/engine/web/role/save', {
      ...role,
      permissions: role.permissions.filter((one: string) => !one.startsWith('customer_pool:')),
    }),
  )
  zengke = await server.as('zengke')
  manager = await server.as('manager')
  for (const client of [demo, manager])
    right(await client.post('/mini/message/setting', { events: { 'pool.new': true } }))
})
afterAll(() => server.close())

/** The full hour after now. */
const nextHour = () => (Math.floor(server.clock.now / HOUR) + 1) * HOUR
/** Runs the job at that time; the messages that a client has received from it. */
async function news(at: number): Promise<(client: Client) => Promise<readonly JsonObject[]>> {
  server.clock.now = at
  await server.database.tenant({ tenantId: 'xinghai', userId: 'system' }, (trx) =>
    notifyOfPoolNews({ trx, tenantId: 'xinghai', now: new Date(at) } as Parameters<
      typeof notifyOfPoolNews
    >[0]),
  )
  return async (client) =>
    right(await client.post('/mini/message/list', {})).list.filter(
      (one: JsonObject) => one.event === 'pool.new',
    )
}
const release = async (path: string, id: string) =>
  right(await demo.post(`${path}/release`, { ids: [id], reason: 'other' }))

describe('what enters a pool', () => {
  it('is reported once an hour to subscribers who may view the pool, also of an own module', async () => {
    server.clock.now = nextHour()
    for (const title of ['甲', '乙']) {
      server.clock.now += 1000
      await release('/mini/m/ticket', await make(demo, 'ticket', { title }))
    }
    const hour = nextHour()
    await news(hour)
    const received = await news(hour + 1)
    const pool = right(await demo.get('/mini/pool/list?entity=m/ticket')).list[0].id

    expect(await received(demo)).toMatchObject([
      {
        title: '售后工单公海新增 2 个售后工单',
        content: '甲、乙',
        url: `/pages/m/ticket/pool?poolId=${pool}`,
      },
    ])
    expect(await received(manager)).toEqual([])
    expect(await received(zengke)).toEqual([])
  })

  it('is not reported to members whose role has lost the right to view the pool', async () => {
    server.clock.now = nextHour()
    const { id } = right(
      await demo.post('/mini/customer/create', { name: '放回公海的客户', confirm: ['duplicate'] }),
    )
    await release('/mini/customer', id)
    const received = await news(nextHour())

    expect((await received(demo)).map(({ content }) => content)).toContain('放回公海的客户')
    expect(await received(manager)).toEqual([])
  })

  it('is reported with a link to its own pool, which the page then opens with', async () => {
    const { id } = right(
      await admin.post('/engine/web/pool/save', {
        entity: 'customer',
        name: '华东公海',
        enabled: true,
        member_all: true,
      }),
    )
    const first = async (query: string) =>
      right(await demo.get(`/mini/pool/list?entity=customer${query}`)).list.map((one: JsonObject) => one.name)
    const [usual, asked] = [await first(''), await first(`&poolId=${id}`)]

    expect(asked).toEqual(['华东公海', ...usual.filter((one: string) => one !== '华东公海')])
    expect(usual[0]).not.toBe('华东公海')
    expect(await first('&poolId=gone')).toEqual(usual)
  })
})
