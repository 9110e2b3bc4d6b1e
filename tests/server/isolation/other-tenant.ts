import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GLOBAL_TABLES } from '../../../src/server/kernel/db/catalogue.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { tryParameters } from './any-parameter.ts'
import { useAccessCheck } from './nets.ts'
import { parametersOf } from './parameters.ts'
import { batchesOf, bodiesFor, plainBodiesFor, postsOf, routesOf, tryAll } from './routes.ts'
import { makeSecrets, type Secrets } from './secrets.ts'

const server: TestApp = await openTestApp()
const routes = routesOf(server)
const posts = postsOf(routes)
let stranger: Client
let theirs: Secrets
let before: string
beforeAll(async () => {
  stranger = await server.as('yfadmin')
  theirs = await makeSecrets(server)
  before = await fingerprint()
})
afterAll(() => server.close())

it('every route is tested', () => {
  expect(routes.length).toBeGreaterThan(250)
  for (const [method, path] of routes) expect(`${method} ${path}`).toMatch(/^(get|post) \//)
})

describe.each([
  ['with row-level security alone', false, bodiesFor],
  ['with both nets', true, plainBodiesFor],
] as const)('to a user of another tenant, %s,', (_, predicate, bodies) => {
  useAccessCheck(predicate)

  it.each(routes)('%s %s reveals nothing', async (...route) => {
    for (const answer of await tryAll({ theirs, posts }, stranger, route, bodies)) {
      expect(answer.status).toBeLessThan(500)
      expect(answer.body).not.toMatch(/机密|家事/)
    }
  })

  it('the calls have changed nothing', async () => {
    expect(await fingerprint()).toBe(before)
  })
})

// Row-level security alone must block everything that both layers block.
describe('to a user of another tenant who sends the id in other parameters than the path’s record,', () => {
  useAccessCheck(false)

  it.each(routes)('%s %s reveals nothing of an id in any of them', async (...route) => {
    for (const answer of await tryParameters({ theirs, client: stranger }, route)) {
      expect(answer.status).toBeLessThan(500)
      expect(answer.body).not.toMatch(/机密|家事/)
    }
  })

  it('the calls have changed nothing', async () => {
    expect(parametersOf('post /mini/todo/transfer')).toContain('toUserId')
    expect(parametersOf('post /mini/payment/create')).toContain('plan_id')
    expect(await fingerprint()).toBe(before)
  })
})

describe('an outbox', () => {
  it('accepts every write of an existing record once per token, and no other call', async () => {
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

/** Every row of the tenant that owns the secrets, except those that change by reading. */
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
