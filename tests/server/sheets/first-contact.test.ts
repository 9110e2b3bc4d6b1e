import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSheetWriter } from '../../../src/server/flows/sheets/write-sheet.ts'
import { PEOPLE } from '../images.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { finished, uploadedBytes } from './finished-job.ts'

let server: TestApp
let manager: Client
beforeAll(async () => {
  server = await openTestApp({}, PEOPLE)
  manager = await server.as('manager')
})
afterAll(() => server.close())

async function imported(rows: readonly (readonly string[])[]) {
  const sheet = createSheetWriter([20])
  sheet.row(['客户名称', '手机', '联系人', '联系人手机'])
  for (const row of rows) sheet.row(row)
  const fileId = await uploadedBytes(server, manager, sheet.end())
  return finished(manager, await manager.post('/mini/customer/import/start', { fileId }))
}

async function contactOf(keyword: string) {
  const { list } = (await manager.post('/mini/contact/list', { keyword })).data
  return list.map(({ name, mobile }: { name: string; mobile: string }) => [name, mobile])
}

describe('the contact in a row of customers', () => {
  it('has the number of the customer, as on the form, if it has none of its own', async () => {
    const job = await imported([
      ['首位联系人一号厂', '13971000031', '钱掌柜', ''],
      ['首位联系人二号厂', '13971000032', '孙掌柜', '13971000033'],
    ])

    expect(job).toMatchObject({ ok: 2, failed: 0 })
    expect(await contactOf('钱掌柜')).toEqual([['钱掌柜', '13971000031']])
    expect(await contactOf('孙掌柜')).toEqual([['孙掌柜', '13971000033']])
  })

  it('is refused without any number, by a sentence that says whose is missing', async () => {
    const job = await imported([['首位联系人三号厂', '', '李掌柜', '']])

    expect(job.refused).toMatchObject([{ at: 2, reason: '联系人的手机、座机、微信、邮箱至少填写一项' }])
  })
})
