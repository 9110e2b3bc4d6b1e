import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { bodiesFor, postsOf, routesOf, tryAll } from './routes.ts'
import { makeSecrets, type Secrets } from './secrets.ts'

/** What a whole tenant shares, and what its administrators manage. */
const SHARED = /^\/engine\/web\/|^\/mini\/product\//

const server: TestApp = await openTestApp()
const routes = routesOf(server)
const posts = postsOf(routes)
let colleague: Client
let theirs: Secrets
beforeAll(async () => {
  colleague = await server.as('zengke')
  theirs = await makeSecrets(server)
}, 60_000)
afterAll(() => server.close())

describe('to a salesperson of another department', () => {
  it.each(routes.filter(([, path]) => !SHARED.test(path)))('%s %s tells nothing', async (...route) => {
    for (const answer of await tryAll({ theirs, posts }, colleague, route, bodiesFor)) {
      expect(answer.status).toBeLessThan(500)
      expect(answer.body).not.toContain('机密')
    }
  })

  it('nothing of them was changed', async () => {
    const untouched = await Promise.all(
      Object.entries(theirs.owned).map(async ([table, id]) => [table, await theirs.mark(table, id)] as const),
    )
    expect(Object.fromEntries(untouched)).toEqual(theirs.marks)
  })
})
