import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let schemas: string
let admin: Client
let colleague: Client
let elsewhere: Client

const word = (id: string, textContent: string): JsonObject => ({
  type: 'static-text',
  id,
  options: { name: id, textContent },
})
const page = (title: string, ...widgetList: JsonObject[]): JsonObject => ({
  formConfig: { page: { title } },
  widgetList,
})
const write = async (path: string, content: object): Promise<void> => {
  const file = join(schemas, `${path}.json`)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, JSON.stringify(content))
}

beforeAll(async () => {
  schemas = await mkdtemp(join(tmpdir(), 'crm-schemas-'))
  await write('routes', [
    { path: '/', page: '/pages/home', aliases: ['/pages/start'], title: '首页' },
    { path: '/pages/plan', title: '计划表' },
  ])
  await write('fragments/part/line', {
    with: { who: null, tone: 'weak' },
    widgetList: [word('who', '{{ with.who }}'), word('said', '到访')],
  })
  await write('fragments/part/acts', { actions: [{ do: 'back' }] })
  await write('pages/home', page('首页', word('a', '一'), word('b', '二')))
  await write('pages/plan', page('{{ data.title }}', word('secret-word', 'Quarter')))
  server = await openTestApp({ SCHEMAS_DIR: schemas })
  ;[admin, elsewhere] = await Promise.all([server.as('admin'), server.as('yfadmin')])
  colleague = await promoted()
})
afterAll(async () => {
  await server.close()
  await rm(schemas, { recursive: true, force: true })
})

/** A second person who may change forms. */
async function promoted(): Promise<Client> {
  await server.database.system((trx) =>
    sql`update role set permissions = permissions || '["system:form"]'::jsonb where code = 'sales_director'`.execute(
      trx,
    ),
  )
  return server.as('director')
}

const publish = (path: string, base: number, document: Json, by = admin): Promise<Answer> =>
  by.post('/engine/web/page/publish', { path, base, document })
const list = async (body: JsonObject = {}, by = admin): Promise<JsonObject[]> =>
  (await by.post('/engine/web/page/list', body)).data.list
const draft = async (path: string, by = admin) => (await by.get(`/engine/web/page/draft?path=${path}`)).data
const save = (path: string, base: number, document: Json, by = admin): Promise<Answer> =>
  by.post('/engine/web/page/draft/save', { path, base, document })

describe('a conflict', () => {
  it('says whether all versions since are one’s own', async () => {
    const path = '/pages/x/ours'
    await publish(path, 0, page('一', word('w', '一')))
    const own = await publish(path, 0, page('二', word('w', '二')))
    const theirs = await publish(path, 0, page('三', word('w', '三')), colleague)
    await publish(path, 1, page('四', word('w', '四')), colleague)
    const both = await publish(path, 0, page('五', word('w', '五')))
    const last = await publish(path, 1, page('六', word('w', '六')), colleague)
    await admin.post('/engine/web/page/rollback', { path, revision: 0 })

    expect([own, theirs, both, last].map(({ data }) => data.own)).toEqual([true, false, false, true])
  })
})

describe('the list of pages', () => {
  it('has the product’s, changed and new ones, found by title, path and text', async () => {
    await publish('/pages/plan', 0, page('我们的计划', word('q', 'Quarter')))
    await publish('/pages/x/board', 0, page('看板', word('w', '看板')))

    expect(await list()).toMatchObject([
      { path: '/pages/home', title: '首页', source: 'vendor', revision: 0, problems: 0 },
      {
        path: '/pages/plan',
        title: '我们的计划',
        source: 'changed',
        revision: 1,
        author: expect.any(String),
      },
      { path: '/pages/x/board', source: 'own', source_name: '自建' },
    ])
    expect((await list({ tab: 'own' })).map(({ path }) => path)).toEqual(['/pages/x/board'])
    expect((await list({ keyword: 'QUARTER' })).map(({ path }) => path)).toEqual(['/pages/plan'])
    expect((await list({}, elsewhere)).map(({ path, source, title }) => [path, source, title])).toEqual([
      ['/pages/home', 'vendor', '首页'],
      ['/pages/plan', 'vendor', '计划表'],
    ])
  })

  it('lists what opens a page, and keeps the list of a deleted page', async () => {
    const facts = async (path: string) =>
      (await admin.get(`/engine/web/page/facts?path=${path}`)).data?.record
    await publish('/pages/x/away', 0, page('去', word('w', '去')))
    await admin.post('/engine/web/page/rollback', { path: '/pages/x/away', revision: 0 })

    expect(await facts('/')).toMatchObject({
      path: '/pages/home',
      addresses: '/、/pages/start',
      source: 'vendor',
    })
    expect(await facts('/pages/x/away')).toMatchObject({ source_name: '已撤下', open: false })
    expect(await facts('/pages/x/never')).toBeUndefined()
  })
})

