import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { createApp } from '../../../src/server/http/app.ts'
import { createLog } from '../../../src/server/kernel/config/log.ts'
import { rightPage, WRONG, wrongPage } from '../../support/wrong-pages.ts'
import { type Answer, type Client, openTestApp, SECRET_OF_TESTS, type TestApp } from '../support.ts'

let server: TestApp
let admin: Client
let sales: Client
let elsewhere: Client

beforeAll(async () => {
  server = await openTestApp()
  ;[admin, sales, elsewhere] = await Promise.all([
    server.as('admin'),
    server.as('demo'),
    server.as('yfadmin'),
  ])
})
afterAll(() => server.close())

const FORM = '/pages/customer/my/add'
const says = (textContent: string, more: JsonObject = {}): JsonObject => ({
  formConfig: { page: { title: textContent } },
  widgetList: [{ type: 'static-text', id: 'hello', options: { name: 'hello', textContent } }],
  ...more,
})
const publish = (path: string, base: number, document: Json, note = '', by = admin): Promise<Answer> =>
  by.post('/engine/web/page/publish', { path, base, document, note })
const rollback = (path: string, revision: number): Promise<Answer> =>
  admin.post('/engine/web/page/rollback', { path, revision })
const source = (path: string, by = admin): Promise<Answer> => by.get(`/engine/web/page/source?path=${path}`)
const versions = async (path: string): Promise<JsonObject[]> =>
  (await admin.get(`/engine/web/page/versions?path=${path}`)).data.list
const detail = (path: string, by = admin): Promise<Answer> => by.get(`/engine/web/page/detail?path=${path}`)
const check = async (document: Json, path = '/pages/x/checked') =>
  (await admin.post('/engine/web/page/check', { path, document })).data as {
    problems: JsonObject[]
    advice: JsonObject[]
  }
const onDisk = async (path: string): Promise<JsonObject> =>
  JSON.parse(await readFile(join(server.config.schemasDir, `${path.slice(1)}.json`), 'utf8'))

describe('a page with one fault', () => {
  it.each(WRONG)(
    '%s has the same message when it is checked and when it is published',
    async (_, at, value, meant) => {
      const document = wrongPage(at, value)
      const path = '/pages/x/wrong'
      const checked = await check(document, path)
      const published = await publish(path, 0, document)

      expect(JSON.stringify(checked.problems)).toContain(JSON.stringify(meant).slice(1, -1))
      expect(published.meta.code).toBe(400)
      expect(published.data.problems).toEqual(checked.problems)
    },
  )

  it('is not a correct page', async () => {
    expect((await check(rightPage(), '/pages/x/wrong')).problems).toEqual([])
  })
})

describe('the source of a page', () => {
  it('is the file as written while no version is published, with its references', async () => {
    const { data } = await source(FORM)

    expect(data.document).toEqual(await onDisk(FORM))
    expect(data.revision).toBe(0)
    expect(data.vendorEtag).toBe((await detail(FORM)).headers.etag)
    expect(data.text).toBe(await readFile(join(server.config.schemasDir, `${FORM.slice(1)}.json`), 'utf8'))
  })

  it('keeps its references when it is published, and is served with them resolved', async () => {
    const path = '/pages/customer/my/detail'
    const written = (await source(path)).data.document
    const before = JSON.parse((await detail(path)).body)

    const { data } = await publish(path, 0, written)

    expect((await source(path)).data).toMatchObject({ document: written, revision: data.revision })
    expect(JSON.stringify(written)).toContain('"fragment"')
    expect(JSON.parse((await detail(path)).body)).toEqual(before)
  })

  it('is byte for byte the text that was sent', async () => {
    const text = `{ "formConfig": {"page":{}},\r\n\t"widgetList": [ {"type":"static-text","options":{"name":"a","textContent":"1e2 · 100.0"}} ]}\n`

    await publish('/pages/x/text', 0, text)

    const { data } = await source('/pages/x/text')
    expect(data.text).toBe(text)
    expect(data.document).toEqual(JSON.parse(text))
  })

  it('may be sent resolved, and then has no references', async () => {
    const path = '/pages/contract/add'
    const resolved = JSON.parse((await detail(path)).body)

    const { meta, data } = await publish(path, 0, resolved)

    expect([meta.code, meta.message, data.problems]).toEqual([200, '', undefined])
    expect((await source(path)).data).toMatchObject({ document: resolved, revision: 1 })
    expect((await detail(path)).headers.etag).toBe(data.etag)
  })

  it('is 404 for a missing page, and refused without the right to change forms', async () => {
    expect((await source('/pages/x/nothing')).meta.code).toBe(404)
    expect((await admin.get('/engine/web/page/versions?path=/pages/nothing')).meta.code).toBe(404)
    expect((await source(FORM, sales)).meta.code).toBe(405)
  })
})

