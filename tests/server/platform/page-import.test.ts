import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkPage } from '../../../src/server/kernel/pages/check.ts'
import { uploadedBytes } from '../sheets/finished-job.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let admin: Client
beforeAll(async () => {
  server = await openTestApp()
  admin = await server.as('admin')
})
afterAll(() => server.close())

/** Real documents of public projects are not part of the repository. */
const corpus = fileURLToPath(new URL('../../../../shared/vform/corpus/', import.meta.url))
const real = existsSync(corpus) ? readdirSync(corpus).filter((name) => name.endsWith('.json')) : []
/** Our own documents of the format, used if those are absent. */
const ours = fileURLToPath(new URL('../../../schemas/pages/vform/', import.meta.url))
const files = [
  ...real.map((name) => join(corpus, name)),
  ...readdirSync(ours, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(ours, name)),
]

const FROM_ELSEWHERE = `\uFEFF{\r
\t"widgetList": [\r
\t\t{ "type": "input", "formItemFlag": true, "options": { "name": "a", "label": "A", "onChange": "this.setFormJson({}); this.hideAll()" } },\r
\t\t{ "type": "sealFile", "options": { "name": "b", "onDisabledDate": "return true" } }\r
\t],\r
\t"formConfig": { "dataSources": [{ "uniqueName": "s", "requestURL": "https://elsewhere.example/x", "requestMethod": "get" }] }\r
}\r
`

const check = (path: string, text: string, by = admin): Promise<Answer> =>
  by.post('/engine/web/page/import/check', { path, text })
const bring = (path: string, text: string): Promise<Answer> =>
  admin.post('/engine/web/page/import', { path, text })

