import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let demo: Client
beforeAll(async () => {
  server = await openTestApp({ HOME_CACHE: 'on' })
  demo = await server.as('demo')
})
afterAll(() => server.close())

it('the figures of home are cached for a minute, unless the user writes something or a day begins', async () => {
  const seen = async () => (await demo.get('/mini/home/overview')).data.statistics.new_customer_follow[1]
  const first = await seen()
  await follow('f1')

  const kept = await seen()
  const other = (await demo.get('/mini/home/overview?period=today')).data.statistics.new_customer_follow[1]
  await demo.post('/mini/user/preference', { anything: 1 })
  const written = await seen()
  await follow('f2')
  const keptAgain = await seen()
  server.clock.now += 60_000
  const later = await seen()

  expect([first, kept, other, written, keptAgain, later]).toEqual([0, 0, 1, 1, 1, 2])
})

it('pending items are never cached', async () => {
  const waiting = async () => (await demo.get('/mini/home/overview')).data.todo.overdue
  const before = await waiting()
  await server.database.system((trx) =>
    sql`update customer set next_follow_at = ${new Date(server.clock.now - 1)} where id = 'c1'`.execute(trx),
  )

  expect([before, await waiting()]).toEqual([0, 1])
})

async function follow(id: string): Promise<void> {
  await server.database.system(async (trx) => {
    await sql`insert into customer (tenant_id, id, name, customer_no, owner_id, name_norm, search_text, search_tokens, py, py_initial)
      values ('xinghai', 'c1', '客户', 'c1', 'u-demo', 'c1', '', '{}', '', '') on conflict do nothing`.execute(
      trx,
    )
    await sql`insert into follow (tenant_id, id, target_type, target_id, customer_id, method, content, followed_at, author_id)
      values ('xinghai', ${id}, 'customer', 'c1', 'c1', 'call', '跟进', ${new Date(server.clock.now)}, 'u-demo')`.execute(
      trx,
    )
  })
}
