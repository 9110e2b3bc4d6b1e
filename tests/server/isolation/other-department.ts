import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOwn } from '../../../src/server/kernel/auth/permissions.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { tryParameters } from './any-parameter.ts'
import { parametersOf } from './parameters.ts'
import { bodiesFor, OWN_MODULE, postsOf, routesOf, tryAll } from './routes.ts'
import { makeSecrets, type Secrets } from './secrets.ts'

/** Data that a whole tenant shares, and that its administrators manage. */
const SHARED = /^\/engine\/web\/|^\/mini\/product\//

const server: TestApp = await openTestApp()
const routes = routesOf(server).filter(([, path]) => !SHARED.test(path))
const posts = postsOf(routesOf(server))
let colleague: Client
let manager: Client
let theirs: Secrets
beforeAll(async () => {
  theirs = await makeSecrets(server)
  // Missing permissions must not be what hides the data: a manager with every permission except those of administrators.
  await server.database.system((trx) =>
    sql`update role set permissions = (select jsonb_agg(distinct p) from role r,
          jsonb_array_elements_text(r.permissions || ${JSON.stringify(allOwn(OWN_MODULE))}::jsonb) p
        where r.tenant_id = 'xinghai' and not starts_with(p, 'system:'))
      where tenant_id = 'xinghai' and code = 'sales_manager'`.execute(trx),
  )
  colleague = await server.as('zengke')
  manager = await server.as('tangwei')
})
afterAll(() => server.close())

describe('to a user of another department', () => {
  it.each(routes)('%s %s reveals nothing', async (...route) => {
    for (const answer of await tryAll({ theirs, posts }, colleague, route, bodiesFor)) {
      expect(answer.status).toBeLessThan(500)
      expect(answer.body).not.toContain('机密')
    }
  })

  // Its manager may ask about the people of their own departments.
  it.each(routes)('%s %s reveals nothing of an id in any of its parameters', async (...route) => {
    for (const answer of await tryParameters({ theirs, client: manager }, route)) {
      expect(answer.status).toBeLessThan(500)
      expect(answer.body).not.toContain('机密')
    }
  })

  it('the calls have changed nothing', async () => {
    const untouched = await Promise.all(
      Object.entries(theirs.owned).map(async ([table, id]) => [table, await theirs.mark(table, id)] as const),
    )
    expect(Object.fromEntries(untouched)).toEqual(theirs.marks)
  })
})

it('the parameters of the routes are known', () => {
  const known = (route: string) => parametersOf(route)

  expect(known('get /mini/stats/report')).toContain('userId')
  expect(known('post /mini/stats/detail')).toContain('scope')
  expect(known('post /mini/payment/create')).toContain('plan_id')
  expect(known('post /mini/todo/transfer')).toContain('toUserId')
  expect(known('post /mini/bussiness/create')).toContain('contact_ids')
})
