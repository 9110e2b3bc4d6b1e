import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let schemas: string
let admin: Client

beforeAll(async () => {
  schemas = await mkdtemp(join(tmpdir(), 'crm-schemas-'))
  await cp(join(import.meta.dirname, '../../../schemas'), schemas, { recursive: true })
  server = await openTestApp({ SCHEMAS_DIR: schemas })
  admin = await server.as('admin')
})
afterAll(async () => {
  await server.close()
  await rm(schemas, { recursive: true, force: true })
})

const word = (id: string, textContent: string): JsonObject => ({
  type: 'static-text',
  id,
  options: { name: id, textContent },
})
const publish = (path: string, base: number, document: Json): Promise<Answer> =>
  admin.post('/engine/web/page/publish', { path, base, document })

describe('changes of a newer release in a page that a tenant has changed', () => {
  it('are not lost if a page is published without them: open ones are proposed again until they are decided', async () => {
    const path = '/pages/customer/my/add'
    const own = word('ours', '我们的')
    const source = async () => (await admin.get(`/engine/web/page/source?path=${path}`)).data
    const upgrade = async () => (await admin.get(`/engine/web/page/upgrade?path=${path}`)).data
    const shipped = (await source()).document
    const titled = (title: string, document: JsonObject): JsonObject => {
      const { formConfig } = document as { formConfig: { page: JsonObject } & JsonObject }
      return { ...document, formConfig: { ...formConfig, page: { ...formConfig.page, title } } }
    }
    const ours = titled('登记客户', { ...shipped, widgetList: [...shipped.widgetList, own] })
    await publish(path, 0, ours)
    const newer = { ...shipped, widgetList: [word('theirs', '新版提示'), ...shipped.widgetList] }
    await writeFile(join(schemas, 'pages/customer/my/add.json'), JSON.stringify(titled('新增客户', newer)))
    await expect.poll(async () => (await upgrade()).pending).toBe(true)

    const more = titled('登记客户', {
      ...shipped,
      widgetList: [...shipped.widgetList, own, word('more', '又加')],
    })
    const undecided = await publish(path, 1, more)
    const asked = await upgrade()
    await publish(path, undecided.data.revision, asked.document)
    const clash = await upgrade()
    const { vendorEtag, revision } = await source()
    await admin.post('/engine/web/page/publish', {
      path,
      base: revision,
      document: clash.document,
      vendorEtag,
    })

    expect(asked).toMatchObject({
      pending: true,
      revision: 2,
      conflicts: [{ what: 'formConfig.page.title' }],
    })
    expect(asked.document.widgetList.map(({ id }: JsonObject) => id)).toEqual([
      'theirs',
      ...shipped.widgetList.map(({ id }: JsonObject) => id),
      'ours',
      'more',
    ])
    expect(clash).toMatchObject({
      pending: true,
      revision: 3,
      conflicts: [{ what: 'formConfig.page.title' }],
    })
    expect(clash.document).toEqual(asked.document)
    expect(await upgrade()).toEqual({ pending: false })
    expect((await source()).document.formConfig.page.title).toBe('登记客户')
  })
})
