import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cell, createSheetWriter } from '../../../src/server/flows/sheets/write-sheet.ts'
import { aModule, openOwnTenant } from '../model/own-tenant.ts'
import { finished, readSheetOf, uploadedBytes } from './finished-job.ts'

const { server, admin, demo, give } = await openOwnTenant([
  aModule({
    number: 'GD{000}',
    behaviours: ['owned', 'files'],
    fields: [
      { name: 'serial', kind: 'text', label: '序列号', unique: 'refuse' },
      { name: 'price', kind: 'money', label: '报价' },
      { name: 'due', kind: 'day', label: '期限', import: ['截止日'] },
      { name: 'done', kind: 'flag', label: '完成' },
      { name: 'customer_id', kind: 'ref', module: 'customer', label: '客户' },
      {
        name: 'state',
        kind: 'choice',
        label: '状态',
        options: [
          { value: 'open', label: '待处理' },
          { value: 'done', label: '已解决' },
        ],
      },
    ],
  }),
  aModule({ name: 'branch', label: '网点', behaviours: ['owned', 'tree'] }),
])
beforeAll(async () => {
  await admin.post('/mini/customer/create', { name: '表格客户', mobile: '13800030001' })
})
afterAll(() => server.close())

const fileOf = async (...rows: readonly (readonly Cell[])[]): Promise<string> => {
  const sheet = createSheetWriter((rows[0] ?? []).map(() => 16))
  for (const row of rows) sheet.row(row)
  return String(await uploadedBytes(server, admin, sheet.end()))
}
const TITLES = ['标题', '序列号', '报价', '截止日', '完成', '客户', '状态'] as const

