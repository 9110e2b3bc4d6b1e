import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { finished, readSheetOf } from '../sheets/finished-job.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let admin: Client
beforeAll(async () => {
  server = await openTestApp()
  admin = await server.as('admin')
})
afterAll(() => server.close())

const OLD = '客户级别'
const NEW = '重要程度'
const pagesOf = async (client: Client): Promise<Readonly<Record<string, string>>> => {
  const { pages } = JSON.parse((await client.get('/engine/web/page/bundle')).body) as {
    pages: Record<string, Json>
  }
  return Object.fromEntries(
    Object.entries(pages)
      .filter(([path]) => !path.startsWith('/pages/vform'))
      .map(([path, document]) => [path, JSON.stringify(document)]),
  )
}
const saying = (pages: Readonly<Record<string, string>>, word: string): readonly string[] =>
  Object.keys(pages).filter((path) => pages[path]?.includes(word))

it('a renamed field of the product has its new name in list, filters, detail, form, sheets and history', async () => {
  const before = await pagesOf(admin)
  const { data } = await admin.post('/mini/customer/create', { name: '改名公司', level: 'B' })
  await admin.post('/mini/customer/update', { id: data.id, version: 1, level: 'A' })

  await admin.post('/engine/web/field/save', { module: 'customer', field: { name: 'level', label: NEW } })
  const after = await pagesOf(admin)
  const other = await pagesOf(await server.as('yfadmin'))
  const { url } = (await admin.post('/mini/customer/import/template', {})).data
  const template = await readSheetOf(server, url)
  const exported = await sheetOf(await admin.post('/mini/customer/export', { ids: [data.id] }))
  const history = await admin.get(`/mini/customer/log?id=${data.id}`)

  expect(saying(before, OLD)).toEqual(
    expect.arrayContaining([
      '/pages/customer/my/add',
      '/pages/customer/my/detail',
      '/pages/customer/my/index',
      '/pages/customer/pool/detail',
      '/pages/customer/pool/index',
      '/pages/customer/my/follow/add',
    ]),
  )
  expect(saying(after, OLD)).toEqual([])
  expect(saying(after, NEW)).toEqual(expect.arrayContaining([...saying(before, OLD)]))
  expect(saying(other, OLD)).toEqual(saying(before, OLD))
  expect(JSON.stringify(history.data)).toContain(NEW)
  expect([template[0], exported[0]]).toEqual([
    expect.arrayContaining([expect.stringMatching(`^${NEW}`)]),
    expect.arrayContaining([NEW]),
  ])
})

const sheetOf = async (asked: Answer) => readSheetOf(server, (await finished(admin, asked)).fileUrl)
