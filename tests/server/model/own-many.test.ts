import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { JOBS } from '../../../src/server/flows/jobs/index.ts'
import { runDueJobs } from '../../../src/server/flows/jobs/run-due.ts'
import type { TenantJob } from '../../../src/server/kernel/context/job.ts'
import { right } from '../business5/deals.ts'
import { finished, readSheetOf } from '../sheets/finished-job.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const STATUS = {
  name: 'status',
  kind: 'choice',
  label: '状态',
  default: 'open',
  patch: true,
  options: [
    { value: 'open', label: '待处理' },
    { value: 'done', label: '已解决' },
    { value: 'shut', label: '已关闭' },
  ],
}
const { server, admin, demo, give, make } = await openOwnTenant([
  aModule({
    behaviours: ['owned', 'follow', 'recycle'],
    fields: [
      STATUS,
      { name: 'hours', kind: 'number', label: '工时', patch: true, max: 100 },
      { name: 'serial', kind: 'text', label: '序列号', unique: 'refuse' },
      { name: 'photos', kind: 'pictures', label: '照片' },
    ],
    statuses: { field: 'status', moves: { open: ['done'], done: ['shut'] } },
  }),
])
beforeAll(() => give('sales', 'ticket'), 60_000)
afterAll(() => server.close())

const of = async (id: string): Promise<JsonObject> =>
  right(await admin.get(`/mini/m/ticket/detail?id=${id}`)).record
const bin = async (client: Client, body: JsonObject = {}): Promise<readonly JsonObject[]> =>
  right(await client.post('/mini/m/ticket/deleted', body)).list
const userId = async (account: string): Promise<string> => {
  const { list } = right(await admin.post('/engine/web/user/list', {}))
  return list.find((one: JsonObject) => one.account === account).id
}

describe('a batch change of an own module', () => {
  it('sets fields that allow it, on each record by its rules, and names the others', async () => {
    const [open, shut] = await Promise.all([
      make(admin, 'ticket', { title: '开着的' }),
      make(admin, 'ticket', { title: '关了的', status: 'shut' }),
    ])
    const { ok, failed } = right(
      await admin.post('/mini/m/ticket/patch', { ids: [open, shut], status: 'done', hours: 3 }),
    )

    expect(ok).toEqual([open])
    expect(failed).toMatchObject([{ id: shut, name: '关了的', message: '不能从“已关闭”改为“已解决”' }])
    expect(await of(open)).toMatchObject({ status: 'done', hours: 3, version: 2 })
    expect(await of(shut)).toMatchObject({ status: 'shut', hours: null, version: 1 })
  })

  it('clears a field that is given as null', async () => {
    const id = await make(admin, 'ticket', { title: '清空', hours: 5 })
    right(await admin.post('/mini/m/ticket/patch', { ids: [id], hours: null }))

    expect(await of(id)).toMatchObject({ hours: null })
  })

  it('ignores fields that do not allow it, and invisible records', async () => {
    const id = await make(admin, 'ticket', { title: '别人的' })
    const refused = await admin.post('/mini/m/ticket/patch', { ids: [id], title: '改名', hours: 1 })
    const unseen = right(await demo.post('/mini/m/ticket/patch', { ids: [id], hours: 1 }))

    expect(refused.meta.error?.fields).toEqual({ title: '不支持的字段' })
    expect(unseen.failed).toMatchObject([{ code: 404, name: '' }])
    expect(await of(id)).toMatchObject({ title: '别人的', hours: null })
  })

  it('transfers more records than one call may as background work', async () => {
    const to = await userId('demo')
    const ids = await Promise.all(['甲', '乙'].map((title) => make(admin, 'ticket', { title, hours: 77 })))
    const some = await finished(
      admin,
      await admin.post('/mini/m/ticket/transfer/many', { ids: [...ids, 'nobody'], toUserId: to }),
    )
    const found = await finished(
      admin,
      await admin.post('/mini/m/ticket/transfer/many', { list: { keyword: '别人的' }, toUserId: to }),
    )

    expect(some).toMatchObject({ ok: 2, failed: 1 })
    expect(found).toMatchObject({ ok: 1, failed: 0 })
    for (const id of ids) expect(await of(id)).toMatchObject({ owner_id: to })
    expect((await demo.post('/mini/m/ticket/list', { keyword: '甲' })).data.list).toHaveLength(1)
  })

  it('needs the right to transfer records, and a receiver', async () => {
    const asked = (client: Client, list: JsonObject) =>
      client.post('/mini/m/ticket/transfer/many', { list, toUserId: 'u-demo' })
    await give('sales', 'ticket', { permissions: ['m.ticket:view', 'm.ticket:edit', 'm.ticket:del'] })
    const finance = await asked(demo, {})
    await give('sales', 'ticket')

    expect(finance.meta.code).toBe(405)
    expect((await asked(admin, { keyword: '没有这样的' })).meta.code).toBe(400)
  })
})