describe('publishing', () => {
  it('needs the version it was based on, and shows both sides if it is outdated', async () => {
    const path = '/pages/my/about'
    const vendor = await onDisk(path)
    const missing = await admin.post('/engine/web/page/publish', { path, document: says('无') })
    const first = await publish(path, 0, says('第一版'))
    const late = await publish(path, 0, says('迟到'))
    const second = await publish(path, 1, says('第二版'))
    const older = await publish(path, 1, says('又迟到'))
    const unheard = await publish(path, 9, says('没有这一版'))

    expect(missing.meta.code).toBe(400)
    expect(first.data).toEqual({ path, etag: expect.any(String), revision: 1 })
    expect(late.meta).toMatchObject({ code: 409, error: { type: 'VERSION_CONFLICT' } })
    expect(late.data).toEqual({ revision: 1, document: says('第一版'), baseDocument: vendor, own: true })
    expect(second.data.revision).toBe(2)
    expect(older.data).toEqual({
      revision: 2,
      document: says('第二版'),
      baseDocument: says('第一版'),
      own: true,
    })
    expect(unheard.data).toMatchObject({ revision: 2, baseDocument: null, own: false })
  })

  it('by two users at once lets one win and notifies the other, even on two servers', async () => {
    const { config, database, clock } = server
    const secret = SECRET_OF_TESTS
    const log = createLog('silent')
    const second = await createApp({ config, database, secret, log, now: () => clock.now })
    const path = '/pages/x/race'
    const elsewherePost = async (document: Json) => {
      const payload = { path, base: 0, document, clientToken: 'race-on-the-other' }
      const headers = { authorization: admin.token }
      return (
        await second.inject({ method: 'POST', url: '/engine/web/page/publish', headers, payload })
      ).json()
    }

    const answers = await Promise.all([
      publish(path, 0, says('甲')),
      elsewherePost(says('乙')),
      publish(path, 0, says('丙')),
    ])

    expect(answers.map(({ meta }) => meta.code).sort()).toEqual([200, 409, 409])
    expect(await versions(path)).toHaveLength(1)
    const read = await second.inject({
      url: `/engine/web/page/source?path=${path}`,
      headers: { authorization: admin.token },
    })
    expect(read.json().data).toEqual((await source(path)).data)
    await second.close()
  })

  it('creates pages only below /pages/x, and only for its tenant', async () => {
    const path = '/pages/x/sales/board'
    const made = await publish(path, 0, says('自己的页面'))
    const refused = await Promise.all(
      ['/pages/own', '/pages/x', '/pages/x/', '/pages/x/../login', '/pages/m/nothing/index', '/x'].map(
        (one) => publish(one, 0, says('别处')),
      ),
    )

    expect(made.data).toMatchObject({ path, revision: 1 })
    expect(refused.map(({ meta }) => meta.code)).toEqual(refused.map(() => 404))
    expect(JSON.parse((await detail(path, sales)).body)).toEqual(says('自己的页面'))
    expect((await detail(path, elsewhere)).meta.code).toBe(404)
    expect((await source(path, elsewhere)).meta.code).toBe(404)
    const bundle = JSON.parse((await sales.get('/engine/web/page/bundle')).body).pages
    expect(bundle[path]).toEqual(says('自己的页面'))
  })

  it('records for every version the author, time, reason and contents', async () => {
    const path = '/pages/x/told'
    const form = (label: string, required: boolean): JsonObject => ({
      formConfig: { page: { title: '登记' } },
      widgetList: [
        { type: 'input', id: 'mobile', formItemFlag: true, options: { name: 'mobile', label, required } },
      ],
    })
    await publish(path, 0, form('手机', true), '第一版')
    await publish(path, 1, form('手机', false), '不必填')

    const list = await versions(path)

    expect(list).toMatchObject([
      {
        revision: 2,
        author: expect.stringMatching(/./),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        note: '不必填',
        current: true,
        changes: [{ kind: 'changed', id: '#mobile', text: '手机：必填 → 选填', from: true, to: false }],
      },
      { revision: 1, note: '第一版', current: false, changes: [{ text: '新建页面' }] },
    ])
    const logs = await server.database.system((trx) =>
      trx.selectFrom('audit_log').select('detail').where('record_id', '=', path).orderBy('at').execute(),
    )
    expect(logs[1]?.detail).toMatchObject({
      revision: 2,
      note: '不必填',
      changes: ['手机：必填 → 选填'],
    })
  })

  it('accepts an empty note', async () => {
    const path = '/pages/x/unsaid'
    const document = says('无说明')

    await admin.post('/engine/web/page/publish', { path, base: 0, document, note: null })
    await admin.post('/engine/web/page/publish', { path, base: 1, document })

    expect((await versions(path)).map(({ note }) => note)).toEqual(['', ''])
  })

  it('is refused with the position of each fault, all or nothing', async () => {
    const path = '/pages/x/refused'

    const { meta, data } = await publish(path, 0, {
      formConfig: { page: { titel: 'x', permission: 'custmer:view' } },
      widgetList: [
        { type: 'input', formItemFlag: true, options: { name: 'a', placehodler: '', onChange: 'if (' } },
      ],
    })

    expect(meta.code).toBe(400)
    const file = 'schemas/pages/x/refused.json'
    expect(data.problems).toEqual(
      expect.arrayContaining(
        [
          ['WORD_UNKNOWN', '/widgetList/0/options/placehodler'],
          ['WORD_UNKNOWN', '/formConfig/page/titel'],
          ['WORD_UNKNOWN', '/formConfig/page/permission'],
          ['CODE_INVALID', '/widgetList/0/options/onChange'],
        ].map(([code, at]) =>
          expect.objectContaining({ code, at, file, message: expect.any(String), hint: expect.any(String) }),
        ),
      ),
    )
    expect(data.problems).toHaveLength(4)
    expect((await source(path)).meta.code).toBe(404)
  })
})

