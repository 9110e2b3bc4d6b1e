import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { uploadedBytes } from '../sheets/finished-job.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let admin: Client
let other: Client
const PATH = '/pages/x/again'
const FORM = '/pages/customer/my/add'

beforeAll(async () => {
  server = await openTestApp()
  ;[admin, other] = await Promise.all([server.as('admin'), server.as('yfadmin')])
  const items = [{ value: 'good', label: '好' }]
  const done = [
    await admin.post('/engine/web/dict/save', {
      id: 'handover_state',
      create: true,
      name: '交付情况',
      items,
    }),
    await admin.post('/engine/web/module/save', {
      description: {
        name: 'handover',
        label: '交付登记',
        title: 'title',
        behaviours: ['owned', 'history', 'recycle'],
        fields: [
          { name: 'title', kind: 'text', label: '标题', required: true },
          { name: 'state', kind: 'choice', label: '情况', dict: 'handover_state' },
        ],
      },
    }),
    await admin.post('/engine/web/page/publish', { path: PATH, base: 0, document: two('甲', '乙') }),
    await admin.post('/engine/web/menu/save', {
      title: '交付看板',
      path: PATH,
      icon: 'AppOutline',
      slot: ['common'],
    }),
  ]
  expect(done.map(({ meta }) => meta.code)).toEqual(done.map(() => 200))
})
afterAll(() => server.close())

const two = (one: string, second: string): JsonObject => ({
  formConfig: { page: { title: '看板' } },
  widgetList: [
    { type: 'static-text', id: 'a', options: { name: 'a', textContent: one } },
    { type: 'static-text', id: 'b', options: { name: 'b', textContent: second } },
  ],
})
async function exported(chosen: readonly string[] = []): Promise<string> {
  const { data } = await admin.post('/engine/web/package/export', { title: '交付包', chosen: [...chosen] })
  return (await admin.get(data.url)).body
}
const upload = (text: string) => uploadedBytes(server, other, Buffer.from(text), 'package.json')
const check = async (text: string): Promise<JsonObject[]> =>
  (await other.post('/engine/web/package/check', { fileId: await upload(text) })).data.list
const bring = async (text: string): Promise<string> =>
  (await other.post('/engine/web/package/import', { fileId: await upload(text) })).data.id
const call = (verb: string, body: JsonObject): Promise<Answer> =>
  other.post(`/engine/web/changeset/${verb}`, body)
const judged = async (id: string): Promise<JsonObject[]> => (await call('check', { id })).data.items
const words = (list: readonly JsonObject[]) => list.map(({ kind_name, words }) => `${kind_name} ${words}`)
const page = async (path: string) => (await other.get(`/engine/web/page/source?path=${path}`)).data
const publishes = async (document: JsonObject, base: number, path = PATH, by = other) =>
  expect((await by.post('/engine/web/page/publish', { path, base, document })).meta).toMatchObject({
    message: '',
  })

