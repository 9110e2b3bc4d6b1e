import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { GLOBAL_TABLES } from '../../../src/server/db/catalogue.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { nets } from './nets.ts'
import { makeSecrets, type Secrets } from './secrets.ts'

vi.mock('../../../src/server/visibility/predicate.ts', async (original) =>
  (await import('./nets.ts')).openable(await original()),
)

/** What a whole tenant shares, and what its administrators manage. */
const SHARED = /^\/engine\/web\/|^\/mini\/product\//
/** Streams stay open, and these end the session that asks. */
const LEFT_OUT = /stream$|\/login\/|\/tenant\/switch$|\/user\/password$/

const server: TestApp = await openTestApp()
const routes = routesOf(server).filter(([, path]) => !LEFT_OUT.test(path))
const posts = routes.flatMap(([method, path]) =>
  method === 'post' && path.startsWith('/mini/') ? [path] : [],
)
let stranger: Client
let colleague: Client
let theirs: Secrets
let before: string
beforeAll(async () => {
  stranger = await server.as('yfadmin')
  colleague = await server.as('zengke')
  theirs = await makeSecrets(server)
  before = await fingerprint()
}, 60_000)
afterAll(() => server.close())

it('the whole route table is tried', () => {
  expect(routes.length).toBeGreaterThan(250)
  for (const [method, path] of routes) expect(`${method} ${path}`).toMatch(/^(get|post) \//)
})

describe.each([
  ['with row-level security alone', false, bodiesFor],
  ['with both nets', true, plainBodiesFor],
] as const)('to somebody of another tenant, %s,', (_, predicate, bodies) => {
  beforeAll(() => {
    nets.predicate = predicate
  })
  afterAll(() => {
    nets.predicate = true
  })

  it.each(routes)('%s %s tells nothing', async (method, path) => {
    for (const answer of await tryAll(stranger, method, path, bodies)) {
      expect(answer.status).toBeLessThan(500)
      expect(answer.body).not.toMatch(/机密|家事/)
    }
  })

  it('nothing was changed', async () => {
    expect(await fingerprint()).toBe(before)
  })
})

describe('to a salesperson of another department', () => {
  it.each(routes.filter(([, path]) => !SHARED.test(path)))('%s %s tells nothing', async (method, path) => {
    for (const answer of await tryAll(colleague, method, path, bodiesFor)) {
      expect(answer.status).toBeLessThan(500)
      expect(answer.body).not.toContain('机密')
    }
  })

  it('nothing of them was changed', async () => {
    const untouched = await Promise.all(
      Object.entries(theirs.owned).map(async ([table, id]) => [table, await rowMark(table, id)] as const),
    )
    expect(Object.fromEntries(untouched)).toEqual(theirs.marks)
  })
})

describe('an outbox', () => {
  it('takes every write of a record that is done once per token, and nothing else', async () => {
    const needToken: string[] = []
    for (const path of posts) {
      const { meta } = await stranger.post(path, { clientToken: 'short', id: 'x' })
      if (meta.error?.detail?.startsWith('clientToken:')) needToken.push(path)
    }
    const taken: string[] = []
    for (const some of batchesOf(posts)) {
      const ops = some.map((path) => ({ clientToken: 'short', path, body: { id: path } }))
      const { data } = await stranger.post('/mini/sync/outbox', { ops })
      taken.push(...some.filter((path, i) => data.results[i].meta.error?.detail !== path))
    }
    const isLate = (path: string) => !/\/claim$|^\/mini\/approval\//.test(path)

    expect(taken.filter((path) => needToken.includes(path))).toEqual(needToken.filter(isLate))
    expect(taken.filter((path) => !needToken.includes(path))).toEqual([])
    expect(taken.length).toBeGreaterThan(100)
  })
})

type Body = Readonly<Record<string, string | number | readonly string[] | readonly object[]>>
type Bodies = (id: string, kind: string) => readonly Body[]

/** The call with an id of the kind its path names, or of every kind when it names none. */
async function tryAll(client: Client, method: string, path: string, bodies: Bodies) {
  const kind = path.split('/').findLast((part) => part in theirs.ids)
  const sent = path.startsWith('/mini/sync/')
    ? syncBodies(path)
    : kind === undefined
      ? Object.values(theirs.ids).flatMap(plainBodiesFor)
      : bodies(theirs.ids[kind] ?? '', kind)
  return Promise.all(
    sent.map((body) => {
      if (method === 'post') return client.post(path, body as never)
      const query = Object.entries(body).flatMap(([key, value]) =>
        typeof value === 'string' ? [[key, value]] : [],
      )
      return client.get(`${path}?${new URLSearchParams(query)}`)
    }),
  )
}

/** Everything there is to copy; and every post once more, as it waits in an outbox. */
function syncBodies(path: string): readonly Body[] {
  if (path.endsWith('/changes')) return [{}, { since: theirs.since }]
  const ops = posts.map((to, n) => {
    const id = theirs.ids[to.split('/').findLast((part) => part in theirs.ids) ?? ''] ?? ''
    return { clientToken: `isolated-${n}`, path: to, body: { id, ids: [id] } }
  })
  return batchesOf(ops).map((some) => ({ ops: some }))
}

function batchesOf<T>(ops: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(ops.length / 50) }, (_, i) => ops.slice(i * 50, i * 50 + 50))
}

