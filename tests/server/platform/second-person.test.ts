import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { endSecondPerson } from '../../../src/server/kernel/pages/second-person.ts'
import { uploadedBytes } from '../sheets/finished-job.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let admin: Client
let second: Client

beforeAll(async () => {
  server = await openTestApp()
  await server.database.system((trx) =>
    sql`insert into role_assignment (tenant_id, user_id, role_id)
      select tenant_id, 'u-luoting', id from role where tenant_id = 'xinghai' and code = 'tenant_admin'`.execute(
      trx,
    ),
  )
  ;[admin, second] = await Promise.all([server.as('admin'), server.as('luoting')])
  await admin.post('/engine/web/module/save', { description: VISIT })
  await admin.post('/engine/web/field/save', { module: 'customer', field: GRADE })
  await admin.post('/engine/web/tenant/save', { ...(await tenant()), second_publisher: true })
})
afterAll(() => server.close())

const BASE_PATH = '/engine/web/changeset'
const GRADE = { name: 'grade', kind: 'text', label: '等级' }
const VISIT = {
  name: 'visit',
  label: '拜访',
  title: 'title',
  behaviours: ['owned'],
  fields: [
    { name: 'title', kind: 'text', label: '主题' },
    { name: 'place', kind: 'text', label: '地点' },
  ],
}
const tenant = async (by = admin): Promise<JsonObject> =>
  (await by.get('/engine/web/tenant/detail')).data.record
const says = (textContent: string): JsonObject => ({
  formConfig: { page: { title: textContent } },
  widgetList: [{ type: 'static-text', id: 'hello', options: { name: 'hello', textContent } }],
})
const begin = async (title: string): Promise<string> =>
  (await admin.post(`${BASE_PATH}/save`, { title })).data.id
const put = (id: string, kind: string, change: Json): Promise<Answer> =>
  admin.post(`${BASE_PATH}/put`, { id, kind, change })
const record = async (id: string, by = admin): Promise<JsonObject> =>
  (await by.get(`${BASE_PATH}/detail?id=${id}`)).data.record
const module = async (name: string): Promise<JsonObject> =>
  (await admin.get(`/engine/web/module/detail?name=${name}`)).data
const fields = async (of: string): Promise<string[]> =>
  (await admin.get(`/engine/web/field/list?module=${of}`)).data.live.map((one: JsonObject) => one.name)
const news = async (by: Client): Promise<string[]> =>
  (await by.post('/mini/message/list', {})).data.list.map((one: JsonObject) => `${one.title} ${one.content}`)
/** Requests publication of a set and has somebody else publish it. */
const pass = async (id: string): Promise<Answer> => {
  expect((await admin.post(`${BASE_PATH}/ask`, { id })).meta).toMatchObject({ code: 200, message: '' })
  return approve(id)
}
/** Somebody else looks at a set and publishes what they saw. */
const approve = async (id: string, by = second): Promise<Answer> =>
  by.post(`${BASE_PATH}/publish`, { id, stamp: (await record(id, by)).stamp ?? null })

