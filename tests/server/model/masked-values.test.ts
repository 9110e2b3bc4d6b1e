import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { right } from '../business5/deals.ts'
import { finished, readSheetOf } from '../sheets/finished-job.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const OPTIONS = [
  { value: 'A', label: '重点' },
  { value: 'B', label: '一般' },
]
const FIELDS = [
  { name: 'price', kind: 'money', label: '底价', mask: 'pool', filter: true },
  { name: 'n', kind: 'integer', label: '数量', filter: true },
  { name: 'weight', kind: 'number', label: '重量' },
  { name: 'tel', kind: 'phone', label: '电话', mask: 'pool' },
  { name: 'lvl', kind: 'choice', label: '等级', options: OPTIONS, mask: 'pool' },
  { name: 'mark', kind: 'text', label: '记号', mask: 'pool' },
  {
    name: 'total',
    kind: 'money',
    label: '总价',
    worked: { '*': [{ var: 'price' }, { var: 'n' }] },
    filter: true,
    sort: true,
    card: true,
  },
  {
    name: 'said',
    kind: 'text',
    label: '说法',
    worked: { if: [{ '>': [{ var: 'total' }, 100] }, '贵了', '便宜'] },
    filter: true,
    search: true,
  },
  {
    name: 'each',
    kind: 'formula',
    label: '单重',
    result: 'number',
    card: true,
    formula: { '/': [{ var: 'total' }, { var: 'weight' }] },
  },
  {
    name: 'cheap',
    kind: 'formula',
    label: '贵贱',
    formula: { if: [{ '>': [{ var: 'price' }, 100] }, '贵', '便宜'] },
  },
  { name: 'called', kind: 'formula', label: '呼叫', formula: { cat: ['x', { var: 'tel' }] } },
  { name: 'twice', kind: 'formula', label: '双倍', formula: { '*': [{ var: 'each' }, 2] } },
  { name: 'double_n', kind: 'formula', label: '数量的双倍', formula: { '*': [{ var: 'n' }, 2] } },
]
const VALUES = { price: 500, n: 3, weight: 10, tel: '13912345678', lvl: 'A', mark: '甲' }
const COMPUTED = ['total', 'said', 'each', 'cheap', 'called', 'twice']
const WHOLE = {
  total: 1500,
  said: '贵了',
  each: 150,
  cheap: '贵',
  called: 'x13912345678',
  twice: 300,
  double_n: 6,
}

const tenant = await openOwnTenant([
  aModule({ behaviours: ['owned', 'follow', 'recycle', 'pool'], fields: FIELDS }),
])
const { server, admin, demo, give, make } = tenant
let zengke: Client
let id = ''
beforeAll(async () => {
  await give('sales', 'ticket', {
    permissions: ['view', 'add', 'edit', 'del', 'pool', 'claim', 'release', 'export'].map(
      (one) => `m.ticket:${one}`,
    ),
  })
  zengke = await server.as('zengke')
  id = await make(demo, 'ticket', { title: '有底价的', ...VALUES, price: 400, lvl: 'B' })
  const { record } = right(await demo.get(`/mini/m/ticket/detail?id=${id}`))
  right(await demo.post('/mini/m/ticket/update', { id, version: record.version, price: 500, lvl: 'A' }))
})
afterAll(() => server.close())

/** The salesperson's role with these field rights; what it allowed before is replaced. */
async function limit(rights: JsonObject): Promise<void> {
  const { list } = right(await admin.post('/engine/web/role/list'))
  const role = list.find((one: JsonObject) => one.code === 'sales')
  right(await admin.post('/engine/web/role/save', { ...role, field_rights: rights }))
}
const inPool = async (body: JsonObject = {}) => zengke.post('/mini/m/ticket/pool/list', body)
const shownOf = (record: JsonObject) =>
  Object.fromEntries(COMPUTED.map((name) => [name, record[name] ?? null]))
const NOTHING = Object.fromEntries(COMPUTED.map((name) => [name, null]))

describe('a record in a pool', () => {
  beforeAll(async () => {
    right(await demo.post('/mini/m/ticket/release', { ids: [id], reason: 'other' }))
  })

  it('says nothing that was computed from a masked field: in detail, list and history', async () => {
    const { record, mask } = right(await zengke.get(`/mini/m/ticket/detail?id=${id}`))
    const [card] = right(await inPool()).list
    const log = await zengke.get(`/mini/m/ticket/log?id=${id}`)

    expect(shownOf(record)).toEqual(NOTHING)
    expect(shownOf(card)).toEqual(NOTHING)
    expect(record.double_n).toBe(6)
    expect(mask).toEqual(expect.arrayContaining(['price', 'total', 'said']))
    expect(log.body).not.toMatch(/1500|1200|贵|便宜/)
  })

  it('is not found, sorted or searched by it', async () => {
    const found = async (filters: JsonObject[]) => right(await inPool({ filters })).list.length
    const sorted = await inPool({ sort: [{ field: 'total', dir: 'asc' }] })
    const sought = await zengke.get(`/mini/search/global?types=m&keyword=${encodeURIComponent('贵了')}`)

    expect(await found([{ field: 'n', op: 'eq', value: 3 }])).toBe(1)
    expect(await found([{ field: 'total', op: 'gt', value: 1499 }])).toBe(0)
    expect(await found([{ field: 'said', op: 'contains', value: '贵' }])).toBe(0)
    expect(sorted.meta.code).toBe(400)
    expect(right(await inPool({ keyword: '贵了' })).list).toEqual([])
    expect(right(sought).groups).toEqual([])
  })

  it('shows no part of a masked choice or of a single character', async () => {
    const { record } = right(await zengke.get(`/mini/m/ticket/detail?id=${id}`))
    const [card] = right(await inPool()).list
    const log = await zengke.get(`/mini/m/ticket/log?id=${id}`)

    for (const shown of [record, card])
      expect(shown).toMatchObject({ lvl: null, lvl_name: '', mark: '***', tel: '139****5678', price: null })
    expect(log.body).not.toMatch(/重点|一般/)
  })

  it('draws no column and no card line in the list of its pool for what is masked there', async () => {
    const { body } = await zengke.get('/engine/web/page/detail?path=/pages/m/ticket/pool')

    expect(body).toContain('数量')
    expect(body).not.toMatch(/总价|单重/)
  })

  it('shows all of it once it is claimed', async () => {
    const poolId = right(await zengke.get('/mini/pool/list?entity=m/ticket')).list[0].id
    right(await zengke.post('/mini/m/ticket/pool/claim', { poolId, ids: [id] }))
    const { record } = right(await zengke.get(`/mini/m/ticket/detail?id=${id}`))

    expect(record).toMatchObject({ ...VALUES, ...WHOLE, lvl_name: '重点' })
  })
})