describe('a package that is imported again', () => {
  it('says of each thing that nothing changes, writes nothing, and does not stand in the way of taking the first back', async () => {
    const file = await exported()
    const first = await bring(file)
    expect((await call('publish', { id: first })).meta).toMatchObject({ message: '' })
    const module = async () => (await other.get('/engine/web/module/detail?name=handover')).data.version
    const version = await module()

    const same = ['字典 没有变化', '模块 没有变化', '页面 没有变化', '菜单 没有变化']
    expect(words(await check(file))).toEqual(same)
    const second = await bring(file)
    const detail = async () => (await other.get(`/engine/web/changeset/detail?id=${second}`)).data
    expect(words((await detail()).list)).toEqual(same)
    expect((await call('publish', { id: second })).meta).toMatchObject({ message: '' })
    expect(words((await detail()).list)).toEqual(same)
    expect(await module()).toBe(version)
    const versions = (await other.get(`/engine/web/page/versions?path=${PATH}`)).data.list
    expect(versions.map(({ revision }: JsonObject) => revision)).toEqual([1])
    const { list } = (await other.get(`/engine/web/changeset/of-page?path=${PATH}`)).data
    expect(list.map(({ id }: JsonObject) => id)).toEqual([first])

    // The second wrote nothing: taking it back changes nothing, and the first is taken back without a question.
    expect((await call('rollback', { id: second })).meta).toMatchObject({ message: '' })
    expect(await module()).toBe(version)
    expect((await page(PATH)).revision).toBe(1)
    expect((await call('rollback', { id: first })).meta).toMatchObject({ message: '' })
    expect((await other.get('/engine/web/module/detail?name=handover')).meta.code).toBe(404)
  })

  it('keeps what the tenant added, where it stands, and says nothing of it', async () => {
    const file = await exported()
    expect((await call('publish', { id: await bring(file) })).meta).toMatchObject({ message: '' })
    const field = { name: 'mine', kind: 'text', label: '我们的' }
    await other.post('/engine/web/field/save', { module: 'handover', field })
    const { data } = await other.get('/engine/web/module/detail?name=handover')
    const [title, state, mine] = data.description.fields
    const moved = { ...data.description, fields: [title, mine, state] }
    await other.post('/engine/web/module/save', { description: moved, base: data.version })

    expect(words(await check(file))).toContain('模块 没有变化')
    await admin.post('/engine/web/field/save', {
      module: 'handover',
      field: { name: 'late', kind: 'flag', label: '延期' },
    })
    const newer = await exported(['module handover'])
    expect(words(await check(newer))).toEqual(['字典 没有变化', '模块 新增字段“延期”'])
    await call('publish', { id: await bring(newer) })
    const { description } = (await other.get('/engine/web/module/detail?name=handover')).data
    expect(description.fields.map(({ name }: JsonObject) => name)).toEqual(['title', 'mine', 'state', 'late'])
  })

  it('is a conflict over a page that the tenant has published since, and merged with what the package brought last', async () => {
    const chosen = [`page ${PATH}`]
    await call('publish', { id: await bring(await exported(chosen)) })
    expect((await page(PATH)).document).toEqual(two('甲', '乙'))
    const { revision } = await page(PATH)
    await publishes(two('甲', '我们的乙'), revision)
    const old = await exported(chosen)
    expect(await check(old)).toMatchObject([{ ok: false, conflict: true, title: '看板' }])
    const again = await bring(old)
    expect((await call('publish', { id: again })).meta.code).toBe(409)
    expect((await call('merge', { id: again, name: PATH })).data).toMatchObject({ clashes: '' })
    expect(words(await judged(again))).toEqual(['页面 没有变化'])

    await publishes(two('甲二', '乙'), 1, PATH, admin)
    const newer = await bring(await exported(chosen))
    expect(await judged(newer)).toMatchObject([{ ok: false, conflict: true }])
    expect((await call('merge', { id: newer, name: PATH })).data).toMatchObject({ clashes: '' })
    expect((await call('publish', { id: newer })).meta).toMatchObject({ message: '' })
    expect((await page(PATH)).document).toEqual(two('甲二', '我们的乙'))

    // What was merged is the tenant's, not the package's: the next one does not overwrite it either.
    await publishes(two('甲三', '乙'), 2, PATH, admin)
    const third = await bring(await exported(chosen))
    expect(await judged(third)).toMatchObject([{ ok: false, conflict: true }])
    await call('merge', { id: third, name: PATH })
    expect((await call('publish', { id: third })).meta).toMatchObject({ message: '' })
    expect((await page(PATH)).document).toMatchObject(two('甲三', '我们的乙'))
  })

  it('takes the place of its own version, also of one that was taken back', async () => {
    const path = '/pages/x/steady'
    await publishes(two('一', '二'), 0, path, admin)
    const first = await bring(await exported([`page ${path}`]))
    await call('publish', { id: first })
    await publishes(two('一', '三'), 1, path, admin)
    const second = await bring(await exported([`page ${path}`]))
    expect(await judged(second)).toMatchObject([{ ok: true }])
    await call('publish', { id: second })
    expect((await page(path)).document).toEqual(two('一', '三'))
    await call('rollback', { id: second })
    expect((await page(path)).document).toEqual(two('一', '二'))
    const third = await bring(await exported([`page ${path}`]))
    expect(await judged(third)).toMatchObject([{ ok: true }])
    await call('rollback', { id: first })
    expect(await check(await exported([`page ${path}`]))).toMatchObject([{ ok: true, words: '新建页面' }])
  })

  it('is a conflict over a page of the product that the tenant has changed itself', async () => {
    const document = (await admin.get(`/engine/web/page/source?path=${FORM}`)).data.document
    const titled = (title: string): JsonObject => ({
      ...document,
      formConfig: { ...document.formConfig, page: { ...document.formConfig.page, title } },
    })
    await publishes(titled('星海新建客户'), 0, FORM, admin)
    await publishes(titled('云帆新建客户'), 0, FORM)

    const id = await bring(await exported([`page ${FORM}`]))
    expect(await judged(id)).toMatchObject([{ ok: false, conflict: true }])
    expect((await call('publish', { id })).meta.code).toBe(409)
    expect((await page(FORM)).document).toMatchObject(titled('云帆新建客户'))
    const merged = (await call('merge', { id, name: FORM })).data
    expect(merged.clashes).not.toBe('')
  })
})