describe('a tenant that requires a second person', () => {
  it('has no work published by its author, only by another user', async () => {
    const path = '/pages/x/with-two'
    const id = await begin('两个人')
    await put(id, 'page', { path, base: 0, document: says('两个人') })

    expect((await admin.post(`${BASE_PATH}/publish`, { id })).meta.message).toBe(
      '本企业要求另一个人批准，请先提出申请',
    )
    expect((await admin.post(`${BASE_PATH}/ask`, { id })).data.status).toBe('asked')
    expect((await approve(id, admin)).meta.message).toBe('自己参与的发布单要由另一个人批准')
    expect(await news(second)).toContainEqual(expect.stringContaining('有发布单等您批准'))
    expect((await second.get(`${BASE_PATH}/detail?id=${id}`)).data.list[0].words).toBe('新建页面')
    expect((await approve(id)).meta).toMatchObject({ code: 200, message: '' })
    expect(JSON.parse((await second.get(`/engine/web/page/detail?path=${path}`)).body)).toMatchObject(
      says('两个人'),
    )
  })

  it('publishes what the other user has looked at, and nothing that was put in since', async () => {
    const path = '/pages/x/swapped'
    const id = await begin('换掉')
    const publish = (stamp: Json): Promise<Answer> => second.post(`${BASE_PATH}/publish`, { id, stamp })
    await put(id, 'page', { path, base: 0, document: says('给人看的') })
    await admin.post(`${BASE_PATH}/ask`, { id })
    const { stamp: seen = null } = await record(id, second)
    await admin.post(`${BASE_PATH}/cancel`, { id })
    await put(id, 'page', { path, base: 0, document: says('没人看过的') })
    await admin.post(`${BASE_PATH}/ask`, { id })
    const { stamp: swapped = null } = await record(id, second)
    await admin.post(`${BASE_PATH}/cancel`, { id })
    await admin.post(`${BASE_PATH}/ask`, { id, audience: { percent: 50 } })

    const answers = [await publish(seen), await publish(swapped), await publish(null)]

    expect(answers.map(({ meta }) => [meta.code, meta.message])).toEqual(
      answers.map(() => [409, '发布单已变更，请重新查看']),
    )
    expect((await second.get(`/engine/web/page/detail?path=${path}`)).meta.code).toBe(404)
    expect((await approve(id)).meta).toMatchObject({ code: 200, message: '' })
    expect((await record(id)).status).toBe('partial')
    expect((await second.post(`${BASE_PATH}/publish`, { id })).meta).toMatchObject({ code: 200, message: '' })
  })

  it('shows the approver of a page the versions before and after, with the fields that come with it', async () => {
    const path = '/pages/x/side-by-side'
    const id = await begin('前后')
    const sides = async (by = second): Promise<JsonObject> =>
      (await by.get(`${BASE_PATH}/page?id=${id}&path=${path}`)).data
    const field = { module: 'customer', name: '', form: { label: '气氛', kind: 'text' } }
    const called = String((await put(id, 'field', field)).data.name).replace('customer/', 'customer.ext_')
    await put(id, 'page', {
      path,
      base: 0,
      document: {
        formConfig: { page: { title: '前后' } },
        widgetList: [{ field: called }, { field: 'customer.name' }],
      },
    })
    const labels = (page: JsonObject): string[] =>
      (page.widgetList as JsonObject[]).map(({ options }) => String((options as JsonObject).label))

    const waiting = await sides()
    expect(waiting).toMatchObject({ title: '前后', before: null, done: false })
    expect(labels(waiting.after as JsonObject)).toEqual(['气氛', '客户名称'])
    expect(await fields('customer')).not.toContain(called.replace('customer.ext_', ''))
    expect((await (await server.as('demo')).get(`${BASE_PATH}/page?id=${id}&path=${path}`)).meta.code).toBe(
      405,
    )
    expect((await second.get(`${BASE_PATH}/page?id=${id}&path=/pages/x/other`)).meta.code).toBe(404)

    await pass(id)
    const done = await sides()
    expect(done).toMatchObject({ before: null, done: true })
    expect(labels(done.after as JsonObject)).toEqual(['气氛', '客户名称'])
  })

  it('deletes the author’s draft with the publication, and no other draft', async () => {
    const path = '/pages/x/drafted-by-two'
    const draft = (by: Client, words: string) =>
      by.post('/engine/web/page/draft/save', { path, base: 0, document: says(words) })
    const left = async (by: Client): Promise<Json> =>
      (await by.get(`/engine/web/page/draft?path=${path}`)).data.draft
    const id = await begin('作者的草稿')
    await draft(admin, '作者的')
    await put(id, 'page', { path })
    await draft(second, '批准人自己的')

    expect((await pass(id)).meta).toMatchObject({ code: 200, message: '' })

    expect(await left(admin)).toBeNull()
    expect(await left(second)).toMatchObject({ base: 0, text: expect.stringContaining('批准人自己的') })
  })

  it('keeps as a draft what the author wrote after adding a page to a set', async () => {
    const path = '/pages/x/written-on'
    const write = (words: string) =>
      admin.post('/engine/web/page/draft/save', { path, base: 0, document: says(words) })
    const id = await begin('接着写')
    await write('放进去的')
    await put(id, 'page', { path })
    await write('后来写的')

    expect((await pass(id)).meta).toMatchObject({ code: 200, message: '' })

    expect((await admin.get(`/engine/web/page/draft?path=${path}`)).data.draft).toMatchObject({
      text: expect.stringContaining('后来写的'),
    })
  })

  it('has no call that publishes a page, a module or a field directly, and each refusal names the alternative', async () => {
    const { url } = (await admin.post('/engine/web/module/export', { names: [] })).data
    const { rawPayload } = await server.app.inject({ url })
    const fileId = await uploadedBytes(server, admin, rawPayload, 'definitions.json')
    const before = [await module('customer'), await module('visit')]
    const field = { ...GRADE, name: 'alone' }
    const doors: readonly (readonly [string, JsonObject])[] = [
      ['page/publish', { path: '/pages/x/alone', base: 0, document: says('一个人') }],
      ['page/import', { path: '/pages/x/alone', text: JSON.stringify(says('一个人')) }],
      ['module/save', { description: { ...VISIT, name: 'alone' } }],
      ['module/create', { form: { label: '一个人', rows: [] } }],
      ['module/delete', { name: 'visit' }],
      ['module/settings/save', { module: 'visit', form: { label: '一个人' } }],
      ['module/import', { fileId }],
      ['field/save', { module: 'customer', field }],
      ['field/save', { module: 'customer', name: '', form: { label: '一个人', kind: 'text' } }],
      ['field/delete', { module: 'customer', name: 'grade' }],
      ['field/retire', { module: 'customer', name: 'grade', retired: true }],
      ['field/order', { module: 'visit', order: { main: ['place', 'title'] } }],
    ]

    const answers = []
    for (const [door, body] of doors) answers.push(await admin.post(`/engine/web/${door}`, body))

    expect(answers.map(({ meta }, i) => [doors[i]?.[0], meta.code, meta.error?.type])).toEqual(
      doors.map(([door]) => [door, 409, 'SECOND_PERSON']),
    )
    expect(answers.every(({ meta }) => meta.message.startsWith('本企业要求另一个人批准：'))).toBe(true)
    expect([await module('customer'), await module('visit')]).toEqual(before)
    expect((await admin.get('/engine/web/page/detail?path=/pages/x/alone')).meta.code).toBe(404)
  })

  it('publishes a field with its page, and restores both when the set is reverted', async () => {
    const path = '/pages/x/graded'
    const graded: JsonObject = {
      formConfig: { page: { title: '等级' } },
      widgetList: [
        { type: 'input', id: 'grade', formItemFlag: true, options: { name: 'ext_grade', label: '等级' } },
      ],
    }
    const brings = await begin('用上')
    await put(brings, 'page', { path, base: 0, document: graded })
    expect((await pass(brings)).meta).toMatchObject({ code: 200, message: '' })
    const id = await begin('不要等级了')
    const going = { module: 'customer', name: 'grade' }

    const used = await put(id, 'field-delete', going)
    await put(id, 'page', { path, base: 1, document: says('没有等级') })
    const free = await put(id, 'field-delete', going)

    expect(used.meta).toMatchObject({ code: 422, error: { type: 'REFERENCED' } })
    expect(free.data.words).toEqual(['删除字段“等级”'])
    expect((await pass(id)).meta).toMatchObject({ code: 200, message: '' })
    expect(await fields('customer')).not.toContain('grade')
    expect((await admin.post(`${BASE_PATH}/rollback`, { id })).meta).toMatchObject({ code: 200, message: '' })
    expect(await fields('customer')).toContain('grade')
  })

  it('lets a set retire a field, sort a module and change its settings', async () => {
    const id = await begin('整理拜访')
    const { form } = (await admin.get('/engine/web/module/settings?module=visit')).data
    const [group = ''] = Object.keys(
      (await admin.get('/engine/web/field/list?module=visit')).data.places.order,
    )

    const answers = [
      await put(id, 'field', { module: 'customer', name: 'grade', retired: true }),
      await put(id, 'module', {
        module: 'visit',
        settings: { ...form, label: '上门拜访' },
        base: form.version,
      }),
      await put(id, 'module', { module: 'visit', order: { [group]: ['place', 'title'] } }),
    ]

    expect(answers.map(({ meta, data }) => [meta.message, data.words])).toEqual([
      ['', ['改动字段“等级”']],
      ['', ['改动模块设置']],
      ['', ['改动模块设置', '调整字段顺序']],
    ])
    expect((await module('visit')).description).toMatchObject({ label: '拜访' })
    expect((await pass(id)).meta).toMatchObject({ code: 200, message: '' })
    expect((await module('visit')).description).toMatchObject({ label: '上门拜访' })
    expect(await fields('visit')).toEqual(['place', 'title'])
    expect(await fields('customer')).not.toContain('grade')
    await admin.post(`${BASE_PATH}/rollback`, { id })
    expect((await module('visit')).description).toMatchObject({ label: '拜访' })
    expect(await fields('customer')).toContain('grade')
  })

  it('lets a set add a module with its rights, and delete one', async () => {
    const { roles } = (await admin.get('/engine/web/module/start')).data
    const sales = roles.find((one: JsonObject) => one.label === '销售')
    const brings = await begin('新模块')
    const demo = await server.as('demo')

    const made = await put(brings, 'module', {
      form: { label: '样品', name: 'sample', rows: [], roles: [sales.value], scope: 'self' },
    })
    const early = await demo.post('/mini/m/sample/list', {})
    expect(made.data.words).toEqual(['新建模块'])
    expect((await pass(brings)).meta).toMatchObject({ code: 200, message: '' })
    const there = await demo.post('/mini/m/sample/list', {})
    const id = await begin('不要样品了')
    const gone = await put(id, 'module-delete', { name: 'sample' })

    expect([early.meta.code, there.meta.code]).toEqual([404, 200])
    expect(gone.data.words).toEqual(['删除模块，记录会保留'])
    expect((await pass(id)).meta).toMatchObject({ code: 200, message: '' })
    expect((await demo.post('/mini/m/sample/list', {})).meta.code).toBe(404)
    await admin.post(`${BASE_PATH}/rollback`, { id })
    expect((await demo.post('/mini/m/sample/list', {})).meta.code).toBe(200)
  })

  it('returns a rejected set with a reason; its author can withdraw the request', async () => {
    const id = await begin('不同意')
    await put(id, 'page', { path: '/pages/x/rejected', base: 0, document: says('不同意') })
    const reject = (by: Client, reason: string) => by.post(`${BASE_PATH}/reject`, { id, reason })

    expect((await reject(second, '还没有申请')).meta.code).toBe(409)
    await admin.post(`${BASE_PATH}/ask`, { id })
    expect((await second.post(`${BASE_PATH}/cancel`, { id })).meta.message).toContain('这是别人的申请')
    expect((await reject(admin, '自己退')).meta.message).toBe('自己参与的发布单要由另一个人批准')
    expect((await reject(second, '  ')).meta.code).toBe(400)
    expect((await reject(second, '字太小')).data.status).toBe('open')
    expect(await record(id)).toMatchObject({
      status: 'open',
      failure: expect.stringContaining('没有批准：字太小'),
    })
    expect(await news(admin)).toContainEqual(expect.stringMatching(/发布单没有批准 不同意：.+，字太小/))

    expect((await admin.post(`${BASE_PATH}/ask`, { id })).data.status).toBe('asked')
    expect((await record(id)).failure).toBe('')
    expect((await admin.post(`${BASE_PATH}/cancel`, { id })).data.status).toBe('open')
  })
})