function plainBodiesFor(id: string): readonly Body[] {
  return [{ id, ids: [id] }, { id }]
}

/** What a call may be given an id as; calls that refuse unknown fields get the short ones. */
function bodiesFor(id: string, kind: string): readonly Body[] {
  const toUserId = 'u-yfadmin'
  const asked = { key: 'new_contract', period: 'this_year' }
  const customer = theirs.ids.customer ?? ''
  return [
    ...plainBodiesFor(id),
    { ids: [id] },
    { id: `approval:${theirs.ids.approval}`, ids: [`approval:${theirs.ids.approval}`] },
    { ids: [id], toUserId, reason: 'other' },
    { ids: [id], toUserId },
    { ids: [id], to: 'week' },
    { id, toUserId },
    { id, version: 1, name: '越权' },
    { id, version: 1, name: '越权', title: '越权', toUserId, userId: id, customerId: id, contractId: id },
    { title: '越权', due_at: '2026-03-20', target_type: kind, target_id: id },
    {
      targetType: 'customer',
      targetId: customer,
      target_type: 'customer',
      target_id: customer,
      content: '越权',
      method: 'call',
    },
    ...[`user:${id}`, `dept:${theirs.ids.dept}`].flatMap((scope) => [
      { ...asked, scope },
      { keys: [asked.key], period: asked.period, scope },
    ]),
    { objectType: 'user', objectId: id, year: '2026' },
  ]
}

/** Every row of the tenant whose secrets these are, but for what people do by looking. */
async function fingerprint(): Promise<string> {
  return server.database.system(async (trx) => {
    const { rows } = await sql<{
      name: string
    }>`select distinct table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'tenant_id'`.execute(trx)
    const tables = rows.map(({ name }) => name).filter((name) => !GLOBAL_TABLES.has(name))
    const marks = await Promise.all(
      tables.map(async (table) => {
        const found = await sql<{
          mark: string
        }>`select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as mark
          from ${sql.table(table)} t where tenant_id = 'xinghai'`.execute(trx)
        return `${table} ${found.rows[0]?.mark}`
      }),
    )
    return marks.sort().join('\n')
  })
}

async function rowMark(table: string, id: string): Promise<string> {
  return theirs.mark(table, id)
}

/** The routes as the server has them. */
function routesOf({ app }: TestApp): readonly (readonly ['get' | 'post', string])[] {
  const stack: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line): (readonly ['get' | 'post', string])[] => {
      const found = /^([│ ]*)[├└]── (\S*)(?: \(([^)]*)\))?/.exec(line)
      if (found === null) return []
      const [, indent = '', part = '', methods = ''] = found
      const depth = indent.length / 4
      stack.length = depth
      stack[depth] = part
      const path = stack.join('')
      return methods
        .split(', ')
        .filter((method) => method === 'GET' || method === 'POST')
        .map((method) => [method === 'GET' ? 'get' : 'post', path] as const)
    })
    .filter(([, path]) => /^\/(mini|engine)\//.test(path))
}
