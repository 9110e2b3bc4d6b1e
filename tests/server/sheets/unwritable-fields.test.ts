import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSheetWriter } from '../../../src/server/flows/sheets/write-sheet.ts'
import { PEOPLE } from '../images.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { finished, readSheetOf, uploadedBytes } from './finished-job.ts'

const REASON = '您没有修改该字段的权限'
const ENTITIES = ['customer', 'lead', 'contact'] as const

let server: TestApp
/** May read but not write remarks. */
let reader: Client
let customer: { readonly id: string; readonly name: string }
beforeAll(async () => {
  server = await openTestApp({}, PEOPLE)
  const rights = JSON.stringify(Object.fromEntries(ENTITIES.map((entity) => [entity, { remark: 'read' }])))
  await server.database.system((trx) =>
    sql`update role set field_rights = ${rights}::jsonb where tenant_id = 'xinghai' and code = 'sales_director'`.execute(
      trx,
    ),
  )
  reader = await server.as('director')
  const made = await reader.post('/mini/customer/create', { name: '有联系人的公司' })
  customer = { id: made.data.id, name: '有联系人的公司' }
})
afterAll(() => server.close())

// A form's verdict that was begun beside such a refusal, and awaited by nobody, ended the process. It would fail this run.
describe('a new record with a field that its author may not write', () => {
  const bodies = () => ({
    customer: { name: '无权公司', mobile: '13971000021', remark: '偷写' },
    lead: { name: '无权线索', contact_name: '王先生', mobile: '13971000022', remark: '偷写' },
    contact: { customer_id: customer.id, name: '王先生', mobile: '13971000023', remark: '偷写' },
  })
  const rows = () => ({
    customer: [
      ['客户名称', '手机', '备注'],
      ['无权公司', '13971000021', '偷写'],
    ],
    lead: [
      ['线索名称', '联系人姓名', '手机', '线索来源', '备注'],
      ['无权线索', '王先生', '13971000022', '官网咨询', '偷写'],
    ],
    contact: [
      ['客户名称', '联系人姓名', '手机', '备注'],
      [customer.name, '王先生', '13971000023', '偷写'],
    ],
  })

  it.each(ENTITIES)('is refused: %s', async (entity) => {
    const { meta } = await reader.post(`/mini/${entity}/create`, bodies()[entity])

    expect(meta.code).toBe(405)
    expect(meta.error?.fields).toEqual({ remark: REASON })
  })

  it.each(ENTITIES)(
    'is not offered for a column of a file, nor guessed, and refused where it is chosen: %s',
    async (entity) => {
      const sheet = createSheetWriter([20])
      for (const row of rows()[entity]) sheet.row(row)
      const fileId = await uploadedBytes(server, reader, sheet.end())

      const { data } = await reader.post(`/mini/${entity}/import/preview`, { fileId })

      const chosen: { field: string | null }[] = data.columns
      const mapping = chosen.map(({ field }) => field)
      expect([data.unmatched, data.missing, mapping.at(-1)]).toEqual([['备注'], [], null])
      expect(data.fields.map(({ value }: { value: string }) => value)).not.toContain('remark')
      const forced = [...mapping.slice(0, -1), 'remark']
      const told = '您没有填写「备注」的权限，请把对应的列改为不导入'
      for (const step of ['preview', 'check', 'start']) {
        const { meta } = await reader.post(`/mini/${entity}/import/${step}`, { fileId, mapping: forced })
        expect([meta.code, meta.message]).toEqual([400, told])
      }
      const job = await finished(
        reader,
        await reader.post(`/mini/${entity}/import/check`, { fileId, mapping }),
      )
      expect([job.ok, job.refused]).toEqual([1, []])
    },
  )

  it.each(ENTITIES)('is a refused row of an import, and the import ends: %s', async (entity) => {
    const sheet = createSheetWriter([20])
    for (const row of rows()[entity]) sheet.row(row)
    const fileId = await uploadedBytes(server, reader, sheet.end())

    const job = await finished(reader, await reader.post(`/mini/${entity}/import/start`, { fileId }))

    expect(job).toMatchObject({ status: 'done', ok: 0, failed: 1 })
    expect(JSON.stringify(await readSheetOf(server, job.fileUrl))).toContain(REASON)
  })
})