describe.each(['masked', 'hidden'])('what follows from a field that a role has as %s', (kept) => {
  beforeAll(async () => {
    await limit({ 'm.ticket': { price: kept, tel: kept } })
    zengke = await server.as('zengke')
  })

  it('is empty in detail, list, copy and sheet', async () => {
    const { record } = right(await zengke.get(`/mini/m/ticket/detail?id=${id}`))
    const [card] = right(await zengke.post('/mini/m/ticket/list', {})).list
    const copy = await zengke.post('/mini/sync/changes', { entities: ['record'] })
    const job = await finished(zengke, await zengke.post('/mini/m/ticket/export', {}))
    const [titles = [], row = []] = await readSheetOf(server, job.fileUrl)
    const cells = FIELDS.filter(({ name }) => COMPUTED.includes(name)).map(
      ({ label }) => row[titles.indexOf(label)] ?? null,
    )

    expect(shownOf(record)).toEqual(NOTHING)
    expect(shownOf(card)).toEqual(NOTHING)
    expect(record.double_n).toBe(6)
    expect(copy.body).not.toMatch(/1500|贵|便宜|x139/)
    expect(cells).toEqual(COMPUTED.map(() => null))
    expect(row[titles.indexOf('数量的双倍')]).toBe(6)
  })

  it('is neither filtered, sorted, found nor told by the history', async () => {
    const list = (body: JsonObject) => zengke.post('/mini/m/ticket/list', body)
    const filtered = await list({ filters: [{ field: 'total', op: 'gt', value: 1499 }] })
    const sorted = await list({ sort: [{ field: 'total', dir: 'asc' }] })
    const log = await zengke.get(`/mini/m/ticket/log?id=${id}`)

    expect([filtered.meta.code, sorted.meta.code]).toEqual([400, 400])
    expect(right(await list({ keyword: '贵了' })).list).toEqual([])
    expect(log.body).not.toMatch(/1500|1200|贵了|便宜/)
  })

  it('is not drawn on a form, which would compute it from nothing', async () => {
    const { fieldRights } = right(await zengke.get('/mini/user/detail'))

    expect(fieldRights.m.ticket).toMatchObject({ price: kept, total: kept, said: kept, each: kept })
    expect(fieldRights.m.ticket).not.toHaveProperty('n')
  })
})

describe('a field of the product that a role has masked', () => {
  it('shows no part of a choice: in detail, list and history', async () => {
    await limit({})
    const { id: customerId, version } = right(
      await demo.post('/mini/customer/create', { name: '分级的客户有限公司', level: 'C' }),
    )
    right(await demo.post('/mini/customer/update', { id: customerId, version, level: 'A' }))
    await limit({ customer: { level: 'masked' } })
    const seller = await server.as('demo')
    const { record, mask } = right(await seller.get(`/mini/customer/detail?id=${customerId}`))
    const { list } = right(await seller.post('/mini/customer/list', {}))
    const card = list.find((one: JsonObject) => one.id === customerId)
    const log = right(await seller.get(`/mini/customer/log?id=${customerId}`))

    expect(record.level).toBeNull()
    expect(mask).toContain('level')
    expect([card.level ?? null, card.level_name ?? null]).toEqual([null, null])
    expect(JSON.stringify(log)).not.toContain('客户级别')
  })
})

describe('a formula of a module of the product', () => {
  it('is empty where it reads what a pool masks', async () => {
    await limit({})
    const field = {
      name: 'half',
      kind: 'formula',
      label: '一半',
      result: 'number',
      card: true,
      formula: { '/': [{ var: 'amount' }, 2] },
    }
    right(await admin.post('/engine/web/field/save', { module: 'bussiness', field }))
    const { id: customerId } = right(
      await demo.post('/mini/customer/create', { name: '有商机的客户有限公司' }),
    )
    const sale = right(
      await demo.post('/mini/bussiness/create', {
        customer_id: customerId,
        name: '放回公海的商机',
        amount: 5000,
        expected_date: '2026-06-30',
      }),
    )
    const before = right(await demo.get(`/mini/bussiness/detail?id=${sale.id}`)).record
    right(await demo.post('/mini/bussiness/release', { ids: [sale.id], reason: 'other' }))
    const { record } = right(await demo.get(`/mini/pool/bussiness/detail?id=${sale.id}`))
    const { list } = right(await demo.post('/mini/pool/bussiness/list', { keyword: '放回公海的商机' }))

    expect(before.ext_half).toBe(2500)
    expect([record.amount, record.ext_half]).toEqual([null, null])
    expect(list).toMatchObject([{ amount: null, ext_half: null }])
  })
})
