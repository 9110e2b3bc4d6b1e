import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { createApp } from '../../../src/server/http/app.ts'
import { personId } from '../../../src/server/http/seed/accounts.ts'
import { createLog } from '../../../src/server/kernel/config/log.ts'
import type { Connection, ConnectionSource } from '../../../src/server/kernel/db/connection.ts'
import { type Answer, type Client, openTestApp, SECRET_OF_TESTS, type TestApp } from '../support.ts'

let server: TestApp
let admin: Client
let sales: Client
let elsewhere: Client
/** Statements that read contents of sets. */
let reads: string[] = []

beforeAll(async () => {
  server = await openTestApp({}, undefined, (source) => {
    const acquire = async () => {
      const connection = await source.acquire()
      const query: Connection['query'] = (text, parameters) => {
        if (/^select .*from "change_set_item"/s.test(text)) reads.push(text)
        return connection.query(text, parameters)
      }
      return {
        query,
        begin: (settings) => connection.begin(settings),
        end: (how) => connection.end(how),
        exec: (text) => connection.exec(text),
        release: (broken) => connection.release(broken),
      } satisfies Connection
    }
    return { ...source, acquire } as ConnectionSource
  })
  ;[admin, sales, elsewhere] = await Promise.all([
    server.as('admin'),
    server.as('demo'),
    server.as('yfadmin'),
  ])
})
afterAll(() => server.close())

const BASE_PATH = '/engine/web/changeset'
const says = (textContent: string): JsonObject => ({
  formConfig: { page: { title: textContent } },
  widgetList: [{ type: 'static-text', id: 'hello', options: { name: 'hello', textContent } }],
})
const begin = async (title: string, by = admin): Promise<string> =>
  (await by.post(`${BASE_PATH}/save`, { title })).data.id
const put = (id: string, kind: string, change: Json, by = admin): Promise<Answer> =>
  by.post(`${BASE_PATH}/put`, { id, kind, change })
const putPage = (id: string, path: string, document: Json, base = 0): Promise<Answer> =>
  put(id, 'page', { path, document, base })
const publish = (id: string, by = admin): Promise<Answer> => by.post(`${BASE_PATH}/publish`, { id })
const rollback = (id: string, anyway = false): Promise<Answer> =>
  admin.post(`${BASE_PATH}/rollback`, { id, anyway })
const detail = async (id: string): Promise<{ record: JsonObject; list: JsonObject[] }> =>
  (await admin.get(`${BASE_PATH}/detail?id=${id}`)).data
const served = (path: string, by = admin): Promise<Answer> => by.get(`/engine/web/page/detail?path=${path}`)
const fieldNames = async (module: string): Promise<string[]> =>
  (await admin.get(`/engine/web/field/list?module=${module}`)).data.live.map((one: JsonObject) => one.name)
const dictValues = async (key: string): Promise<JsonObject[]> =>
  (await admin.get(`/engine/web/dict/detail?id=${key}`)).data.record.items
const menus = async (): Promise<JsonObject[]> => (await admin.post('/engine/web/menu/list')).data.list
const newField = (label: string, more: JsonObject = {}): JsonObject => ({
  module: 'customer',
  name: '',
  form: { label, kind: 'text', ...more },
})

/** A set with one item of each kind: a dictionary value, a field, a page that shows the field, and a menu entry for the page. */
async function fullSet(path: string): Promise<string> {
  const id = await begin('上新')
  const answers = [
    await put(id, 'dict', { id: 'customer_source', label: `展会 ${path}` }),
    await put(id, 'field', newField('展位号')),
    await putPage(id, path, says('展会客户')),
    await put(id, 'menu', { title: '展会', path, icon: 'AppOutline', slot: ['common'] }),
  ]
  expect(answers.map(({ meta }) => [meta.code, meta.message])).toEqual(answers.map(() => [200, '']))
  return id
}