describe('an imported VForm document', () => {
  it('is reported with its unsupported parts, each with its position and an alternative', async () => {
    const { data } = await check('/pages/x/elsewhere', FROM_ELSEWHERE)

    expect(data).toMatchObject({ fits: true, problems: [], widgets: 2 })
    expect(
      data.list.map(({ word, words, place }: Record<string, string>) => `${word} ${words} ${place}`),
    ).toEqual([
      '组件 没有组件“sealFile”：显示为一条提示 第 4 行，第 3 列',
      expect.stringMatching(
        /^脚本 脚本里的 setFormJson 用不了：页面要发布，不能由脚本换掉：跳转到另一个页面 第 3 行/,
      ),
      expect.stringMatching(/^脚本 脚本里的 hideAll 用不了：没有这个方法 第 3 行/),
      expect.stringMatching(/^钩子 钩子 onDisabledDate 不会运行：用 minDate 和 maxDate 第 4 行/),
      expect.stringMatching(/^选项 .*elsewhere\.example/),
    ])
  })

  it('becomes a page with the same bytes, which opens at its address', async () => {
    expect((await bring('/pages/x/elsewhere', FROM_ELSEWHERE)).meta).toMatchObject({ code: 200 })

    const source = await admin.get('/engine/web/page/source?path=/pages/x/elsewhere')
    const served = await admin.get('/engine/web/page/detail?path=/pages/x/elsewhere')

    expect(source.data.text).toBe(FROM_ELSEWHERE)
    expect(checkPage(JSON.parse(served.body)).filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('takes the given title, else its own; the title is inserted at one place, and the rest stays', async () => {
    const at = async (path: string) => {
      const { list } = (await admin.post('/engine/web/page/list', { keyword: path })).data
      return list[0].title
    }
    const own = FROM_ELSEWHERE.replace('"formConfig": {', '"formConfig": { "formName": "来访登记",')
    expect((await check('/pages/x/titled', FROM_ELSEWHERE)).data.title).toBe('')
    expect((await check('/pages/x/titled', own)).data.title).toBe('来访登记')

    const said = { path: '/pages/x/titled', text: FROM_ELSEWHERE, title: '访客' }
    expect((await admin.post('/engine/web/page/import', said)).meta).toMatchObject({ code: 200 })
    await bring('/pages/x/own-title', own)
    const source = await admin.get('/engine/web/page/source?path=/pages/x/titled')

    expect(await at('/pages/x/titled')).toBe('访客')
    expect(await at('/pages/x/own-title')).toBe('来访登记')
    expect(source.data.text.replace(/,?\s*"formName": "访客"/, '')).toBe(FROM_ELSEWHERE)
  })

  it('can also be uploaded as a file, byte for byte', async () => {
    const fileId = await uploadedBytes(server, admin, Buffer.from(FROM_ELSEWHERE), 'vform.json')

    const path = '/pages/x/file'
    const { data } = await admin.post('/engine/web/page/import/check', { path, fileId })
    const brought = await admin.post('/engine/web/page/import', { path, fileId })
    const source = await admin.get(`/engine/web/page/source?path=${path}`)

    expect(data.fits).toBe(true)
    expect(brought.meta).toMatchObject({ code: 200 })
    expect(source.data.text).toBe(FROM_ELSEWHERE)
  })

  it('that is not JSON, no page, or empty is reported with its position', async () => {
    const broken = await check('/pages/x/broken', '{ "widgetList": [ }')
    const other = await check('/pages/x/broken', '[1, 2]')
    const empty = await check('/pages/x/broken', '{ "widgetList": [], "formConfig": {} }')

    expect(broken.data).toMatchObject({ fits: false, problems: [{ code: 'JSON_INVALID', line: 1 }] })
    expect(other.data).toMatchObject({ fits: false, list: [] })
    expect(empty.data).toMatchObject({ fits: false, problems: [{ code: 'PAGE_EMPTY' }] })
  })

  it('is stored as it came and served as a page that opens, for each real document', async () => {
    for (const [i, file] of files.entries()) {
      const text = readFileSync(file, 'utf8')
      const path = `/pages/x/real/p${i}`
      const { data } = await check(path, text)
      expect(data, file).toMatchObject({ fits: true, problems: [] })
      const published = await bring(path, text)
      expect(published.meta, file).toMatchObject({ code: 200 })
      const source = await admin.get(`/engine/web/page/source?path=${path}`)
      expect(source.data.text, file).toBe(text)
    }
  })

  it('is placed below /pages/x/ and never at a path that is taken', async () => {
    for (const [path, words] of [
      ['/pages/customer/my/add', '地址要在 /pages/x/ 下面'],
      ['/pages/x/elsewhere', '已经有页面'],
    ] as const) {
      const { data } = await check(path, FROM_ELSEWHERE)
      expect(data).toMatchObject({ fits: false, problems: [{ message: expect.stringContaining(words) }] })
    }
    expect((await bring('/pages/customer/my/add', FROM_ELSEWHERE)).meta).toMatchObject({ code: 400 })
    expect((await bring('/pages/x/elsewhere', FROM_ELSEWHERE)).meta).toMatchObject({ code: 409 })
  })

  it('that is not JSON is reported with the position', async () => {
    const { data } = await check('/pages/x/broken', '{ "widgetList": [ }')
    expect(data).toMatchObject({ fits: false, problems: [{ message: expect.any(String), line: 1 }] })
  })

  it('needs the right to change forms, and the user’s own files', async () => {
    const fileId = await uploadedBytes(server, admin, Buffer.from(FROM_ELSEWHERE), 'vform.json')
    const director = await server.as('director')
    const elsewhere = await server.as('yfadmin')

    expect((await check('/pages/x/none', FROM_ELSEWHERE, director)).meta).toMatchObject({ code: 405 })
    const stolen = await elsewhere.post('/engine/web/page/import/check', { path: '/pages/x/none', fileId })
    expect(stolen.meta).toMatchObject({ code: 404 })
  })
})

describe('a new page', () => {
  const begin = (body: Record<string, string>, by = admin): Promise<Answer> =>
    by.post('/engine/web/page/begin', body)
  const draftOf = async (path: string) => (await admin.get(`/engine/web/page/draft?path=${path}`)).data.draft

  it('can start from a template, and no template has a fault', async () => {
    const { templates } = (await admin.get('/engine/web/page/start')).data
    expect(templates.length).toBeGreaterThan(2)
    for (const [i, { value, label }] of templates.entries()) {
      const path = `/pages/x/from/t${i}`
      expect((await begin({ path, template: value })).meta).toMatchObject({ code: 200 })
      const { text } = await draftOf(path)
      const { data } = await admin.post('/engine/web/page/check', { path, document: text })

      expect(JSON.parse(text).formConfig.page.title).toBe(label)
      expect(data).toEqual({ problems: [], advice: [] })
    }
  })

  it('can start from another page as written, including those of modules', async () => {
    const { pages } = (await admin.get('/engine/web/page/start')).data
    const values = pages.map(({ value }: { value: string }) => value)
    expect(values).toContain('/pages/m/quotation/index')
    for (const page of ['/pages/m/quotation/index', '/pages/customer/my/add', '/pages/x/elsewhere']) {
      const path = `/pages/x/from/p${values.indexOf(page)}`
      expect((await begin({ path, page })).meta, page).toMatchObject({ code: 200 })
      const source = await admin.get(`/engine/web/page/source?path=${page}`)

      expect((await draftOf(path)).text, page).toBe(source.data.text)
    }
  })

  it('can start from a page of a module of the product or of the tenant', async () => {
    const { modules } = (await admin.get('/engine/web/page/start')).data
    const said = new Map(modules.map(({ value, label }: Record<string, string>) => [label, value]))
    expect(said.get('客户 · 新建和编辑')).toBe('/pages/customer/my/add')
    expect(said.get('客户 · 列表')).toBe('/pages/customer/my/index')
    expect(said.get('报价单 · 详情')).toBe('/pages/m/quotation/detail')
    for (const [i, page] of [...said.values()].entries())
      expect((await begin({ path: `/pages/x/from/m${i}`, page: String(page) })).meta.code, String(page)).toBe(
        200,
      )
  })

  it('has a unique address, and a starting point', async () => {
    const answers = await Promise.all([
      begin({ path: '/pages/x/elsewhere', template: '1-form' }),
      begin({ path: '/pages/product/add', template: '1-form' }),
      begin({ path: '/pages/x/none', template: '../app' }),
      begin({ path: '/pages/x/none' }),
      begin({ path: '/pages/x/none', template: '1-form' }, await server.as('director')),
    ])

    expect(answers.map(({ meta }) => meta.code)).toEqual([400, 400, 404, 404, 405])
  })
})
