import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Connection, ConnectionSource } from '../../../src/server/kernel/db/connection.ts'
import { FULL_CUSTOMER, FULL_LEAD } from '../full-records.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

/** Each statement is a way to the database and back, most of what a call costs. */
describe('a call asks the database only so often', () => {
  let server: TestApp
  let demo: Client
  let asked: string[] | undefined
  const counted = (connection: Connection): Connection => ({
    query(text, parameters) {
      asked?.push(text)
      return connection.query(text, parameters)
    },
    exec: (text) => connection.exec(text),
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

  /** Statements of a call beside `begin`, settings and `commit`, once the server knows the pages it needs. */
  async function statementsOf(path: string, body: (at: number) => JsonObject): Promise<readonly string[]> {
    expect((await demo.post(path, body(1))).meta).toMatchObject({ code: 200 })
    asked = []
    const answer = await demo.post(path, body(2))
    const taken = asked
    asked = undefined
    expect(answer.meta).toMatchObject({ code: 200 })
    return taken
  }
  const mobile = (at: number) => `1390044${String(1000 + at)}`

  it('for a new lead with everything filled in', async () => {
    const taken = await statementsOf('/mini/lead/create', (at) => ({
      ...FULL_LEAD,
      name: `量一量线索${at}`,
      company: `量一量线索公司${at}`,
      mobile: mobile(at),
      confirm: ['DUPLICATE_PHONE'],
    }))
    expect(taken.length, taken.join('\n---\n')).toBeLessThanOrEqual(8)
  })

  it('for a new customer with everything filled in', async () => {
    const taken = await statementsOf('/mini/customer/create', (at) => ({
      ...FULL_CUSTOMER,
      name: `量一量客户${at}`,
      mobile: mobile(10 + at),
      confirm: ['DUPLICATE_PHONE'],
      credit_code: null,
    }))
    expect(taken.length, taken.join('\n---\n')).toBeLessThanOrEqual(11)
  })

  it('for a follow-up', async () => {
    const { data } = await demo.post('/mini/customer/create', { name: '量一量跟进的客户' })
    const taken = await statementsOf('/mini/follow/create', (at) => ({
      target_type: 'customer',
      target_id: data.id,
      method: 'call',
      content: `电话沟通了需求${at}`,
    }))
    expect(taken.length, taken.join('\n---\n')).toBeLessThanOrEqual(8)
  })

  it('for a list', async () => {
    const taken = await statementsOf('/mini/customer/list', () => ({ limit: 20 }))
    expect(taken.length, taken.join('\n---\n')).toBeLessThanOrEqual(2)
  })
})