describe('the rule of a second person', () => {
  const save = async (by: Client, change: JsonObject) => {
    const answer = await by.post('/engine/web/tenant/save', { ...(await tenant(by)), ...change })
    expect(answer.meta).toMatchObject({ code: 200, message: '' })
    expect(answer.data.note !== '').toBe(
      change.second_publisher === false && answer.data.record.second_publisher,
    )
    return answer.data.record.second_publisher
  }
  const off = { second_publisher: false }
  const on = { second_publisher: true }

  it('is switched off by two people only, who are told what the other asks for', async () => {
    const told = expect.stringContaining('有人申请关闭发布批准')
    expect(await news(second)).not.toContainEqual(told)

    expect([await save(admin, off), await save(admin, off)]).toEqual([true, true])
    expect(await news(second)).toContainEqual(told)
    expect(await news(admin)).not.toContainEqual(told)
    const field = { module: 'customer', field: { ...GRADE, name: 'not_yet' } }
    expect((await admin.post('/engine/web/field/save', field)).meta.code).toBe(409)
    // Saving something else is no consent.
    expect(await save(second, { short_name: '星海' })).toBe(true)

    expect(await save(second, off)).toBe(false)
    expect((await admin.post('/engine/web/field/save', field)).meta.code).toBe(200)
    expect(await save(admin, on)).toBe(true)
    // What was asked for before is over.
    expect(await save(second, off)).toBe(true)
    expect(await save(admin, off)).toBe(false)
    expect(await save(admin, on)).toBe(true)
  })

  it('stays when the other one answers too late', async () => {
    const { now } = server.clock
    expect(await save(admin, off)).toBe(true)
    server.clock.now += 8 * 86_400_000
    const [late, later] = await Promise.all([server.as('luoting'), server.as('admin')])
    expect(await save(late, off)).toBe(true)
    expect(await save(later, off)).toBe(false)
    expect(await save(later, on)).toBe(true)
    server.clock.now = now
  })

  it('is ended by the operator, where there is one', async () => {
    await endSecondPerson(server.database, 'xinghai')
    expect((await tenant()).second_publisher).toBe(false)
    await expect(endSecondPerson(server.database, 'xinghai')).rejects.toThrow('nothing was changed')
    await expect(endSecondPerson(server.database, 'nobody')).rejects.toThrow('nothing was changed')
    expect(await save(admin, on)).toBe(true)
  })
})