describe('the recycle bin of an own module', () => {
  it('shows what the caller may restore, newest first, by title, page by page', async () => {
    const ids = await Promise.all(
      Array.from({ length: 21 }, (_, n) => make(demo, 'ticket', { title: `删除 ${n}` })),
    )
    right(await demo.post('/mini/m/ticket/delete', { ids }))
    const theirs = await make(admin, 'ticket', { title: '管理员删的' })
    right(await admin.post('/mini/m/ticket/delete', { ids: [theirs] }))
    const first = right(await demo.post('/mini/m/ticket/deleted'))
    const second = right(await demo.post('/mini/m/ticket/deleted', { cursor: first.nextCursor }))

    expect([first.list.length, second.list.length, second.hasMore]).toEqual([20, 1, false])
    expect(first.list[0]).toMatchObject({ left_days: 30, of_name: '李明轩', deleted_by_name: '李明轩' })
    expect(await bin(demo, { keyword: '删除 7' })).toMatchObject([{ name: '删除 7' }])
    expect((await bin(demo)).map(({ name }) => name)).not.toContain('管理员删的')
    expect(await bin(admin)).toContainEqual(expect.objectContaining({ name: '管理员删的' }))
  })

  it('is available to users who may delete', async () => {
    await give('sales', 'ticket', { permissions: ['m.ticket:view'] })
    const refused = await demo.post('/mini/m/ticket/deleted')
    await give('sales', 'ticket')

    expect(refused.meta.code).toBe(405)
  })

  it('restores nothing for users who did not see it, nor a duplicate of a unique value', async () => {
    const id = await make(admin, 'ticket', { title: '独有', serial: 'SN-9' })
    right(await admin.post('/mini/m/ticket/delete', { ids: [id] }))
    const stranger = right(await demo.post('/mini/m/ticket/restore', { ids: [id] }))
    await make(admin, 'ticket', { title: '占了', serial: 'SN-9' })
    const taken = right(await admin.post('/mini/m/ticket/restore', { ids: [id] }))

    expect(stranger.failed).toMatchObject([{ code: 404 }])
    expect(taken.failed).toMatchObject([{ code: 409, message: '序列号“SN-9”已经有了' }])
    expect(await bin(admin)).toContainEqual(expect.objectContaining({ id }))
  })

  it('is purged of records older than 30 days, with everything below them', async () => {
    const [old, young] = await Promise.all([
      make(admin, 'ticket', { title: '旧的' }),
      make(admin, 'ticket', { title: '新的' }),
    ])
    const follow = { target_type: 'm/ticket', target_id: old, method: 'call', content: '打过' }
    const { id } = right(await admin.post('/mini/follow/create', follow))
    right(await admin.post('/mini/follow/comment', { id, content: '好的' }))
    right(await admin.post('/mini/m/ticket/delete', { ids: [old, young] }))
    await server.database.system((trx) =>
      sql`update record set deleted_at = deleted_at - interval '31 days' where id = ${old}`.execute(trx),
    )
    const failures: unknown[] = []
    const job = JOBS.filter((one): one is TenantJob => one.name === 'empty-bins')
    await runDueJobs(job, {
      database: server.database,
      now: server.clock.now,
      onError: (error) => failures.push(error),
    })
    const left = await server.database.system((trx) =>
      sql<{ id: string }>`select id from record where id in (${old}, ${young})`.execute(trx),
    )

    expect(failures).toEqual([])
    expect(left.rows).toEqual([{ id: young }])
  })
})

describe('the screen of the recycle bin', () => {
  it('has a tab for each own module, for users who may delete there', async () => {
    const { body } = await admin.get('/engine/web/page/detail?path=/pages/my/recycle/index')
    const tabs = JSON.parse(body).widgetList.find((one: JsonObject) => one.type === 'quick-tabs')

    expect(tabs.options.optionItems.at(-1)).toEqual({
      label: '售后工单',
      value: 'm/ticket',
      visibleOn: { or: [{ in: ['m.ticket:del', { var: 'user.permissions' }] }] },
    })
    expect(body).not.toContain('"modules"')
  })
})