describe('a change set', () => {
  it('changes nothing before it is published, then everything at once, and can be reverted as a whole', async () => {
    const path = '/pages/x/fair'
    const before = {
      fields: await fieldNames('customer'),
      dict: await dictValues('customer_source'),
      menus: await menus(),
    }

    const id = await fullSet(path)

    expect((await served(path)).meta.code).toBe(404)
    expect(await fieldNames('customer')).toEqual(before.fields)
    expect(await menus()).toEqual(before.menus)
    const { list } = await detail(id)
    expect(list.map(({ kind_name, title, words }) => [kind_name, title, words])).toEqual([
      ['字典', '客户来源', `新增选项“展会 ${path}”`],
      ['字段', '客户', '新增字段“展位号”'],
      ['页面', '展会客户', '新建页面'],
      ['菜单', '展会', `新增菜单“展会”（${path}）`],
    ])

    expect((await publish(id)).meta).toMatchObject({ code: 200, message: '' })

    expect(JSON.parse((await served(path)).body)).toMatchObject(says('展会客户'))
    const added = (await fieldNames('customer')).filter((one) => !before.fields.includes(one))
    expect(list[1]?.name).toBe(`customer/${added[0]}`)
    expect((await dictValues('customer_source')).map(({ label }) => label)).toContain(`展会 ${path}`)
    expect((await menus()).map((menu) => menu.path)).toContain(path)
    expect((await detail(id)).record).toMatchObject({ status: 'published', status_name: '已发布' })
    expect((await publish(id)).meta.code).toBe(409)

    expect((await rollback(id)).meta).toMatchObject({ code: 200, message: '' })

    expect((await served(path)).meta.code).toBe(404)
    expect(await fieldNames('customer')).toEqual(before.fields)
    expect(await dictValues('customer_source')).toEqual(before.dict)
    expect(await menus()).toEqual(before.menus)
    expect((await detail(id)).record).toMatchObject({ status: 'back' })
    expect((await served(path, elsewhere)).meta.code).toBe(404)
  })

  it('says who published it and when, and who took it back and when, in the list as well', async () => {
    const id = await begin('谁发布的')
    await putPage(id, '/pages/x/whose', says('谁发布的'))
    const told = async () => {
      const { record } = await detail(id)
      const { list } = (
        await admin.post(`${BASE_PATH}/list`, { tab: record.status === 'open' ? 'open' : 'done' })
      ).data
      const { line } = list.find((one: JsonObject) => one.id === id)
      return { published: record.published, back: record.back, line }
    }
    const name = String((await detail(id)).record.author)
    const at = /\d{4}-\d\d-\d\d \d\d:\d\d/.source

    expect(await told()).toEqual({ published: '', back: '', line: expect.stringMatching(`^${name} · ${at}`) })
    await publish(id)
    const done = await told()
    expect(done).toEqual({
      published: expect.stringMatching(`^${name} · ${at}`),
      back: '',
      line: `${done.published} 发布`,
    })
    expect((await rollback(id)).meta.code).toBe(200)
    const undone = await told()
    expect(undone).toEqual({
      published: done.published,
      back: expect.stringMatching(`^${name} · ${at}`),
      line: `${undone.back} 撤回`,
    })
  })

  it('is applied as it was read for the stamp: its contents are read once', async () => {
    const id = await begin('一次')
    await putPage(id, '/pages/x/once', says('读一次'))
    const { stamp } = (await detail(id)).record
    reads = []

    expect((await admin.post(`${BASE_PATH}/publish`, { id, stamp })).meta).toMatchObject({ code: 200 })
    expect(reads).toHaveLength(1)
    expect((await detail(id)).record).toMatchObject({ status: 'published' })
  })

  it('is published completely or not at all: faults are reported for each change, at its position', async () => {
    const id = await begin('坏的')
    await put(id, 'field', newField('不该出现'))
    await putPage(id, '/pages/x/good', says('好'))
    await putPage(id, '/pages/x/bad', { formConfig: { page: { titel: '错' } }, widgetList: [] })

    const checked = (await admin.post(`${BASE_PATH}/check`, { id })).data
    const answer = await publish(id)

    expect(checked.faults).toBe(1)
    expect(checked.items.map((one: JsonObject) => [one.kind, one.ok])).toEqual([
      ['field', true],
      ['page', false],
      ['page', true],
    ])
    expect(checked.items[1].data.problems[0]).toMatchObject({
      at: expect.any(String),
      message: expect.any(String),
    })
    expect(answer.meta.code).toBe(400)
    expect(answer.data.items).toHaveLength(3)
    expect((await served('/pages/x/good')).meta.code).toBe(404)
    expect(JSON.stringify((await admin.get('/engine/web/field/list?module=customer')).data)).not.toContain(
      '不该出现',
    )
  })

  it('reports a conflict like a single page, with both sides, and merges it', async () => {
    const path = '/pages/x/both'
    const two = (one: string, other: string): JsonObject => ({
      formConfig: { page: {} },
      widgetList: [
        { type: 'static-text', id: 'a', options: { name: 'a', textContent: one } },
        { type: 'static-text', id: 'b', options: { name: 'b', textContent: other } },
      ],
    })
    await admin.post('/engine/web/page/publish', { path, base: 0, document: two('甲', '乙') })
    const id = await begin('两个人')
    await putPage(id, path, two('甲改', '乙'), 1)
    await admin.post('/engine/web/page/publish', { path, base: 1, document: two('甲', '乙改') })

    const late = await publish(id)

    expect(late.meta).toMatchObject({ code: 409, error: { type: 'VERSION_CONFLICT' } })
    expect(late.data.items[0]).toMatchObject({
      kind: 'page',
      name: path,
      conflict: true,
      data: { revision: 2, document: two('甲', '乙改'), baseDocument: two('甲', '乙') },
    })
    expect((await admin.post(`${BASE_PATH}/merge`, { id, name: path })).data).toMatchObject({ clashes: '' })
    expect((await publish(id)).meta.code).toBe(200)
    expect(JSON.parse((await served(path)).body)).toMatchObject(two('甲改', '乙改'))
  })

  it('reports values, fields and menus that another user changed meanwhile', async () => {
    const [first] = await dictValues('customer_source')
    const [menu] = await menus()
    const id = await begin('晚了')
    await put(id, 'dict', { id: 'customer_source', value: first?.value, label: '我改的' })
    await put(id, 'menu', { ...menu, title: '我改的' })
    await admin.post('/engine/web/dict/item', {
      id: 'customer_source',
      value: first?.value,
      label: '别人改的',
    })
    await admin.post('/engine/web/menu/save', { ...menu, title: '别人改的' })

    const late = await publish(id)

    expect(late.meta.code).toBe(409)
    expect(late.data.items.map((one: JsonObject) => one.conflict)).toEqual([true, true])
    expect((await dictValues('customer_source'))[0]?.label).toBe('别人改的')
  })

  it('is not reverted over later changes of others, unless the user confirms it', async () => {
    const path = '/pages/x/later'
    const id = await begin('后来又改')
    await putPage(id, path, says('一'))
    await publish(id)
    await admin.post('/engine/web/page/publish', { path, base: 1, document: says('二') })

    const refused = await rollback(id)

    expect(refused.meta.code).toBe(409)
    expect(refused.data.items).toEqual([{ kind: 'page', name: path, title: '一' }])
    expect((await served(path)).meta).toBeUndefined()
    expect((await rollback(id, true)).meta.code).toBe(200)
    expect((await served(path)).meta.code).toBe(404)
  })

  it('is reverted together with a page that came with other changes, which are listed', async () => {
    const path = '/pages/x/fair-back'
    const before = { fields: await fieldNames('customer'), menus: await menus() }
    const back = (revision: number, anyway = false): Promise<Answer> =>
      admin.post(`${BASE_PATH}/rollback-page`, { path, revision, anyway })
    await admin.post('/engine/web/page/publish', { path, base: 0, document: says('先前') })
    const id = await begin('展会')
    await put(id, 'field', newField('展馆'))
    await putPage(id, path, says('展会'), 1)
    await put(id, 'menu', { title: '展会', path, icon: 'AppOutline', slot: ['common'] })
    await publish(id)
    await admin.post('/engine/web/page/publish', { path, base: 2, document: says('后来') })

    const { list } = (await admin.get(`${BASE_PATH}/of-page?path=${path}`)).data
    expect(list).toEqual([
      {
        id,
        title: '展会',
        revision: 2,
        others: `客户：新增字段“展馆”；展会：新增菜单“展会”（${path}）`,
        back: false,
      },
    ])
    expect((await elsewhere.get(`${BASE_PATH}/of-page?path=${path}`)).data.list).toEqual([])

    // Later changes do not depend on the set; changes by others since then are reported first.
    expect((await back(2)).data).toMatchObject({ revision: 2, sets: 0 })
    expect(await fieldNames('customer')).not.toEqual(before.fields)
    await put(await begin('别的'), 'field', newField('再一个')).then(({ data }) => publish(data.id))
    const refused = await back(1)
    expect([refused.meta.code, refused.data.items.length]).toEqual([409, 1])
    expect(JSON.parse((await served(path)).body)).toMatchObject(says('展会'))

    expect((await back(1, true)).data).toMatchObject({ revision: 1, sets: 1 })
    expect(JSON.parse((await served(path)).body)).toMatchObject(says('先前'))
    expect(await fieldNames('customer')).toEqual(before.fields)
    expect(await menus()).toEqual(before.menus)
    expect((await detail(id)).record).toMatchObject({ status: 'back' })
    expect((await admin.get(`${BASE_PATH}/of-page?path=${path}`)).data.list).toMatchObject([
      { id, back: true },
    ])

    // The set's version again: everything published with it is restored, and reverted with it.
    expect((await back(2)).data).toMatchObject({ revision: 2, sets: 1 })
    expect(JSON.parse((await served(path)).body)).toMatchObject(says('展会'))
    expect(await fieldNames('customer')).toContain('zhanguan')
    expect((await menus()).map(({ title }) => title)).toContain('展会')
    expect((await detail(id)).record).toMatchObject({ status: 'published' })
    expect((await back(1)).data).toMatchObject({ revision: 1, sets: 1 })
    expect(await fieldNames('customer')).toEqual(before.fields)
    expect(await menus()).toEqual(before.menus)
    expect((await sales.post(`${BASE_PATH}/rollback-page`, { path, revision: 1 })).meta.code).toBe(405)
  })

  it('takes the contents of a draft, which is deleted when it is published', async () => {
    const path = '/pages/x/drafted'
    await admin.post('/engine/web/page/draft/save', { path, base: 0, document: says('草稿') })

    const id = await begin('草稿')
    const drafts = (await admin.get(`${BASE_PATH}/drafts`)).data.list
    await put(id, 'page', { path })
    await publish(id)

    expect(drafts.map((one: JsonObject) => one.path)).toContain(path)
    expect((await admin.get(`/engine/web/page/draft?path=${path}`)).data.draft).toBeNull()
    expect((await put(id, 'page', { path: '/pages/x/none' })).meta.code).toBe(404)
  })

  it('that two servers publish at once is published once, and both serve it', async () => {
    const { config, database, clock } = server
    const second = await createApp({
      config,
      database,
      secret: SECRET_OF_TESTS,
      log: createLog('silent'),
      now: () => clock.now,
    })
    const path = '/pages/x/twice'
    const id = await begin('两台')
    await put(id, 'field', newField('两台字段'))
    await putPage(id, path, says('两台'))
    const headers = { authorization: admin.token }
    const there = async () =>
      (
        await second.inject({
          method: 'POST',
          url: `${BASE_PATH}/publish`,
          headers,
          payload: { id, clientToken: 'set-on-the-other' },
        })
      ).json()

    const answers = await Promise.all([publish(id), there()])

    expect(answers.map(({ meta }) => meta.code).sort()).toEqual([200, 409])
    const read = await second.inject({ url: `/engine/web/page/detail?path=${path}`, headers })
    expect(read.json()).toMatchObject(says('两台'))
    const fields = await second.inject({ url: '/engine/web/field/list?module=customer', headers })
    expect(fields.body).toContain('两台字段')
    await second.close()
  })

  it('does not change modules for following calls if it was only checked', async () => {
    const id = await begin('只检查')
    await put(id, 'field', newField('只检查的字段'))
    await admin.post(`${BASE_PATH}/check`, { id })

    const { body } = await admin.get('/engine/web/field/list?module=customer')

    expect(body).not.toContain('只检查的字段')
  })

  it('needs the right to change forms, and is hidden from other tenants', async () => {
    const id = await begin('自己的')

    expect((await sales.post(`${BASE_PATH}/save`, { title: '不行' })).meta.code).toBe(405)
    expect((await elsewhere.get(`${BASE_PATH}/detail?id=${id}`)).meta.code).toBe(404)
    expect((await publish(id, elsewhere)).meta.code).toBe(404)
    expect((await publish(id)).meta.code).toBe(409)
    expect((await admin.post(`${BASE_PATH}/delete`, { id })).meta.code).toBe(200)
    expect((await admin.get(`${BASE_PATH}/detail?id=${id}`)).meta.code).toBe(404)
  })
})