describe('reverting', () => {
  it('makes any version current again, or the product’s page, and never reuses a number', async () => {
    const path = '/pages/my/setting/index'
    const vendor = (await detail(path)).headers.etag
    const first = await publish(path, 0, says('一'))
    await publish(path, 1, says('二'))

    const back = await rollback(path, 1)
    expect(back.data).toEqual({ path, revision: 1, etag: first.data.etag })
    expect((await source(path)).data).toMatchObject({ document: says('一'), revision: 1 })
    expect((await versions(path)).map(({ revision, current }) => [revision, current])).toEqual([
      [2, false],
      [1, true],
    ])

    expect((await rollback(path, 0)).data).toEqual({ path, revision: 0, etag: vendor })
    expect((await detail(path)).headers.etag).toBe(vendor)
    expect((await source(path)).data.revision).toBe(0)

    const third = await publish(path, 0, says('三'))
    expect(third.data.revision).toBe(3)
    expect((await rollback(path, 9)).meta.code).toBe(404)
    expect((await source(path)).data.revision).toBe(3)
  })

  it('deletes a page of the tenant and restores it', async () => {
    const path = '/pages/x/gone'
    await publish(path, 0, says('在'))

    expect((await rollback(path, 0)).data).toEqual({ path, revision: 0, etag: '' })
    expect((await detail(path)).meta.code).toBe(404)
    expect((await publish(path, 1, says('旧'))).data).toEqual({
      revision: 0,
      document: null,
      baseDocument: says('在'),
      own: false,
    })
    expect((await rollback(path, 1)).data.revision).toBe(1)
    expect((await detail(path)).body).toContain('在')
  })
})

