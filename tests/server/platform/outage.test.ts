import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type Database } from '../../../src/server/db/database.ts'
import { openDatabase } from '../../../src/server/db/open.ts'
import { openPostgresql } from '../../../src/server/db/postgresql.ts'
import { type Cluster, startCluster } from '../../../src/tools/cluster.ts'

let cluster: Cluster
const errors: Error[] = []

beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

describe('a server whose database goes away', () => {
  let database: Database
  const heard: string[] = []
  const missed: number[] = []

  beforeAll(async () => {
    database = createDatabase(openPostgresql(cluster.url, (error) => errors.push(error)))
    for (const channel of ['one', 'two', 'three'])
      await database.listen(
        channel,
        (payload) => heard.push(`${channel}: ${payload}`),
        (since) => missed.push(since),
      )
  })
  afterAll(() => database.close())

  it('hears again soon after it is back, on as many sessions as before, and knows since when it may have missed something', async () => {
    await tell('one', 'before')
    await expect.poll(() => heard).toContain('one: before')
    const before = await sessions()

    const away = Date.now()
    await cluster.stop()
    await pause(4_000)
    await cluster.start()
    const back = Date.now()
    await expect.poll(() => missed.length, { interval: 20 }).toBe(3)

    expect(Date.now() - back).toBeLessThan(5_500)
    expect(missed.every((since) => since >= away && since < back)).toBe(true)
    await tell('three', 'after')
    await expect.poll(() => heard).toContain('three: after')
    expect(await sessions()).toBeLessThanOrEqual(before)
    expect(errors.length).toBeLessThan(12)
  })

  it('survives a crash of the database in the middle of a statement', async () => {
    const seen = missed.length
    const waiting = database.owner((trx) => sql`select pg_sleep(60)`.execute(trx))
    const refused = expect(waiting).rejects.toThrow(/terminat/i)
    await expect.poll(async () => (await pids('pg_sleep')).length).toBe(1)

    await cluster.stop('immediate')
    await refused
    await cluster.start()

    await expect.poll(() => missed.length).toBe(seen + 3)
    await tell('two', 'alive')
    await expect.poll(() => heard).toContain('two: alive')
  })

  const tell = (channel: string, payload: string): Promise<void> =>
    database.owner((trx) => database.notify(trx, channel, payload))
  const pids = (query: string): Promise<readonly unknown[]> =>
    database.owner(async (trx) => {
      const { rows } = await sql`select pid from pg_stat_activity
        where pid <> pg_backend_pid() and backend_type = 'client backend' and query like ${`%${query}%`}`.execute(
        trx,
      )
      return rows
    })
  const sessions = async (): Promise<number> => (await pids('')).length
})

describe('a start', () => {
  let silent: Server
  const sockets = new Set<Socket>()

  beforeAll(async () => {
    silent = createServer((socket) => sockets.add(socket))
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  })
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })

  it('fails when the database takes the connection and never answers', async () => {
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const started = Date.now()

    const start = openDatabase({
      url: `postgres://nobody@127.0.0.1:${port}/none`,
      folder: null,
      onError: () => undefined,
    })

    await expect(start).rejects.toThrow()
    expect(Date.now() - started).toBeLessThan(8_000)
  })
})
