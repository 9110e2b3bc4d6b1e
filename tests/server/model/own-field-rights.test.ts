import { readSheet } from 'read-excel-file/node'
import { afterAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { createSheetWriter } from '../../../src/server/flows/sheets/write-sheet.ts'
import { right } from '../business5/deals.ts'
import { finished, readSheetOf, uploadedBytes } from '../sheets/finished-job.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

/** Field rights of the salesperson's role on an own module; the administrator sees all fields. */
const RIGHTS = {
  mobile: 'masked',
  secret: 'hidden',
  fee: 'read',
  status: 'hidden',
  customer_id: 'hidden',
  papers: 'hidden',
} as const
const FILE = { name: '底价.pdf', url: '/files/price.pdf', size: 10, ext: 'pdf' }
const VALUES = { mobile: '13812345678', secret: '底价九折', fee: 12.5, status: 'doing', papers: [FILE] }

const own = await openOwnTenant([
  aModule({
    behaviours: ['owned', 'recycle', 'files'],
    fields: [
      { name: 'mobile', kind: 'phone', label: '联系手机', form: 'mobile', filter: true, search: true },
      {
        name: 'secret',
        kind: 'text',
        label: '内部备注',
        filter: true,
        sort: true,
        search: true,
        patch: true,
      },
      { name: 'fee', kind: 'money', label: '费用', default: 5, filter: true, sort: true, patch: true },
      {
        name: 'status',
        kind: 'choice',
        label: '进度',
        default: 'open',
        options: [
          { value: 'open', label: '待处理' },
          { value: 'doing', label: '处理中' },
        ],
      },
      {
        name: 'doubled',
        kind: 'formula',
        label: '加倍',
        result: 'number',
        formula: { '*': [{ var: 'fee' }, 2] },
      },
      { name: 'told', kind: 'formula', label: '转述', formula: { cat: [{ var: 'secret' }, '！'] } },
      {
        name: 'customer_id',
        kind: 'ref',
        module: 'customer',
        label: '客户',
        inverse: { tab: 'tickets', label: '工单' },
      },
      { name: 'papers', kind: 'files', label: '资料' },
    ],
    statuses: { field: 'status', moves: { open: ['doing'], doing: ['open'] } },
  }),
])
const { server, admin, demo, give, make, save } = own
afterAll(() => server.close())

/** The salesperson's role with these field rights on the module. */
async function limit(rights: JsonObject) {
  const { list } = right(await admin.post('/engine/web/role/list'))
  const role = list.find((one: JsonObject) => one.code === 'sales')
  return admin.post('/engine/web/role/save', {
    ...role,
    field_rights: { ...role.field_rights, 'm.ticket': rights },
  })
}

await give('sales', 'ticket')
const { id: customerId } = right(await demo.post('/mini/customer/create', { name: '工单客户有限公司' }))
const id = await make(demo, 'ticket', { title: '打不开', customer_id: customerId, ...VALUES })
right(await demo.post('/mini/m/ticket/update', { id, version: 1, secret: '底价八折' }))
right(await limit(RIGHTS))

const listed = async (who = demo, request: JsonObject = {}) => who.post('/mini/m/ticket/list', request)
const refused = async (request: JsonObject) => (await listed(demo, request)).meta

describe('fields of an own module hidden by a role', () => {
  it('are omitted or masked in list and detail, including derived values', async () => {
    const [card] = right(await listed()).list
    const { record, mask, moves } = right(await demo.get(`/mini/m/ticket/detail?id=${id}`))
    const whole = right(await admin.get(`/mini/m/ticket/detail?id=${id}`)).record

    for (const shown of [card, record]) {
      expect(shown).toMatchObject({
        title: '打不开',
        mobile: '138****5678',
        fee: 12.5,
        doubled: 25,
        told: null,
      })
      for (const name of ['secret', 'status', 'customer_id', 'papers']) {
        expect(shown, name).not.toHaveProperty(name)
        expect(shown[`${name}_name`] ?? '', name).toBe('')
      }
    }
    expect([mask, moves]).toEqual([['mobile'], []])
    expect(whole).toMatchObject({
      ...VALUES,
      secret: '底价八折',
      told: '底价八折！',
      customer_id: customerId,
    })
  })

  it('neither filter, sort, search nor group the list', async () => {
    const byMobile = { field: 'mobile', op: 'eq', value: VALUES.mobile }
    expect(await refused({ filters: [byMobile] })).toMatchObject({
      code: 400,
      message: expect.stringContaining('联系手机'),
    })
    expect(await refused({ filters: [{ field: 'secret', op: 'contains', value: '底价' }] })).toMatchObject({
      code: 400,
    })
    expect(await refused({ sort: [{ field: 'secret', dir: 'asc' }] })).toMatchObject({ code: 400 })
    expect(await refused({ tab: 'status_doing' })).toMatchObject({ code: 400 })
    expect(
      right(await listed(demo, { filters: [{ field: 'fee', op: 'eq', value: 12.5 }] })).list,
    ).toHaveLength(1)
    expect(right(await demo.post('/mini/m/ticket/count', { tabs: ['all', 'status_doing'] }))).toEqual({
      all: 1,
    })
    expect(right(await admin.post('/mini/m/ticket/count', { tabs: ['all', 'status_doing'] }))).toEqual({
      all: 1,
      status_doing: 1,
    })
    for (const keyword of ['5678', '八折']) {
      expect(right(await listed(demo, { keyword })).list, keyword).toEqual([])
      expect(right(await listed(admin, { keyword })).list, keyword).toHaveLength(1)
    }
  })

  it('are found by no global search, and counted for no customer', async () => {
    const found = async (who: typeof demo, keyword: string) =>
      JSON.stringify(right(await who.get(`/mini/search/global?keyword=${encodeURIComponent(keyword)}`)))
    for (const keyword of ['12345678', '底价八折']) {
      expect(await found(demo, keyword)).not.toContain('打不开')
      expect(await found(admin, keyword)).toContain('打不开')
    }
    const related = async (who: typeof demo) =>
      right(await who.get(`/mini/customer/detail?id=${customerId}`)).related.tickets
    expect([await related(demo), await related(admin)]).toEqual([undefined, 1])
  })

  it('are not written, and stay unchanged if a form sends back what it was shown', async () => {
    const { record } = right(await demo.get(`/mini/m/ticket/detail?id=${id}`))
    const at = { id, version: record.version }
    const changed = await demo.post('/mini/m/ticket/update', { ...at, fee: 1, secret: '我的' })
    expect(changed.meta).toMatchObject({
      code: 405,
      error: { fields: { fee: expect.any(String), secret: expect.any(String) } },
    })

    const { mobile, fee } = record
    right(await demo.post('/mini/m/ticket/update', { ...at, title: '还是打不开', mobile, fee, secret: null }))
    const { record: whole } = right(await admin.get(`/mini/m/ticket/detail?id=${id}`))
    expect(whole).toMatchObject({ ...VALUES, title: '还是打不开', secret: '底价八折' })

    const many = right(await demo.post('/mini/m/ticket/patch', { ids: [id], fee: 3 }))
    expect(many).toMatchObject({ ok: [], failed: [{ id }] })
  })

  it('begin with their defaults, which a form contains too', async () => {
    const fresh = await make(demo, 'ticket', { title: '新的', fee: 5, status: 'open' })
    const { record } = right(await admin.get(`/mini/m/ticket/detail?id=${fresh}`))
    expect(record).toMatchObject({ fee: 5, status: 'open' })
    expect((await demo.post('/mini/m/ticket/create', { title: '新的二', fee: 6 })).meta.code).toBe(405)
    right(await admin.post('/mini/m/ticket/delete', { ids: [fresh] }))
  })

  it('are in no history, no file list and no copy of a client', async () => {
    const log = JSON.stringify(right(await demo.get(`/mini/m/ticket/log?id=${id}`)))
    const files = right(await demo.get(`/mini/m/ticket/attachment/list?id=${id}`)).list
    const copy = JSON.stringify(right(await demo.post('/mini/sync/changes', { entities: ['record'] })))

    expect(log).not.toContain('折')
    expect(JSON.stringify(right(await admin.get(`/mini/m/ticket/log?id=${id}`)))).toContain('底价八折')
    expect(files).toEqual([])
    expect(right(await admin.get(`/mini/m/ticket/attachment/list?id=${id}`)).list).toHaveLength(1)
    expect(copy).toContain('138****5678')
    for (const word of ['折', VALUES.mobile, '底价']) expect(copy, word).not.toContain(word)
  })

  it('are exported to no sheet, and a sheet that would change them is reported', async () => {
    const job = await finished(demo, await demo.post('/mini/m/ticket/export', {}))
    const [titles = [], row = []] = await readSheetOf(server, job.fileUrl)
    expect(titles).toEqual(expect.arrayContaining(['标题', '联系手机', '费用']))
    for (const title of ['内部备注', '进度', '客户', '资料']) expect(titles).not.toContain(title)
    expect(row[titles.indexOf('联系手机')]).toBe('138****5678')

    const sheet = createSheetWriter([18, 18])
    sheet.row(['标题', '费用'])
    sheet.row(['从表格来', 99])
    const fileId = await uploadedBytes(server, demo, sheet.end())
    const done = await finished(
      demo,
      await demo.post('/mini/m/ticket/import/start', { fileId, mode: 'update' }),
    )
    expect(done).toMatchObject({ ok: 0, failed: 1 })
    const { url } = right(await demo.post('/mini/m/ticket/import/template'))
    const [wanted = []] = await readSheet((await server.app.inject({ url })).rawPayload)
    expect(wanted).toContain('标题*')
  })

  it('are in no shared view', async () => {
    const view = {
      name: '内部',
      request: { filters: [{ field: 'secret', op: 'eq', value: '底价八折' }] },
      state: { f_secret: '底价八折' },
      shared: true,
    }
    const saved = await demo.post('/mini/m/ticket/view/save', view)
    expect(saved.meta.code).toBe(400)
  })
})

describe('the screen of a role', () => {
  it('offers the fields of own modules beside those of the product', async () => {
    const { fields } = right(await admin.post('/engine/web/role/list'))
    const ticket = fields.find((one: JsonObject) => one.value === 'm.ticket')

    expect(ticket.label).toBe('售后工单')
    expect(ticket.children).toEqual(expect.arrayContaining([{ value: 'secret', label: '内部备注' }]))
    expect(fields.map((one: JsonObject) => one.value)).toEqual(
      expect.arrayContaining(['customer', 'product']),
    )
  })

  it('refuses to hide the title of records, and explains why', async () => {
    const answer = await limit({ title: 'hidden' })
    expect(answer.meta).toMatchObject({ code: 400, message: expect.stringContaining('售后工单') })
    right(await limit({ ...RIGHTS, title: 'read' }))
    expect((await demo.post('/mini/m/ticket/create', { title: '别的' })).meta.code).toBe(405)
    right(await limit(RIGHTS))
  })
})

it('a field that a user may not write is not required from them', async () => {
  await save({
    name: 'visit',
    label: '拜访',
    title: 'title',
    behaviours: ['owned'],
    fields: [
      { name: 'title', kind: 'text', label: '标题', required: true },
      { name: 'price', kind: 'text', label: '底价', required: true },
      { name: 'cost', kind: 'text', label: '成本', required: { '!!': { var: 'form.title' } } },
    ],
  })
  await give('sales', 'visit')
  right(
    await admin.post('/engine/web/field/save', {
      module: 'customer',
      field: { name: 'grade', kind: 'text', label: '会员档次', required: true },
    }),
  )
  const { list } = right(await admin.post('/engine/web/role/list'))
  const role = list.find((one: JsonObject) => one.code === 'sales')
  const keep = (right: string) => ({ price: right, cost: right })
  const create = async (who: typeof demo) => [
    (await who.post('/mini/m/visit/create', { title: '走访' })).meta.code,
    (await who.post('/mini/customer/create', { name: '会员档次有限公司', confirm: ['DUPLICATE'] })).meta.code,
  ]
  expect(await create(demo)).toEqual([400, 400])
  for (const kept of ['hidden', 'read']) {
    const current = right(await admin.post('/engine/web/role/list')).list.find(
      (one: JsonObject) => one.id === role.id,
    )
    const field_rights = { customer: { 'ext.grade': kept }, 'm.visit': keep(kept) }
    right(await admin.post('/engine/web/role/save', { ...current, field_rights }))
    expect((await create(demo))[0], kept).toBe(200)
    const { meta } = await demo.post('/mini/customer/create', { name: `${kept}会员有限公司` })
    expect([meta.code, meta.message], kept).toEqual([200, ''])
    expect((await demo.post('/mini/m/visit/create', {})).meta.code, kept).toBe(400)
  }
  expect(await create(admin)).toEqual([400, 400])
})