describe('a page open in the workbench', () => {
  const visit = async (path: string, who: Client): Promise<Json> =>
    (await who.post('/engine/web/page/visit', { path })).data
  const openBy = async () =>
    ((await list({ keyword: '/pages/home' })) as readonly JsonObject[]).find(
      ({ path }) => path === '/pages/home',
    )?.open_by

  it('names the colleagues who have it open too, until they leave or are silent, and no users of another tenant', async () => {
    expect(await visit('/pages/home', elsewhere)).toEqual({ here: [] })
    expect(await visit('/pages/home', colleague)).toEqual({ here: [] })
    const { here } = (await visit('/pages/home', admin)) as { readonly here: readonly string[] }
    expect(here).toHaveLength(1)
    expect(await openBy()).toBe(here[0])

    await colleague.post('/engine/web/page/leave', { path: '/pages/home' })
    expect(await visit('/pages/home', admin)).toEqual({ here: [] })
    await visit('/pages/home', colleague)
    await server.database.system((trx) =>
      sql`update page_visit set seen_at = seen_at - interval '91 seconds' where user_id <> 'u-admin'`.execute(
        trx,
      ),
    )
    expect(await openBy()).toBe('')
    expect(await visit('/pages/home', admin)).toEqual({ here: [] })
    expect((await admin.post('/engine/web/page/visit', { path: '/pages/never' })).meta.code).toBe(404)
  })
})

