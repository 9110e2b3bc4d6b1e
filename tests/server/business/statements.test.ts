import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import budgets from '../../../src/bench/budgets.json'
import type { Connection, ConnectionSource } from '../../../src/server/kernel/db/connection.ts'
import { FULL_CUSTOMER, FULL_LEAD } from '../full-records.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'

/** Statements sent together take one round trip to the database: round trips and their statements are most of the cost of a call. */
describe('the number of round trips of a call is limited', () => {
  let server: TestApp
  let demo: Client
  let taken: { readonly statements: string[]; ways: number } | undefined
  let isOnItsWay = false
  const noteWay = (): void => {
    if (taken === undefined || isOnItsWay) return
    taken.ways += 1
    isOnItsWay = true
    process.nextTick(() => {
      isOnItsWay = false
    })
  }
  const counted = (connection: Connection): Connection => ({
    query(text, parameters) {
      noteWay()
      taken?.statements.push(text)
      return connection.query(text, parameters)
    },
    begin(settings) {
      noteWay()
      return connection.begin(settings)
    },
    end(how) {
      noteWay()
      return connection.end(how)
    },
    exec(text) {
      noteWay()
      return connection.exec(text)
    },
    release: (broken) => connection.release(broken),
  })
  beforeAll(async () => {
    server = await openTestApp({}, undefined, (source) => {
      const acquire = async () => counted(await source.acquire())
      return { ...source, acquire } as ConnectionSource
    })
    demo = await server.as('demo')
  })
  afterAll(() => server.close())

  /** Statements of a call besides `begin`, settings and `commit`, and all its round trips, once the server has cached the pages it needs. */
  async function costOf(call: (at: number) => Promise<Answer>) {
    expect((await call(1)).meta).toMatchObject({ code: 200 })
    taken = { statements: [], ways: 0 }
    const answer = await call(2)
    const { statements, ways } = taken
    taken = undefined
    expect(answer.meta).toMatchObject({ code: 200 })
    return { statements, ways }
  }
  async function expectWithin(path: keyof typeof budgets.statements, call: (at: number) => Promise<Answer>) {
    const { statements, ways } = await costOf(call)
    const said = statements.join('\n---\n')
    const most = budgets.statements[path]
    expect(statements.length, said).toBe(most.statements)
    // On PGlite the next request is sent before the first is answered.
    expect(ways, said).toBeLessThanOrEqual(most.ways)
  }
  const posted = (path: keyof typeof budgets.statements, body: (at: number) => JsonObject) =>
    expectWithin(path, (at) => demo.post(path, body(at)))
  /** A unique name. */
  const name = (at: number) => ['春蚕到死', '万水千山', '风花雪月'][at] ?? ''
  const mobile = (at: number) => `1390044${String(1000 + at)}`

  it('for a new lead with all fields', async () => {
    await posted('/mini/lead/create', (at) => ({
      ...FULL_LEAD,
      name: name(at),
      company: `${name(at)}公司`,
      mobile: mobile(at),
      telephone: null,
    }))
  })

  it('for a new customer with all fields', async () => {
    await posted('/mini/customer/create', (at) => ({
      ...FULL_CUSTOMER,
      name: `${name(at)}客户`,
      mobile: mobile(10 + at),
      telephone: null,
      website: null,
      credit_code: null,
    }))
  })

  it('for a follow-up', async () => {
    const { data } = await demo.post('/mini/customer/create', { name: '量一量跟进的客户' })
    await posted('/mini/follow/create', (at) => ({
      target_type: 'customer',
      target_id: data.id,
      method: 'call',
      content: `电话沟通了需求${at}`,
    }))
  })

  it('for the detail of a customer', async () => {
    const { data } = await demo.post('/mini/customer/list', { limit: 1 })
    const path = '/mini/customer/detail'
    await expectWithin(path, () => demo.get(`${path}?id=${data.list[0].id}`))
  })

  it('for a list', async () => {
    await posted('/mini/customer/list', () => ({ limit: 20 }))
  })
})