describe('a plan', () => {
  const MINUTE = 60_000
  const at = (ms: number): string =>
    new Date(server.clock.now + ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  const planned = (id: string, plan: JsonObject, by = admin): Promise<Answer> =>
    by.post(`${BASE_PATH}/publish`, { id, ...plan })
  const settled = async (id: string, status: string): Promise<JsonObject> => {
    await admin.post(`${BASE_PATH}/list`)
    await expect.poll(async () => (await detail(id)).record.status, { timeout: 10_000 }).toBe(status)
    return (await detail(id)).record
  }
  const news = async (): Promise<string[]> =>
    (await admin.post('/mini/message/list', {})).data.list.map(
      (one: JsonObject) => `${one.title} ${one.content}`,
    )

  it('is published at its time, even on a server that was started later, on behalf of its author', async () => {
    const path = '/pages/x/at-nine'
    const id = await begin('定时')
    await putPage(id, path, says('九点'))

    expect((await planned(id, { at: at(-MINUTE) })).meta.code).toBe(400)
    expect((await planned(id, { at: at(MINUTE) })).data.status).toBe('scheduled')
    expect((await putPage(id, '/pages/x/late', says('晚'))).meta.code).toBe(409)
    await admin.post(`${BASE_PATH}/list`)
    expect((await served(path)).meta.code).toBe(404)
    const { config, database, clock } = server
    clock.now += 2 * MINUTE
    const restarted = await createApp({
      config,
      database,
      secret: SECRET_OF_TESTS,
      log: createLog('silent'),
      now: () => clock.now,
    })
    const headers = { authorization: admin.token }
    await restarted.inject({ method: 'POST', url: `${BASE_PATH}/list`, headers, payload: {} })
    await expect.poll(async () => (await detail(id)).record.status, { timeout: 10_000 }).toBe('published')
    await restarted.close()

    expect(JSON.parse((await served(path)).body)).toMatchObject(says('九点'))
    expect((await detail(id)).record.published_by).toBe((await detail(id)).record.author)
  })

  it('notifies its author if another user has published meanwhile, and is open again', async () => {
    const path = '/pages/x/overtaken'
    const id = await begin('被超过')
    await putPage(id, path, says('定时的'))
    await planned(id, { at: at(MINUTE) })
    await admin.post('/engine/web/page/publish', { path, base: 0, document: says('先到的') })
    server.clock.now += 2 * MINUTE

    const record = await settled(id, 'open')

    expect(record.failure).toContain('这个页面刚发布过新的版本')
    expect(await news()).toContainEqual(expect.stringContaining('发布单没有发布 被超过'))
    expect(JSON.parse((await served(path)).body)).toMatchObject(says('先到的'))
  })

  it('that is cancelled publishes nothing', async () => {
    const path = '/pages/x/cancelled'
    const id = await begin('取消')
    await putPage(id, path, says('不发'))
    await planned(id, { at: at(MINUTE) })
    expect((await admin.post(`${BASE_PATH}/cancel`, { id })).data.status).toBe('open')
    server.clock.now += 2 * MINUTE
    await admin.post(`${BASE_PATH}/list`)

    expect((await served(path)).meta.code).toBe(404)
    expect((await detail(id)).record).toMatchObject({ status: 'open', publish_at: '' })
  })

  it('shows pages to some users first, by role, person or share, then to all or to none', async () => {
    const path = '/pages/x/tried'
    await admin.post('/engine/web/page/publish', { path, base: 0, document: says('旧') })
    const id = await begin('试用')
    await putPage(id, path, says('新'), 1)
    const seen = async (by: Client): Promise<string> =>
      JSON.parse((await served(path, by)).body).widgetList[0].options.textContent
    const me = { id: personId('demo') }

    expect((await planned(id, { audience: { percent: 0 } })).meta.code).toBe(400)
    expect((await planned(id, { audience: { users: [me.id] } })).data.status).toBe('partial')
    expect([await seen(sales), await seen(admin)]).toEqual(['新', '旧'])
    expect((await detail(id)).record.audience).toBe('李明轩')
    await planned(id, {
      audience: { roles: ['sales_manager'], users: ['demo', 'zhaolei', 'manager', 'zengke'].map(personId) },
    })
    expect((await detail(id)).record.audience).toMatch(/^销售经理、[^、]+、[^、]+、[^、]+等 4 人$/)
    await planned(id, { audience: { users: [me.id] } })
    expect(JSON.parse((await sales.get('/engine/web/page/bundle')).body).pages[path]).toMatchObject(
      says('新'),
    )

    await planned(id, { audience: { percent: 100 } })
    expect([await seen(sales), await seen(admin)]).toEqual(['新', '新'])
    expect((await admin.post(`${BASE_PATH}/cancel`, { id })).data.status).toBe('open')
    expect([await seen(sales), await seen(admin)]).toEqual(['旧', '旧'])

    await planned(id, { audience: { users: [me.id] } })
    expect((await publish(id)).meta.code).toBe(200)
    expect([await seen(sales), await seen(admin)]).toEqual(['新', '新'])
    expect((await rollback(id)).meta.code).toBe(200)
    expect([await seen(sales), await seen(admin)]).toEqual(['旧', '旧'])
  })

  it('validates submissions by the page that the user received', async () => {
    const path = '/pages/customer/my/add'
    const { document } = (await admin.get(`/engine/web/page/source?path=${path}`)).data
    const asked = {
      type: 'input',
      formItemFlag: true,
      options: { name: 'tried', label: '试用必填', required: true },
    }
    const id = await begin('试用表单')
    await putPage(id, path, { ...document, widgetList: [...document.widgetList, asked] })
    await planned(id, { audience: { users: [personId('demo')] } })
    const create = (by: Client, name: string): Promise<Answer> => by.post('/mini/customer/create', { name })

    const [tried, usual] = [await create(sales, '试用客户'), await create(admin, '照常客户')]

    expect(tried.meta.error?.fields).toMatchObject({ tried: expect.stringContaining('试用必填') })
    expect(usual.meta.error?.fields?.tried).toBeUndefined()
    await admin.post(`${BASE_PATH}/cancel`, { id })
    expect((await create(sales, '又照常')).meta.error?.fields?.tried).toBeUndefined()
  })

  it('for some users has only pages, and one trial of a page at a time', async () => {
    const fields = await begin('带字段')
    await put(fields, 'field', newField('试用字段'))
    const [one, other] = [await begin('甲'), await begin('乙')]
    for (const id of [one, other]) await putPage(id, '/pages/x/two-trials', says('试'))

    expect((await planned(fields, { audience: { percent: 10 } })).meta).toMatchObject({ code: 422 })
    expect((await planned(one, { audience: { percent: 10 } })).meta.code).toBe(200)
    expect((await planned(other, { audience: { percent: 10 } })).meta.code).toBe(409)
  })
})