describe('the check of a page', () => {
  it('accepts the product’s pages, as written and as served', async () => {
    const bundle = JSON.parse((await admin.get('/engine/web/page/bundle')).body).pages as Record<string, Json>
    const wrong: [string, Json][] = []
    const some = Object.entries(bundle).filter(([path]) => /\/(?:contract|role|json)\//.test(path))
    for (const [path, page] of some) {
      const written = (await source(path)).data
      if (written.revision > 0) continue
      for (const document of [written.document, written.text, page]) {
        const { problems } = await check(document, path)
        if (problems.length > 0) wrong.push([path, problems[0] ?? null])
      }
    }

    expect(wrong).toEqual([])
  })

  it('reports an unknown widget as advice, and publishes it', async () => {
    const document = {
      formConfig: { page: {} },
      widgetList: [
        { type: 'inptu', options: { name: 'a' } },
        { type: 'seal-file', options: { name: 'b', anything: 1 } },
      ],
    }

    expect(await check(document)).toMatchObject({
      problems: [],
      advice: [
        { code: 'WIDGET_UNKNOWN', at: '/widgetList/0/type', hint: '是不是“input”？' },
        { code: 'WIDGET_UNKNOWN', at: '/widgetList/1/type' },
      ],
    })
    expect((await publish('/pages/x/notice', 0, document)).meta.code).toBe(200)
  })

  it('accepts plain VForm documents with advice', async () => {
    const options = { name: 'a', placehodler: '', onChange: 'if (' }
    const widgetList = [{ type: 'input', formItemFlag: true, options }]

    const { problems, advice } = await check({ formConfig: {}, widgetList })

    expect(problems).toEqual([])
    expect(advice.map(({ code }) => code).sort()).toEqual(['CODE_INVALID', 'WORD_UNKNOWN'])
  })

  it.each([{ page: {} }, {}])('refuses an empty page, formConfig %j', async (formConfig) => {
    expect((await check({ formConfig, widgetList: [] })).problems).toMatchObject([
      { code: 'PAGE_EMPTY', at: '/widgetList' },
    ])
  })

  it('names line and column in a text, even if it is not JSON', async () => {
    expect((await check('{\n  "widgetList": [,]\n}')).problems).toMatchObject([
      { code: 'JSON_INVALID', at: '', line: 2, column: 18, file: 'schemas/pages/x/checked.json' },
    ])
    const text = `{ "formConfig": { "page": { "titel": 1 } },\n "widgetList": [{ "type": "divider", "options": {} }] }`
    expect((await check(text)).problems).toMatchObject([{ code: 'WORD_UNKNOWN', line: 1, column: 29 }])
  })

  it('knows the tenant’s own pages, and not those of others', async () => {
    const to = (url: string) => ({
      formConfig: { page: { on: { load: [{ do: 'navigate', url }] } } },
      widgetList: says('a').widgetList ?? [],
    })
    await publish('/pages/x/known', 0, says('认识'))

    expect((await check(to('/pages/x/known?id=1'))).problems).toEqual([])
    expect((await check(to('/pages/x/checked'))).problems).toEqual([])
    expect((await check(to('/pages/x/unknown'))).problems).toMatchObject([{ code: 'WORD_UNKNOWN' }])
  })
})
