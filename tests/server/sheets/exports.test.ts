import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { EXPORT_ENTITIES } from '../../../src/server/flows/sheets/exports.ts'
import { DEMO } from '../images.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { finished, readSheetOf } from './finished-job.ts'

let server: TestApp
let director: Client
let manager: Client
beforeAll(async () => {
  server = await openTestApp({}, DEMO)
  server.clock.now = Date.parse('2026-03-16T02:00:00Z')
  director = await server.as('director')
  manager = await server.as('manager')
}, 90_000)
afterAll(() => server.close())

/** Titles and rows of an export. */
async function exported(client: Client, entity: string, request: JsonObject) {
  const job = await finished(client, await client.post(`/mini/${entity}/export`, request))
  const [titles = [], ...rows] = await readSheetOf(server, job.fileUrl)
  return rows.map((row) => Object.fromEntries(titles.map((title, at) => [String(title), row[at]])))
}

it.each(EXPORT_ENTITIES)(
  'a list of %s is exported as its user sees it: the same rows, and labels instead of codes',
  async (entity) => {
    const tab = entity === 'follow' ? 'mine' : 'all'
    const who = entity === 'payment' || entity === 'plan' ? await server.as('finance') : manager
    const { total } = (await who.post(`/mini/${entity}/list`, { tab, withTotal: true, limit: 1 })).data

    const rows = await exported(who, entity, { tab })

    expect(total).toBeGreaterThan(0)
    expect(rows).toHaveLength(total)
    const codes = rows
      .flatMap((row) => Object.values(row))
      .filter((value) => /^[a-z]+(?:_[a-z]+)+$/.test(String(value)))
    expect([...new Set(codes)]).toEqual([])
  },
)

it.each([
  ['bussiness', ['商机名称', '客户名称', '预计金额', '阶段', '状态', '联系人角色', '负责人']],
  ['contract', ['合同编号', '合同名称', '客户名称', '合同金额', '已回款', '未回款', '审批状态']],
  ['payment', ['回款编号', '合同编号', '回款金额', '回款日期', '回款方式', '审批状态']],
  ['plan', ['合同编号', '期次', '计划金额', '计划日期', '状态', '已回款']],
  ['product', ['产品名称', '产品编码', '产品分类', '单位', '标准单价', '状态']],
  ['activity', ['活动编号', '活动名称', '活动类型', '开始时间', '状态', '负责人']],
  ['follow', ['记录', '跟进人', '跟进时间', '跟进方式', '跟进内容']],
])(
  'the sheet of %s has the usual columns, filled',
  async (entity, titles) => {
    const rows = await exported(director, entity, {})

    expect(Object.keys(rows[0] ?? {})).toEqual(expect.arrayContaining(titles))
    for (const title of titles)
      expect(rows.filter((row) => row[title] !== null).length, title).toBeGreaterThan(0)
  },
  60_000,
)

it('rows that only a figure of the statistics counts are not exported', async () => {
  const stat = { key: 'new_customer', period: 'this_year', scope: 'team' }
  const { total } = (await manager.post('/mini/customer/list', { stat, withTotal: true })).data
  const own = await exported(manager, 'customer', {})

  const rows = await exported(manager, 'customer', { stat })

  const numbers = new Set(own.map((row) => row.客户编号))
  expect(rows.filter((row) => !numbers.has(row.客户编号))).toEqual([])
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.length).toBeLessThan(total)
})

describe('a finished export', () => {
  const file = async (url: string) => (await server.app.inject({ url })).statusCode
  const jobOf = async (id: string) => (await manager.get(`/mini/job/detail?id=${id}`)).data
  const made = async () => finished(manager, await manager.post('/mini/customer/export', {}))

  it('is handed out only while the rights of its person are those it was made with', async () => {
    const admin = await server.as('admin')
    const role = async () =>
      (await admin.post('/engine/web/role/list', {})).data.list.find(
        ({ code }: JsonObject) => code === 'sales_manager',
      )
    const before = await role()
    const save = async (change: JsonObject) => {
      const answer = await admin.post('/engine/web/role/save', { ...(await role()), ...change })
      expect(answer.meta).toMatchObject({ code: 200 })
    }
    const { id, fileUrl, message } = await made()
    expect(await file(fileUrl)).toBe(200)
    const lost = [
      { permissions: before.permissions.filter((one: string) => one !== 'customer:export') },
      { field_rights: { ...before.field_rights, customer: { mobile: 'masked', level: 'hidden' } } },
      { scopes: { ...before.scopes, customer: 'self' } },
    ]
    for (const change of lost) {
      await save(change)
      try {
        const said = { fileUrl: null, message: '文件生成后你的权限有变化，请重新导出' }
        expect(await jobOf(id)).toMatchObject(said)
        const { list } = (await manager.post('/mini/job/list', {})).data
        expect(list.find((one: JsonObject) => one.id === id)).toMatchObject(said)
        // Nor does an address open it that was signed before.
        expect(await file(fileUrl)).not.toBe(200)
      } finally {
        const { permissions, field_rights, scopes } = before
        await save({ permissions, field_rights, scopes })
      }
    }
    expect(await jobOf(id)).toMatchObject({ message })
    expect(await file((await jobOf(id)).fileUrl)).toBe(200)
  })

  it('of before that was remembered is made again', async () => {
    const { id } = await made()
    await server.database.system((trx) =>
      sql`update work set input = input - 'rights' where tenant_id = 'xinghai' and id = ${id}`.execute(trx),
    )
    expect(await jobOf(id)).toMatchObject({ status: 'done', fileUrl: null, fileName: null })
  })
})
