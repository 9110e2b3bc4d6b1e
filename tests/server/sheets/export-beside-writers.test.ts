import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Connection, ConnectionSource } from '../../../src/server/kernel/db/connection.ts'
import { blockWriters } from '../../../src/server/kernel/model/overrides.ts'
import { type Cluster, startCluster } from '../../../src/tools/cluster.ts'
import { DEMO } from '../images.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { finished } from './finished-job.ts'

/** Needs two sessions: the embedded database has one. */
let cluster: Cluster | undefined
let server: TestApp
let admin: Client
/** Blocks the export's list. */
let beforeList: () => Promise<void> = async () => undefined
const watched = (connection: Connection): Connection => ({
  ...connection,
  async query(text, parameters) {
    if (text.includes('from customer')) await beforeList()
    return connection.query(text, parameters)
  },
})
const watch = (source: ConnectionSource): ConnectionSource => ({
  ...source,
  acquire: async (isPatient) => watched(await source.acquire(isPatient)),
})

beforeAll(async () => {
  if (!process.env.TEST_DATABASE_URL) {
    cluster = await startCluster()
    process.env.TEST_DATABASE_URL = cluster.url
  }
  server = await openTestApp({}, DEMO, watch)
  admin = await server.as('admin')
}, 300_000)
afterAll(async () => {
  await server.close()
  if (cluster === undefined) return
  delete process.env.TEST_DATABASE_URL
  await cluster.remove()
})

it('a change of fields, and the writes after it, do not wait for a running export', async () => {
  const field = { name: 'x_area', kind: 'number', label: '面积' }
  const added = await admin.post('/engine/web/field/save', { module: 'customer', field })
  expect(added.meta.message).toBe('')
  let begin: () => void = () => undefined
  let goOn: () => void = () => undefined
  const begun = new Promise<void>((done) => {
    begin = done
  })
  const released = new Promise<void>((done) => {
    goOn = done
  })
  beforeList = async () => {
    begin()
    await released
  }

  const job = await admin.post('/mini/customer/export', { tab: 'all' })
  await begun
  beforeList = async () => undefined
  const held = await server.database
    .system((trx) => blockWriters(trx, 'xinghai'))
    .then(
      () => 'at once',
      (error: Error) => error.message,
    )
  goOn()

  expect(held).toBe('at once')
  expect((await finished(admin, job)).ok).toBeGreaterThan(0)
})