describe('the list', () => {
  const views = async (client: Client) => right(await client.post('/mini/m/ticket/view/list')).list

  it('saves filters under a name, validated as by the list', async () => {
    const filters = [{ field: 'status', op: 'in', value: ['open'] }]
    const state = { tab: 'mine', f_status: ['open'] }
    const saved = { name: '我的待处理', tab: 'mine', filters, state, isDefault: true }
    const { id } = right(await demo.post('/mini/m/ticket/view/save', saved))
    const bad = await demo.post('/mini/m/ticket/view/save', {
      name: '错的',
      filters: [{ field: 'photos', op: 'eq', value: 1 }],
    })

    expect(await views(demo)).toMatchObject([{ id, name: '我的待处理', own: true, is_default: true, state }])
    expect(await views(admin)).toEqual([])
    expect(bad.meta.code).toBe(400)
    expect((await admin.post('/mini/m/ticket/view/delete', { id })).meta.code).toBe(404)
    right(await demo.post('/mini/m/ticket/view/default', {}))
    expect(await views(demo)).toMatchObject([{ id, is_default: false }])
    right(await demo.post('/mini/m/ticket/view/delete', { id }))
    expect(await views(demo)).toEqual([])
  })

  it('has its own views for users who see the module', async () => {
    const finance = await server.as('finance')

    expect((await finance.post('/mini/m/ticket/view/list')).meta.code).toBe(405)
    expect((await demo.post('/mini/m/nothing/view/list')).meta.code).toBe(404)
  })

  it('offers saved views, export of the results, and clearing of filters on its page', async () => {
    const { body } = await admin.get('/engine/web/page/detail?path=/pages/m/ticket/index')
    const { dataSources, page } = JSON.parse(body).formConfig
    const source = (name: string) => dataSources.find((one: JsonObject) => one.uniqueName === name)

    expect(source('viewSave')).toMatchObject({
      requestURL: '/mini/m/ticket/view/save',
      body: { state: { tab: '{{ form.tab }}', f_status: '{{ form.f_status }}', sort: '{{ form.sort }}' } },
    })
    expect(source('exportRows')).toMatchObject({
      requestURL: '/mini/m/ticket/export',
      body: { tab: '{{ form.tab }}', keyword: '{{ form.keyword }}', filters: source('rows').body.filters },
    })
    expect(page.on.load).toMatchObject([{ field: 'tab', value: '{{ params.tab }}' }, { dsName: 'views' }])
    for (const button of ['viewsButton', 'filterClear', 'filterExport']) expect(body).toContain(`"${button}"`)
    expect(body).not.toContain('"fragment"')
  })
})

describe('a record that waited on a phone', () => {
  it('has its time of writing', async () => {
    const seen = { name: 'seen_at', kind: 'moment', label: '到访时间', default: 'now', required: true }
    right(
      await admin.post('/engine/web/module/save', {
        description: aModule({ name: 'round', fields: [seen] }),
      }),
    )
    const made = async (waitedMs: number): Promise<number> => {
      const headers = { 'x-queued-ms': String(waitedMs) }
      const { id } = right(await admin.post('/mini/m/round/create', { title: '巡店' }, headers))
      const { record } = right(await admin.get(`/mini/m/round/detail?id=${id}`))
      return (
        Date.parse(`${record.created_at.replace(' ', 'T')}Z`) -
        Date.parse(`${record.seen_at.replace(' ', 'T')}Z`)
      )
    }

    expect(Math.abs(await made(0))).toBeLessThan(60_000)
    expect(Math.abs((await made(2 * 3_600_000)) - 2 * 3_600_000)).toBeLessThan(60_000)
  })
})

describe('a template file', () => {
  it('has the titles of importable columns, and is downloaded without a token', async () => {
    const { url } = right(await admin.post('/mini/m/ticket/import/template'))
    const [titles] = await readSheetOf(server, url)
    const jobs = right(await admin.post('/mini/job/list')).list

    expect(titles).toEqual(['标题*', '状态', '工时', '序列号', '负责人'])
    expect(jobs).toContainEqual(expect.objectContaining({ title: '售后工单导入模板', status: 'done' }))
  })

  it('of a module of the product also has the titles of the tenant’s own fields', async () => {
    const field = { name: 'wechat_group', kind: 'text', label: '微信群名称' }
    right(await admin.post('/engine/web/field/save', { module: 'customer', field }))
    const { url } = right(await admin.post('/mini/customer/import/template'))
    const [titles] = await readSheetOf(server, url)

    expect(titles).toEqual(expect.arrayContaining(['客户名称*', '微信群名称']))
    expect((await (await server.as('finance')).post('/mini/lead/import/template')).meta.code).toBe(405)
  })

  it('is available only to users who may import', async () => {
    await give('sales', 'ticket', { permissions: ['m.ticket:view'] })
    const refused = await demo.post('/mini/m/ticket/import/template')
    await give('sales', 'ticket')

    expect(refused.meta.code).toBe(405)
  })
})
