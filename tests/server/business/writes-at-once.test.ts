import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Connection, ConnectionSource } from '../../../src/server/kernel/db/connection.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const WRITES = 12
const TIMEOUT_MS = 20_000

let server: TestApp
let demo: Client
let beforeInsert: () => Promise<void> = async () => undefined

const watched = (connection: Connection): Connection => ({
  ...connection,
  async query(text, parameters) {
    if (text.includes('insert into "lead"')) await beforeInsert()
    return connection.query(text, parameters)
  },
})

beforeAll(async () => {
  server = await openTestApp(
    {},
    undefined,
    (source): ConnectionSource => ({
      ...source,
      acquire: async (isPatient) => watched(await source.acquire(isPatient)),
    }),
  )
  demo = await server.as('demo')
}, 300_000)
afterAll(() => server.close())

let made = 0
const lead = () => {
  made += 1
  return {
    name: `同时的线索${made}`,
    contact_name: '王一',
    mobile: `138${String(made).padStart(8, '0')}`,
    source: 'website',
  }
}
const atOnce = () => Promise.all(Array.from({ length: WRITES }, () => demo.post('/mini/lead/create', lead())))
const held = async (): Promise<number> => {
  const { rows } = await server.database.system((trx) =>
    sql<{
      n: number
    }>`select count(*)::int as n from lead where owner_id = 'u-demo' and deleted_at is null`.execute(trx),
  )
  return rows[0]?.n ?? 0
}

it('twelve concurrent writes of one user run in parallel', async () => {
  // The embedded database has one session; a server gives a tenant at most six of its own at a time.
  const together = server.url === null ? 1 : 6
  let waiting = 0
  let meet: () => void = () => undefined
  const met = new Promise<boolean>((done) => {
    meet = () => done(true)
  })
  let patience: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((done) => {
    patience = setTimeout(() => done(false), TIMEOUT_MS)
  })
  const all = Promise.race([met, late])
  beforeInsert = async () => {
    waiting += 1
    if (waiting === together) meet()
    await all
  }
  const answers = await atOnce()
  clearTimeout(patience)
  beforeInsert = async () => undefined

  expect(answers.map(({ meta }) => meta.code)).toEqual(Array(WRITES).fill(200))
  expect(await Promise.race([met, Promise.resolve(false)])).toBe(true)
})

it('twelve concurrent writes do not exceed the cap of held records', async () => {
  const admin = await server.as('admin')
  const before = await held()
  await admin.post('/mini/pool/setting', { id: 'xinghai-pool-lead', settings: { holding_cap: before + 5 } })
  const answers = await atOnce()

  expect(answers.filter(({ meta }) => meta.code === 200)).toHaveLength(5)
  expect(new Set(answers.map(({ meta }) => meta.error?.type))).toEqual(new Set([undefined, 'HOLDING_CAP']))
  expect(await held()).toBe(before + 5)
})
