import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { GLOBAL_TABLES } from '../../../src/server/db/catalogue.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { makeSecrets, type Secrets } from './secrets.ts'

/** The application's own net, taken away in one of the runs: then row-level security must hold alone. */
const nets = vi.hoisted(() => ({ predicate: true }))
vi.mock('../../../src/server/visibility/predicate.ts', async (original) => {
  const real = await original<typeof import('../../../src/server/visibility/predicate.ts')>()
  const open = sql<boolean>`true`
  return {
    ...real,
    isVisible: (...args: Parameters<typeof real.isVisible>) =>
      nets.predicate ? real.isVisible(...args) : open,
    isInScope: (...args: Parameters<typeof real.isInScope>) =>
      nets.predicate ? real.isInScope(...args) : open,
    isWritable: (...args: Parameters<typeof real.isWritable>) =>
      nets.predicate ? real.isWritable(...args) : open,
  }
})

/** What a whole tenant shares, and what its administrators manage. */
const SHARED = /^\/engine\/web\/|^\/mini\/product\//
/** Streams stay open, and these end the session that asks. */
const LEFT_OUT = /stream$|\/login\/|\/tenant\/switch$|\/user\/password$|\/session\/kick$/

const server: TestApp = await openTestApp()
const routes = routesOf(server).filter(([, path]) => !LEFT_OUT.test(path))
let stranger: Client
let colleague: Client
let theirs: Secrets
let before: string
beforeAll(async () => {
  stranger = await server.as('yfadmin')
  colleague = await server.as('zengke')
  theirs = await makeSecrets(server, await server.as('demo'), await server.as('director'))
  before = await fingerprint()
}, 60_000)
afterAll(() => server.close())

it('the whole route table is tried', () => {
  expect(routes.length).toBeGreaterThan(250)
  for (const [method, path] of routes) expect(`${method} ${path}`).toMatch(/^(get|post) \//)
})

describe.each([
  ['with both nets', true],
  ['with row-level security alone', false],
])('to somebody of another tenant, %s,', (_, predicate) => {
  beforeAll(() => {
    nets.predicate = predicate
  })
  afterAll(() => {
    nets.predicate = true
  })

  it.each(routes)('%s %s tells nothing', async (method, path) => {
    for (const answer of await tryAll(stranger, method, path)) {
      expect(answer.status).toBeLessThan(500)
      expect(answer.body).not.toContain('机密')
    }
  })

  it('nothing was changed', async () => {
    expect(await fingerprint()).toBe(before)
  })
})

describe('to a salesperson of another department', () => {
  it.each(routes.filter(([, path]) => !SHARED.test(path)))('%s %s tells nothing', async (method, path) => {
    for (const answer of await tryAll(colleague, method, path)) {
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

async function tryAll(client: Client, method: string, path: string) {
  const entity = path.split('/').find((part) => part in theirs.ids)
  const bodies =
    entity === undefined
      ? Object.values(theirs.ids).flatMap((id) => bodiesFor(id).slice(0, 2))
      : bodiesFor(theirs.ids[entity] ?? '')
  return Promise.all(
    bodies.map((body) => {
      if (method === 'post') return client.post(path, body)
      const query = Object.entries(body).flatMap(([key, value]) =>
        typeof value === 'string' ? [[key, value]] : [],
      )
      return client.get(`${path}?${new URLSearchParams(query)}`)
    }),
  )
}

/** What a call may be given an id as; calls that refuse unknown fields get the short ones. */
function bodiesFor(id: string) {
  return [
    { id, ids: [id] },
    { id },
    { ids: [id], toUserId: 'u-yfadmin', reason: 'other' },
    {
      id,
      version: 1,
      name: '越权',
      title: '越权',
      toUserId: 'u-yfadmin',
      userId: id,
      customerId: id,
      contractId: id,
    },
    {
      targetType: 'customer',
      targetId: id,
      target_type: 'customer',
      target_id: id,
      content: '越权',
      method: 'call',
    },
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
