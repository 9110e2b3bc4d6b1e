import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adminResources } from '../../../src/server/admin/routes.ts'
import { homeRoutes } from '../../../src/server/home/routes.ts'
import { messageRoutes } from '../../../src/server/messages/routes.ts'
import { profileRoutes } from '../../../src/server/profile/routes.ts'
import type { Resource, Services } from '../../../src/server/resource.ts'
import { statsRoutes } from '../../../src/server/stats/routes.ts'
import { todoRoutes } from '../../../src/server/todos/routes.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { aContract, aCustomer, anApproval, aPlan } from './rows.ts'

const RESOURCES: readonly Resource[] = [
  todoRoutes,
  messageRoutes,
  statsRoutes,
  profileRoutes,
  homeRoutes,
  adminResources,
]
/** The stream is tested with open streams, in live.test.ts. */
const ROUTES = collect().filter(([, path]) => path !== '/mini/message/stream')
const THEIRS = ['todo', 'message', 'notice', 'customer', 'contract', 'payment_plan', 'approval', 'membership', 'department', 'role',
  'dict_type', 'dict_item', 'menu', 'pool', 'approval_flow', 'sales_target', 'message_setting'] // biome-ignore format: a list of tables

let server: TestApp
let ours: Client
let ids: Record<string, string>
beforeAll(async () => {
  server = await openTestApp()
  const theirs = await server.as('yfadmin')
  await server.database.system(async (trx) => {
    await aCustomer(trx, { id: 'y1', tenant: 'yunfan', owner: 'u-guopeng', name: '秘密客户' })
    await aContract(trx, {
      id: 'yk',
      tenant: 'yunfan',
      owner: 'u-guopeng',
      customer: 'y1',
      signDate: '2026-03-10',
    })
    await aPlan(trx, { id: 'yp', tenant: 'yunfan', contract: 'yk', day: '2026-03-20' })
    await anApproval(trx, {
      id: 'ya',
      tenant: 'yunfan',
      record: 'yk',
      waiting: ['u-yfadmin'],
      submitter: 'u-guopeng',
    })
    await sql`update membership set name = '秘密' || name where tenant_id = 'yunfan' and user_id <> 'u-demo'`.execute(
      trx,
    )
    await sql`update dict_item set label = '秘密' || label where tenant_id = 'yunfan'`.execute(trx)
    await sql`update menu set title = '秘密' || title where tenant_id = 'yunfan'`.execute(trx)
    await sql`update role set name = '秘密' || name where tenant_id = 'yunfan'`.execute(trx)
  })
  const todo = await theirs.post('/mini/todo/create', {
    title: '秘密待办',
    due_at: '2026-03-20',
    assignee_id: 'u-guopeng',
  })
  const notice = await theirs.post('/engine/web/notice/save', {
    title: '秘密公告',
    content: '秘密',
    publish: true,
  })
  const pool = await theirs.post('/engine/web/pool/save', { entity: 'customer', name: '秘密公海' })
  const log = (await theirs.post('/engine/web/log/list', {})).data.list[0].id
  const role = (await theirs.post('/engine/web/role/list', {})).data.list[0].id
  const message = await server.database.system((trx) =>
    sql<{ id: string }>`select id from message where tenant_id = 'yunfan' limit 1`.execute(trx),
  )
  const session = await server.database.system((trx) =>
    sql<{ id: string }>`select id from session where user_id = 'u-yfadmin'`.execute(trx),
  )
  ids = {
    todo: todo.data.id,
    notice: notice.data.id,
    pool: pool.data.id,
    log,
    role,
    message: message.rows[0]?.id ?? '',
    session: session.rows[0]?.id ?? '',
    user: 'u-guopeng',
    dept: 'yf-trade',
    customer: 'y1',
    contract: 'yk',
    plan: 'yp',
    approval: 'approval:ya',
  }
  ours = await server.as('admin')
}, 60_000)
afterAll(() => server.close())

it('every call of these rooms is tried', () => {
  expect(ROUTES.length).toBeGreaterThan(55)
})

it.each(ROUTES)(
  '%s %s shows and changes nothing of another tenant, whatever id it is given',
  async (method, path) => {
    const before = await fingerprint()

    for (const [name, id] of Object.entries(ids)) {
      const body = {
        id,
        ids: [id],
        version: 1,
        name: '越权',
        title: '越权',
        due_at: '2026-03-20',
        to: 'week',
        toUserId: 'u-guopeng',
        target_type: name,
        target_id: id,
        key: 'new_contract',
        keys: ['new_contract'],
        period: 'this_year',
        scope: name === 'dept' ? `dept:${id}` : `user:${id.replace(/[^\w-]/g, '')}`,
        objectType: name === 'dept' ? 'dept' : 'user',
        objectId: id,
        userId: id,
      }
      const query = new URLSearchParams(
        Object.entries(body).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
      )
      const tries =
        method === 'get'
          ? [await ours.get(`${path}?${query}`)]
          : await Promise.all(variants(body).map((it) => ours.post(path, it)))
      for (const answer of tries) {
        expect(answer.status).toBeLessThan(500)
        expect(answer.body).not.toContain('秘密')
      }
    }

    expect(await fingerprint()).toEqual(before)
  },
)

type Body = Record<string, string | number | string[]>

/** The whole body, and parts of it for calls that refuse unknown fields. */
function variants(body: Body): Body[] {
  const only = (...names: string[]): Body =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)))
  return [
    body,
    only('id'),
    only('ids'),
    only('ids', 'to'),
    only('ids', 'toUserId'),
    only('id', 'toUserId'),
    only('key', 'period', 'scope'),
    only('keys', 'period', 'scope'),
    only('id', 'version', 'name'),
    only('title', 'due_at', 'target_type', 'target_id'),
  ]
}

async function fingerprint(): Promise<Record<string, string>> {
  return server.database.system(async (trx) => {
    const marks: Record<string, string> = {}
    for (const table of THEIRS) {
      const { rows } = await sql<{
        mark: string
      }>`select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as mark
        from ${sql.table(table)} t where tenant_id = 'yunfan'`.execute(trx)
      marks[table] = rows[0]?.mark ?? ''
    }
    return marks
  })
}

/** The routes as the resources register them. */
function collect(): (readonly ['get' | 'post', string])[] {
  const found: (readonly ['get' | 'post', string])[] = []
  const app = {
    get: (path: string) => found.push(['get', path]),
    post: (path: string) => found.push(['post', path]),
    addHook: () => undefined,
  }
  for (const resource of RESOURCES) resource(app as never, { config: {} } as Services)
  return found
}
