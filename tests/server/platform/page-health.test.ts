import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let admin: Client
let people: readonly Client[]

beforeAll(async () => {
  server = await openTestApp()
  admin = await server.as('admin')
  people = await Promise.all(['demo', 'luoting', 'admin'].map((account) => server.as(account)))
})
afterAll(() => server.close())

const says = (textContent: string, page: JsonObject = {}): JsonObject => ({
  formConfig: { page: { title: textContent, ...page } },
  widgetList: [{ type: 'static-text', options: { name: 'hello', textContent } }],
})
const publish = (path: string, base: number, words: string): Promise<Answer> =>
  admin.post('/engine/web/page/publish', { path, base, document: says(words) })
const report = (by: Client, path: string, counts: JsonObject): Promise<Answer> =>
  by.post('/engine/web/page/report', {
    pages: [{ path, opened: 0, failed: 0, faults: 0, killed: 0, submits: 0, age: 0, ...counts }],
  })
/** Each of them reports this many openings of the page, and this many failures. */
const opened = async (path: string, times: number, failed: number): Promise<void> => {
  for (const by of people) await report(by, path, { opened: times, failed, faults: failed })
}
/** What was reported belongs to an earlier five minutes than what comes now. */
const later = (path: string): Promise<unknown> =>
  server.database.system((trx) =>
    sql`update page_health set slot = slot + interval '6 minutes' where path = ${path}`.execute(trx),
  )
const versions = async (path: string): Promise<JsonObject[]> =>
  (await admin.get(`/engine/web/page/versions?path=${path}`)).data.list
const current = async (path: string): Promise<string> =>
  JSON.parse((await admin.get(`/engine/web/page/detail?path=${path}`)).body).widgetList[0].options.textContent
const news = async (): Promise<string[]> =>
  (await admin.post('/mini/message/list', {})).data.list.map(
    (one: JsonObject) => `${one.title} ${one.content}`,
  )

describe('the health of a page', () => {
  it('is shown beside each version', async () => {
    const path = '/pages/x/health'
    await publish(path, 0, '一')
    await opened(path, 3, 0)
    await publish(path, 1, '二')
    await opened(path, 4, 1)

    expect((await versions(path)).map(({ revision, health }) => [revision, health])).toEqual([
      [2, '打开 12 次，3 次出错'],
      [1, '打开 9 次，没有出错'],
    ])
  })

  it('reverts a new version that fails more than the previous one, and notifies its author', async () => {
    const path = '/pages/x/failing'
    await publish(path, 0, '好')
    await opened(path, 8, 0)
    await publish(path, 1, '坏')
    await opened(path, 6, 3)
    expect(await current(path)).toBe('坏')

    await opened(path, 2, 1)

    expect(await current(path)).toBe('好')
    expect((await versions(path)).map(({ revision, current }) => [revision, current])).toEqual([
      [2, false],
      [1, true],
    ])
    expect(await news()).toContainEqual(expect.stringContaining('页面已自动回到上一版'))
  })

  it('keeps a version that fails at most twice as often as the previous one, or in too few openings', async () => {
    const path = '/pages/x/as-before'
    await publish(path, 0, '老毛病')
    await opened(path, 10, 2)
    await publish(path, 1, '还是老毛病')
    await opened(path, 10, 3)

    expect(await current(path)).toBe('还是老毛病')
  })

  it('counts at most ten openings of one user in five minutes, and none before the version', async () => {
    const path = '/pages/x/bounded'
    await publish(path, 0, '一')
    const [demo] = people
    if (demo === undefined) throw new Error('nobody')
    await report(demo, path, { opened: 1000, failed: 1000, killed: 1000 })
    await report(demo, path, { opened: 5, failed: 5, age: 3_600_000 })
    await report(demo, '/pages/x/not-there', { opened: 5 })

    expect((await versions(path))[0]?.health).toBe('打开 10 次，10 次出错')
    expect(await current(path)).toBe('一')
    expect((await server.with(null).post('/engine/web/page/report', { pages: [] })).meta.code).toBe(401)
    expect((await report(demo, path, { opened: -1 })).meta.code).toBe(400)
  })

  it('is counted for pages that the reporter may open only', async () => {
    const path = '/pages/x/not-theirs'
    const document = says('只给管理员', { permission: 'system:form' })
    await admin.post('/engine/web/page/publish', { path, base: 0, document })
    await opened(path, 10, 10)

    expect((await versions(path))[0]?.health).toBe('打开 10 次，10 次出错')
  })

  it('is judged by the failures of three people, however often two of them report', async () => {
    const path = '/pages/x/of-three'
    await publish(path, 0, '好')
    await publish(path, 1, '给大家')
    const [demo, luoting] = people
    if (demo === undefined || luoting === undefined) throw new Error('nobody')
    for (const by of [demo, luoting, demo, luoting, demo]) {
      await report(by, path, { opened: 10, failed: 10, faults: 10 })
      await later(path)
    }
    expect((await versions(path))[0]?.health).toBe('打开 50 次，50 次出错')
    expect(await current(path)).toBe('给大家')

    await report(admin, path, { opened: 1, failed: 1, faults: 1 })
    expect(await current(path)).toBe('好')
  })

  it('is judged by one person alone only if they may take the version back themselves', async () => {
    const path = '/pages/x/of-one'
    await publish(path, 0, '好')
    await publish(path, 1, '一个人的')
    await report(admin, path, { opened: 10, failed: 10, faults: 10 })
    expect(await current(path)).toBe('一个人的')

    await later(path)
    await report(admin, path, { opened: 10, failed: 10, faults: 10 })
    expect(await current(path)).toBe('好')
  })

  it('forgets what was reported before a version was made current again by hand', async () => {
    const path = '/pages/x/by-hand'
    await publish(path, 0, '好')
    await publish(path, 1, '坚持的')
    await opened(path, 7, 7)
    expect(await current(path)).toBe('好')
    await admin.post('/engine/web/page/rollback', { path, revision: 2 })

    await opened(path, 1, 1)

    expect(await current(path)).toBe('坚持的')
  })

  it('ends a failing trial, and the set shows why', async () => {
    const path = '/pages/x/failing-trial'
    await publish(path, 0, '好')
    const { id } = (await admin.post('/engine/web/changeset/save', { title: '试' })).data
    await admin.post('/engine/web/changeset/put', {
      id,
      kind: 'page',
      change: { path, base: 1, document: says('坏') },
    })
    await admin.post('/engine/web/changeset/publish', { id, audience: { percent: 100 } })
    expect(await current(path)).toBe('坏')

    await opened(path, 7, 2)

    expect(await current(path)).toBe('好')
    const { record } = (await admin.get(`/engine/web/changeset/detail?id=${id}`)).data
    expect(record).toMatchObject({ status: 'open', failure: expect.stringContaining('次出错') })
  })
})