describe('a draft', () => {
  it('is stored as typed, valid or not, only for its author, and is deleted when it is published', async () => {
    const path = '/pages/x/draft'
    expect(await draft(path)).toMatchObject({
      draft: null,
      base: 0,
      text: expect.stringContaining('widgetList'),
    })

    const broken = await save(path, 0, '{ "widgetList": [')
    expect(broken.data).toMatchObject({ faults: 1, preview: null, problems: [{ code: 'JSON_INVALID' }] })
    expect(await draft(path)).toMatchObject({ text: '{ "widgetList": [', stale: false })
    expect(await list({ tab: 'own', keyword: 'draft' })).toMatchObject([
      { path, published: false, drafts: 1 },
    ])

    const good = page('草稿', word('w', '好'))
    expect((await save(path, 0, good)).data).toMatchObject({ faults: 0, preview: good })
    await publish(path, 0, good)
    expect(await draft(path)).toMatchObject({ draft: null, base: 1, others: [] })
  })

  it('is visible to the other authors of the page, and to no other tenant', async () => {
    const path = '/pages/home'
    await save(path, 0, '{}', colleague)

    expect(await draft(path)).toMatchObject({
      draft: null,
      others: [{ author: expect.stringMatching(/./), base: 0 }],
    })
    expect((await draft(path)).others_text).toContain('也在改')
    expect(await draft(path, elsewhere)).toMatchObject({ draft: null, others: [] })
    await colleague.post('/engine/web/page/draft/delete', { path })
    expect((await draft(path)).others).toEqual([])
  })

  it('is not overwritten by a second window of its author: that window receives the stored draft', async () => {
    const path = '/pages/x/windows'
    const keep = async (after: string, textContent: string) =>
      admin.post('/engine/web/page/draft/save', {
        path,
        base: 0,
        document: page('稿', word('w', textContent)),
        after,
        preview: false,
      })
    const first = await keep('', '一')
    const second = await keep(first.data.stamp, '二')
    expect(second.data).toMatchObject({ faults: 0, preview: null, others: [] })
    expect(second.data.stamp).not.toBe(first.data.stamp)

    const late = await keep(first.data.stamp, '三')
    expect(late.meta).toMatchObject({ code: 409, message: '您在另一个窗口也改了这个页面' })
    expect(late.data.draft).toMatchObject({ stamp: second.data.stamp, text: expect.stringContaining('二') })
    expect((await keep('', '四')).meta.code).toBe(409)
    expect((await draft(path)).draft).toMatchObject({ stamp: second.data.stamp })
  })

  it('of a colleague can be read by authors of pages, and by no other tenant', async () => {
    const path = '/pages/home'
    const { data } = await save(path, 0, '{ "theirs": 1 }', colleague)
    expect(data.others).toEqual([])
    const [other] = (await draft(path)).others
    const of = `/engine/web/page/draft/of?path=${path}&user=${other.user}`

    expect((await admin.get(of)).data).toEqual({ text: '{ "theirs": 1 }', base: 0 })
    expect((await elsewhere.get(of)).meta.code).toBe(404)
    await colleague.post('/engine/web/page/draft/delete', { path })
    expect((await admin.get(of)).meta.code).toBe(404)
  })

  it('that is outdated is merged by widget with what was published meanwhile', async () => {
    const path = '/pages/x/both'
    const base = page('两人', word('a', '一'), word('b', '二'))
    await publish(path, 0, base)
    await save(path, 1, page('两人', word('a', '我的'), word('b', '二')))
    await publish(path, 1, page('两人', word('a', '他的'), word('b', '也是他的'), word('c', '三')), colleague)

    const mine = await draft(path)
    expect(mine).toMatchObject({ stale: true, base: 1, revision: 2 })
    const { data } = await admin.post('/engine/web/page/merge', { path, base: 1, document: mine.text })

    expect(data.document).toEqual(page('两人', word('a', '我的'), word('b', '也是他的'), word('c', '三')))
    // Unchanged parts keep their formatting.
    const [first, ...more] = String(mine.text).split('"二"')
    expect(data.text.startsWith(`${first}"也是他的"`)).toBe(true)
    expect(more).toHaveLength(1)
    expect(data).toMatchObject({ revision: 2, conflicts: [{ id: '#a', what: 'options.textContent' }] })
    expect(data.clashes).toContain('双方都改了文字')
    expect((await publish(path, data.revision, data.text)).data.revision).toBe(3)
  })
})

describe('an upgrade of the product', () => {
  it('below a changed page is reported, and merged with it by widget before it is live', async () => {
    const path = '/pages/home'
    const ours = page('我们的首页', word('a', '一'), word('b', '二'))
    await publish(path, 0, ours)
    const upgrade = async () => (await admin.get(`/engine/web/page/upgrade?path=${path}`)).data
    expect(await upgrade()).toEqual({ pending: false })

    await write('pages/home', page('首页', word('a', '一'), word('new', '新的'), word('b', '二')))
    await expect.poll(async () => (await upgrade()).pending, { timeout: 5000 }).toBe(true)

    const { changes, document, conflicts, revision } = await upgrade()
    expect(changes).toEqual(['新增“新的”'])
    expect(conflicts).toEqual([])
    expect(document).toEqual(page('我们的首页', word('a', '一'), word('new', '新的'), word('b', '二')))
    expect(await list({ keyword: '我们的首页' })).toMatchObject([{ outgrown: true }])
    const live = JSON.parse((await admin.get(`/engine/web/page/detail?path=${path}`)).body)
    expect(live).toEqual(ours)

    await publish(path, revision, document)
    expect(await upgrade()).toEqual({ pending: false })
    expect(await list({ keyword: '我们的首页' })).toMatchObject([{ outgrown: false }])
  })
})

describe('the palette', () => {
  it('lists the parts for a page, and the parameters of each', async () => {
    const { data } = await admin.get('/engine/web/page/fragments')
    expect(data).toEqual({ list: [{ name: 'part/line', label: '到访', asks: ['who'] }] })
  })

  it('has the pinyin of words, by syllables and first letters', async () => {
    const { data } = await admin.post('/engine/web/page/readings', { words: ['单行文本', '客户级别', 'A4'] })
    expect(data).toEqual({
      list: ['danhangwenben dhwb', 'kehujibie khjb', expect.stringContaining('a4')],
    })
  })
})