describe('a file of an own module', () => {
  it('is previewed with guessed columns, and each row as it will be read', async () => {
    const fileId = await fileOf(
      TITLES,
      ['打印机', 'S1', '1,200.50', '2026/3/5', '是', '表格客户', '待处理'],
      ['', 'S2', '很多', '', '', '', ''],
    )
    const { data } = await admin.post('/mini/m/ticket/import/preview', { fileId })

    expect(data.columns.map(({ field }: { field: string }) => field)).toEqual([
      'title',
      'serial',
      'price',
      'due',
      'done',
      'customer_id',
      'state',
    ])
    expect(data.rows[0]).toMatchObject({ fault: '' })
    expect(data.rows[0].lines).toEqual(expect.arrayContaining(['状态：待处理', '客户：表格客户']))
    expect(data.rows[1].fault).toContain('请填写标题')
  })

  it('is read with common column titles: the module’s name, and a part that only one label has', async () => {
    const fileId = await fileOf(
      ['售后工单名称', '序列', '报价（元）', '处理期限', '限', '备用'],
      ['打印机', 'S9', '1', '', '', ''],
    )
    const { data } = await admin.post('/mini/m/ticket/import/preview', { fileId })

    expect(data.columns.map(({ field }: { field: string | null }) => field)).toEqual([
      'title',
      'serial',
      'price',
      'due',
      null,
      null,
    ])
    expect(data.missing).toEqual([])
  })

  it('creates records by the module’s rules, and reports the reason for refused rows', async () => {
    const fileId = await fileOf(
      TITLES,
      ['打印机', 'S1', '1,200.50', '2026/3/5', '是', '表格客户', '待处理'],
      ['重复的', 'S1', '', '', '', '', ''],
      ['没有的客户', 'S3', '', '', '', '谁也不是', ''],
    )
    const job = await finished(admin, await admin.post('/mini/m/ticket/import/start', { fileId }))
    const errors = await readSheetOf(server, job.fileUrl)
    const { data } = await admin.post('/mini/m/ticket/list')

    expect(job).toMatchObject({ ok: 1 })
    expect(errors.slice(1).map((row) => String(row[1]))).toEqual([
      expect.stringContaining('S1'),
      expect.stringContaining('客户'),
    ])
    expect(data.list).toMatchObject([
      {
        title: '打印机',
        price: 1200.5,
        due: '2026-03-05',
        done: true,
        customer_id_name: '表格客户',
        state: 'open',
        record_no: 'GD001',
      },
    ])
  })

  it('updates records by a unique field on request', async () => {
    const fileId = await fileOf(['标题', '序列号', '状态'], ['打印机（换新）', 'S1', '已解决'])
    await finished(admin, await admin.post('/mini/m/ticket/import/start', { fileId, mode: 'update' }))
    const { data } = await admin.post('/mini/m/ticket/list')

    expect(data.list).toMatchObject([{ title: '打印机（换新）', state: 'done', price: 1200.5 }])
  })

  it('is checked without any change', async () => {
    const fileId = await fileOf(['标题'], ['只是看看'])
    const job = await finished(admin, await admin.post('/mini/m/ticket/import/check', { fileId }))
    const { data } = await admin.post('/mini/m/ticket/list', { keyword: '只是看看' })

    expect(job).toMatchObject({ ok: 1 })
    expect(data.list).toEqual([])
  })

  it('is exported as texts, and can be imported again', async () => {
    const job = await finished(admin, await admin.post('/mini/m/ticket/export', {}))
    const { rawPayload } = await server.app.inject({ url: job.fileUrl })
    const [titles = [], row = []] = await readSheet(rawPayload)
    const named = Object.fromEntries(titles.map((title, at) => [title, row[at]]))

    expect(named).toMatchObject({
      编号: 'GD001',
      标题: '打印机（换新）',
      报价: 1200.5,
      完成: '是',
      客户: '表格客户',
      状态: '已解决',
    })
  })

  it('finds records by their number: existing records are updated on request and not duplicated', async () => {
    const again = await fileOf(['编号', '标题', '报价'], ['GD001', '打印机（旧）', '900'])
    const skipped = await finished(admin, await admin.post('/mini/m/ticket/import/start', { fileId: again }))
    const twice = await admin.post('/mini/m/ticket/list', { keyword: '打印机' })
    await finished(admin, await admin.post('/mini/m/ticket/import/start', { fileId: again, mode: 'update' }))
    const changed = await admin.post('/mini/m/ticket/list', { keyword: 'GD001' })
    const { data } = await admin.post('/mini/m/ticket/import/template')
    const { rawPayload } = await server.app.inject({ url: data.url })
    const [titles = []] = await readSheet(rawPayload)

    expect(skipped).toMatchObject({ ok: 0, failed: 1 })
    expect(twice.data.list).toHaveLength(1)
    expect(changed.data.list).toMatchObject([{ record_no: 'GD001', title: '打印机（旧）', price: 900 }])
    expect(titles).toEqual(expect.arrayContaining(['标题*', '负责人']))
    expect(titles).not.toContain('编号')
  })

  it('names the owner of each record, for users who may transfer records, and only owners who may see them', async () => {
    const ofDemo = await fileOf(['标题', '负责人'], ['给李明轩的', '李明轩'], ['给别人的', '无此人'])
    const start = () => admin.post('/mini/m/ticket/import/start', { fileId: ofDemo })
    const refused = await readSheetOf(server, (await finished(admin, await start())).fileUrl)
    await give('sales', 'ticket', { permissions: ['m.ticket:view'] })
    const job = await finished(admin, await start())
    const { data } = await admin.post('/mini/m/ticket/list', { keyword: '给李明轩的' })
    await give('sales', 'ticket', { permissions: [] })

    expect(refused.slice(1)).toHaveLength(2)
    expect(job).toMatchObject({ ok: 1, failed: 1 })
    expect(data.list).toMatchObject([{ owner_name: '李明轩' }])
  })

  it('tells an unknown owner together with the other faults of the row', async () => {
    const fileId = await fileOf(['标题', '报价', '负责人'], ['负责人不明', '不是数', '无此人'])
    const { rows } = (await admin.post('/mini/m/ticket/import/preview', { fileId })).data
    const job = await finished(admin, await admin.post('/mini/m/ticket/import/start', { fileId }))

    const both = expect.stringMatching(/报价.*；没有叫“无此人”的同事$/)
    expect((await readSheetOf(server, job.fileUrl))[1]?.[1]).toEqual(both)
    expect(rows).toMatchObject([{ fault: both }])
  })

  it('has nothing in the place of a record that whoever exports it does not see, nor has the history its id', async () => {
    const [customer] = (await admin.post('/mini/customer/list', { keyword: '表格客户' })).data.list
    const body = { title: '客户看不见的', customer_id: customer.id, owner_id: 'u-demo' }
    const made = await admin.post('/mini/m/ticket/create', body)
    await give('sales', 'ticket', { permissions: ['m.ticket:view', 'm.ticket:export'] })
    const by = await server.as('demo')
    const { record } = (await by.get(`/mini/m/ticket/detail?id=${made.data.id}`)).data
    const job = await finished(by, await by.post('/mini/m/ticket/export', { ids: [made.data.id] }))
    const [titles = [], row = []] = await readSheetOf(server, job.fileUrl)
    const { id, version } = record
    await admin.post('/mini/m/ticket/update', { id, version, customer_id: null })
    const history = (await by.get(`/mini/m/ticket/log?id=${id}`)).data.list
    await give('sales', 'ticket', { permissions: [] })

    expect(record).toMatchObject({ customer_id: customer.id, customer_id_name: '' })
    expect([row[titles.indexOf('标题')], row[titles.indexOf('客户')]]).toEqual(['客户看不见的', null])
    expect(history[0].text).toBe('客户：看不到的记录 → 空')
  })

  it('needs the right', async () => {
    const fileId = await fileOf(['标题'], ['不许'])

    expect((await demo.post('/mini/m/ticket/export', {})).meta.code).toBe(405)
    expect((await demo.post('/mini/m/ticket/import/start', { fileId })).meta.code).toBe(405)
    expect((await demo.post('/mini/m/ticket/import/preview', { fileId })).meta.code).toBe(405)
    expect((await admin.post('/mini/m/nothing/export', {})).meta.code).toBe(404)
  })

  it('puts records below those of earlier rows, and exports the ancestors of each record', async () => {
    const there = (await admin.post('/mini/m/branch/create', { title: '总部' })).data.id
    const fileId = await fileOf(
      ['标题', '上级'],
      ['华北', '总部'],
      ['河北', '华北'],
      ['石家庄', '河北'],
      ['长安区', '石家庄'],
      ['服务点', '长安区'],
      ['自己', '自己'],
      ['两个', ''],
      ['两个', ''],
      ['哪个下面', '两个'],
    )
    const { rows } = (await admin.post('/mini/m/branch/import/preview', { fileId })).data
    const checked = await finished(admin, await admin.post('/mini/m/branch/import/check', { fileId }))
    const job = await finished(admin, await admin.post('/mini/m/branch/import/start', { fileId }))
    const errors = (await readSheetOf(server, job.fileUrl)).slice(1).map((row) => row.map(String))
    const out = await finished(admin, await admin.post('/mini/m/branch/export', {}))
    const [titles = [], ...records] = await readSheetOf(server, out.fileUrl)
    const above = records.map((row) => [row[titles.indexOf('标题')], row[titles.indexOf('上级')] ?? ''])

    expect(rows.map(({ fault }: { fault: string }) => fault)).toEqual(['', '', '', '', ''])
    expect(rows[1].lines).toContain('上级：华北')
    expect(checked).toMatchObject({ ok: 7, failed: 2 })
    expect(job).toMatchObject({ ok: 6, failed: 3 })
    expect(errors.map(([, reason, title]) => [title, reason])).toEqual([
      ['服务点', '最多 5 级，放在这里会超过'],
      ['自己', '上级没有找到“自己”，请写完整名称'],
      ['哪个下面', '上级没有找到“两个”，请写完整名称'],
    ])
    expect(above.toReversed()).toEqual([
      ['总部', ''],
      ['华北', '总部'],
      ['河北', '华北'],
      ['石家庄', '河北'],
      ['长安区', '石家庄'],
      ['两个', ''],
      ['两个', ''],
    ])
    expect((await admin.get(`/mini/m/branch/detail?id=${there}`)).data.related).toEqual({ below: 1 })
  })
})
