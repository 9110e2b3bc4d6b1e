import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type Database } from '../../../src/server/kernel/db/database.ts'
import { markLeakproof } from '../../../src/server/kernel/db/leakproof.ts'
import { MIGRATIONS, migrate, pendingMigrations } from '../../../src/server/kernel/db/migrate.ts'
import { openDatabase } from '../../../src/server/kernel/db/open.ts'
import { openPostgresql } from '../../../src/server/kernel/db/postgresql.ts'
import { DatabaseUnavailable } from '../../../src/server/kernel/db/unavailable.ts'
import { type Cluster, startCluster } from '../../../src/tools/cluster.ts'
import { onServer, PEOPLE } from '../images.ts'
import { openTestApp, type TestApp } from '../support.ts'

let cluster: Cluster
const errors: Error[] = []

beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

describe('a server whose database becomes unavailable', () => {
  let database: Database
  const heard: string[] = []
  const missed: number[] = []

  beforeAll(async () => {
    database = createDatabase(openPostgresql(cluster.url, (error) => errors.push(error)))
    for (const channel of ['one', 'two', 'three'])
      await database.listen(
        channel,
        (payload) => heard.push(`${channel}: ${payload}`),
        (ms) => missed.push(ms),
      )
  })
  afterAll(() => database.close())

  it('reconnects soon after the database is back, with the same number of sessions, and knows how long it may have missed events', async () => {
    await tell('one', 'before')
    await expect.poll(() => heard).toContain('one: before')
    const before = await sessions()

    await cluster.stop()
    const away = Date.now()
    await pause(4_000)
    await cluster.start()
    const back = Date.now()
    await expect.poll(() => missed.length, { interval: 20 }).toBe(3)

    expect(Date.now() - back).toBeLessThan(5_500)
    expect(missed.every((ms) => ms > back - away - 500 && ms < Date.now() - away + 2_000)).toBe(true)
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

  it('does not report it while the server is closing', async () => {
    const told: Error[] = []
    const source = openPostgresql(cluster.url, (error) => told.push(error))
    const held = await source.acquire()
    const waiting = held.query('select pg_sleep(60)', []).catch(() => undefined)
    const closed = source.close()

    await cluster.stop('fast')
    await waiting
    held.release(true)
    await closed
    await cluster.start()

    expect(told).toEqual([])
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

describe('a start on a database', () => {
  const open = (name: string, say?: (line: string) => void) => {
    const url = new URL(cluster.url)
    url.pathname = `/${name}`
    return openDatabase({ url: url.href, folder: null, onError: () => undefined }, say)
  }
  const inCluster = async (...statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await onServer(cluster.url, (client) => client.query(statement))
  }

  it('that was restored without its roles is refused, even once they have been created again', async () => {
    await inCluster('create database restored')
    await (await open('restored')).database.close()
    const url = new URL(cluster.url)
    url.pathname = '/restored'
    await onServer(url.href, async (client) => {
      await client.query('drop owned by crm_app, crm_system')
      await client.query('drop role crm_app, crm_system')
    })

    await expect(open('restored')).rejects.toThrow('crm_app: the role is missing')
    await inCluster('create role crm_app nologin', 'create role crm_system nologin')
    await expect(open('restored')).rejects.toThrow(
      /customer: crm_app may not read it[\s\S]*customer: no policy for crm_app/,
    )
    await inCluster('alter role crm_app bypassrls')
    await expect(open('restored')).rejects.toThrow('crm_app: the role passes by row-level security')
    await inCluster('drop database restored', 'alter role crm_app nobypassrls')
  })

  it('that lost its leakproof marks, as after a restore, restores them, or names who may restore them', async () => {
    await inCluster('create database marks')
    await (await open('marks')).database.close()
    const url = new URL(cluster.url)
    url.pathname = '/marks'
    const lose = () =>
      onServer(url.href, (client) =>
        client.query(
          'alter function arraycontains(anyarray, anyarray) not leakproof; alter function arrayoverlap(anyarray, anyarray) not leakproof',
        ),
      )
    const isMarked = async () => {
      let isSo: unknown
      await onServer(url.href, async (client) => {
        const { rows } = await client.query(
          "select bool_and(proleakproof) as is_so from pg_proc where proname in ('arraycontains', 'arrayoverlap', 'crm_pieces')",
        )
        isSo = rows[0].is_so
      })
      return isSo
    }
    await lose()
    const said: string[] = []

    await (await open('marks', (line) => said.push(line))).database.close()
    expect([await isMarked(), said]).toEqual([true, []])

    await lose()
    await inCluster('create role plain login')
    url.username = 'plain'
    const plain = createDatabase(openPostgresql(url.href, (error) => errors.push(error)))
    await markLeakproof(plain, (line) => said.push(line))
    await plain.close()
    url.username = 'postgres'
    expect(await isMarked()).toBe(false)
    expect(said).toEqual([
      'searches read whole tables until an administrator of the database runs: alter function pg_catalog.arraycontains(anyarray, anyarray) leakproof',
      'searches read whole tables until an administrator of the database runs: alter function pg_catalog.arrayoverlap(anyarray, anyarray) leakproof',
    ])

    await onServer(url.href, (client) => client.query('drop function crm_pieces(text) cascade'))
    await expect(open('marks')).rejects.toThrow(
      'public.crm_pieces(text) is missing: was the restore complete?',
    )
    await inCluster('drop database marks', 'drop role plain')
  })

  it('that another start is migrating reports that and waits', async () => {
    await inCluster('create database busy')
    const url = new URL(cluster.url)
    url.pathname = '/busy'
    const said: string[] = []
    let waiting: ReturnType<typeof open> | undefined

    await onServer(url.href, async (client) => {
      await client.query('select pg_advisory_lock(1668443425)')
      waiting = open('busy', (line) => said.push(line))
      await expect.poll(() => said).toEqual(['waiting for another start, which is migrating this database'])
    })

    const { database, ran } = (await waiting) ?? (await open('busy'))
    expect(ran).toEqual(Object.keys(MIGRATIONS).sort())
    expect(await pendingMigrations(database)).toEqual([])
    const more = { ...MIGRATIONS, '9998-fine.sql': 'select 1;', '9999-broken.sql': 'select nothing;' }
    expect(await pendingMigrations(database, more)).toEqual(['9998-fine.sql', '9999-broken.sql'])
    await expect(migrate(database, more)).rejects.toThrow(
      /^migration 9999-broken\.sql failed, nothing was changed: column "nothing" does not exist\. Start the version of before again/,
    )
    await database.close()
  })

  it('that is missing names the setting and the address, not the password', async () => {
    const attempt = openDatabase({
      url: 'postgres://crm:secret@127.0.0.1:1/none',
      folder: null,
      onError: () => undefined,
    })

    await expect(attempt).rejects.toThrow(
      /^DATABASE_URL: the database at 127\.0\.0\.1:1\/none cannot be reached/,
    )
    await expect(attempt).rejects.not.toThrow(/secret/)
  })
})

/** PostgreSQL's answer to a new session while it starts up. */
function stillStarting(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0')
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

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

  it('fails if the database accepts the connection and never answers', async () => {
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const started = Date.now()

    const start = openDatabase({
      url: `postgres://nobody@127.0.0.1:${port}/none`,
      folder: null,
      onError: () => undefined,
    })

    await expect(start).rejects.toThrow()
    expect(Date.now() - started).toBeLessThan(14_000)
  })

  it('waits for a database that is starting, and reports it once', async () => {
    let refusals = 0
    const starting = createServer((socket) => {
      if (refusals < 3) {
        refusals += 1
        socket.once('data', () => socket.end(stillStarting()))
        return
      }
      const { hostname, port } = new URL(cluster.url)
      socket.pipe(connect(Number(port), hostname)).pipe(socket)
    })
    await new Promise<void>((done) => starting.listen(0, '127.0.0.1', done))
    const url = new URL(cluster.url)
    url.port = String((starting.address() as AddressInfo).port)
    const said: string[] = []

    const { database } = await openDatabase(
      { url: url.href, folder: null, onError: () => undefined },
      (line) => said.push(line),
    )
    await database.close()
    starting.close()

    expect(refusals).toBe(3)
    expect(said.filter((line) => line.includes('which is starting'))).toHaveLength(1)
  })
})

describe('a pool of sessions', () => {
  let database: Database
  beforeAll(async () => {
    const fresh = await openDatabase({ url: cluster.url, folder: null, onError: () => undefined })
    await fresh.database.close()
    database = createDatabase(
      openPostgresql(cluster.url, (error) => errors.push(error), { size: 6, waitMs: 600 }),
    )
  })
  afterAll(() => database.close())
  const busy = (tenantId: string, seconds: number) =>
    database.tenant({ tenantId, userId: 'u' }, (trx) => sql`select pg_sleep(${seconds})`.execute(trx))

  it('is not exhausted by one tenant: others and sign-in continue, and too long a wait is reported', async () => {
    const crowd = Array.from({ length: 20 }, () => busy('one', 1.5))
    const all = Promise.allSettled(crowd)
    await pause(100)

    const begun = Date.now()
    await Promise.all([busy('two', 0), database.system((trx) => sql`select 1`.execute(trx))])

    expect(Date.now() - begun).toBeLessThan(500)
    const refused = (await all).filter((one) => one.status === 'rejected')
    expect(refused.length).toBeGreaterThan(10)
    expect(refused.every(({ reason }) => reason instanceof DatabaseUnavailable)).toBe(true)
  })

  it('aborts calls that wait for a lock, but allows background work its time', async () => {
    const limits = (work: (name: string) => Promise<string>) =>
      Promise.all(['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'].map(work))
    const shown = (name: string) =>
      database.system(async (trx) => {
        const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(trx)
        return rows[0]?.value ?? ''
      })

    expect(await limits(shown)).toEqual(['30s', '8s', '1min'])
    expect(await limits((name) => database.patiently(() => shown(name)))).toEqual(['15min', '1min', '15min'])
  })
})

describe('repeated statements', () => {
  const onOneSession = (prepares?: boolean) =>
    createDatabase(openPostgresql(cluster.url, (error) => errors.push(error), { size: 4, prepares }))
  const numbered = (database: Database, n: number) =>
    database.system(async (trx) => (await sql<{ n: number }>`select ${n}::int as n`.execute(trx)).rows[0]?.n)
  const prepared = (database: Database) =>
    database.system(async (trx) =>
      (
        await sql<{ text: string }>`select statement as text from pg_prepared_statements`.execute(trx)
      ).rows.map(({ text }) => text),
    )

  it('are prepared once per session, and not at all if that is switched off', async () => {
    const [quick, plain] = [onOneSession(), onOneSession(false)]

    for (const n of [1, 2, 3]) {
      expect(await numbered(quick, n)).toBe(n)
      expect(await numbered(plain, n)).toBe(n)
    }

    const opening = ['begin', 'commit', "set local role = 'crm_system'"]
    expect(await prepared(quick)).toEqual([...opening, 'select $1::int as n'])
    expect(await prepared(plain)).toEqual([])
    await Promise.all([quick.close(), plain.close()])
  })

  it('are prepared again if a newer server has changed their table meanwhile', async () => {
    const database = onOneSession()
    const ddl = (text: string) => database.owner((trx) => sql.raw(text).execute(trx))
    const rows = () => database.owner(async (trx) => (await sql`select * from changing`.execute(trx)).rows)
    await ddl('create table changing (a int)')
    await ddl('insert into changing values (1)')
    for (const _ of [1, 2, 3]) expect(await rows()).toEqual([{ a: 1 }])

    await ddl('alter table changing add column b int')

    expect(await rows()).toEqual([{ a: 1, b: null }])
    await ddl('drop table changing')
    await database.close()
  })

  it('close a session that has too many of them', async () => {
    const database = onOneSession()
    const session = () =>
      database.system(
        async (trx) => (await sql<{ id: number }>`select pg_backend_pid() as id`.execute(trx)).rows[0]?.id,
      )
    const before = await session()

    await database.system(async (trx) => {
      for (let n = 0; n < 601; n += 1)
        for (const _ of [1, 2]) await sql`select ${sql.lit(n)} as n`.execute(trx)
    })

    expect(await session()).not.toBe(before)
    await database.close()
  })
})

describe('the answers of a server', () => {
  let server: TestApp
  const before = process.env.TEST_DATABASE_URL
  beforeAll(async () => {
    process.env.TEST_DATABASE_URL = cluster.url
    server = await openTestApp({}, PEOPLE, undefined, (error) => errors.push(error))
  })
  afterAll(async () => {
    await server.close()
    process.env.TEST_DATABASE_URL = before ?? ''
  })

  it('are 503 with Retry-After, in the envelope, while its database is unavailable, and normal when it is back', async () => {
    const demo = await server.as('demo')
    const body = { account: 'demo', password: 'x', agree: true, deviceId: 'd' }
    await cluster.stop()

    const answers = [
      await server.with(null).post('/mini/login/validate', body),
      await demo.post('/mini/customer/list'),
    ]
    const ready = await server.app.inject('/readyz')
    await cluster.start()

    for (const answer of answers) {
      expect([answer.status, answer.meta.code, answer.meta.error?.type]).toEqual([503, 503, 'UNAVAILABLE'])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'unavailable' }])
    expect((await demo.post('/mini/customer/list')).meta.code).toBe(200)
    expect((await server.app.inject('/readyz')).statusCode).toBe(200)
  })

  it('are 503 soon, and then at once, while its database is frozen, and normal when it continues', {
    timeout: 60_000,
  }, async () => {
    const demo = await server.as('demo')
    const missed: number[] = []
    const heard: string[] = []
    await server.database.listen(
      'thaw',
      (payload) => heard.push(payload),
      (ms) => missed.push(ms),
    )
    const thaw = await freeze(server.database)
    try {
      const begun = Date.now()
      const ready = server.app.inject('/readyz').then(({ statusCode }) => [statusCode, Date.now() - begun])
      const answers = await Promise.all([demo.post('/mini/customer/list'), demo.post('/mini/lead/list')])
      const took = Date.now() - begun
      const again = await demo.post('/mini/customer/list')

      for (const answer of [...answers, again]) {
        expect([answer.status, answer.meta.error?.type]).toEqual([503, 'UNAVAILABLE'])
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      }
      expect(took).toBeLessThan(10_000)
      expect(Date.now() - begun - took).toBeLessThan(500)
      expect(await ready).toEqual([503, expect.toSatisfy((ms: number) => ms < 1_700)])
    } finally {
      thaw()
    }

    await expect
      .poll(async () => (await demo.post('/mini/customer/list')).meta.code, { timeout: 8_000 })
      .toBe(200)
    expect((await server.app.inject('/readyz')).statusCode).toBe(200)
    await server.database.owner((trx) => server.database.notify(trx, 'thaw', 'word'))
    await expect.poll(() => heard, { timeout: 8_000 }).toEqual(['word'])
  })

  it('do not wait for a statement whose session alone is frozen, and the session is closed', {
    timeout: 60_000,
  }, async () => {
    const database = createDatabase(
      openPostgresql(cluster.url, () => undefined, {
        size: 1,
        limits: { longestMs: 2_000, patientMs: 2_000 },
      }),
    )
    const pids: number[] = []
    const stopped = database.system(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      pids.push(...rows.map(({ pid }) => pid))
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      await sql`select 1`.execute(trx)
    })

    await expect(stopped).rejects.toThrow(DatabaseUnavailable)
    await expect(database.system((trx) => sql`select 1`.execute(trx))).resolves.toBeDefined()
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    await database.close()
  })

  it('report within a second that it is not ready while no session is available', async () => {
    const crowd = Array.from({ length: 10 }, () =>
      server.database.system((trx) => sql`select pg_sleep(2.5)`.execute(trx)),
    )
    await pause(100)
    const begun = Date.now()

    const answers = await Promise.all([server.app.inject('/readyz'), server.app.inject('/readyz')])

    expect(answers.map((answer) => answer.statusCode)).toEqual([503, 503])
    expect(Date.now() - begun).toBeLessThan(1_700)
    await Promise.all(crowd)
  })
})

/** Suspends every process of a PostgreSQL on this machine: connections are accepted, but nothing is answered. */
async function freeze(database: Database): Promise<() => void> {
  const { rows } = await database.owner((trx) =>
    sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx),
  )
  const [, parent = ''] = /^PPid:\s*(\d+)/m.exec(await readFile(`/proc/${rows[0]?.pid}/status`, 'utf8')) ?? []
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8')
  const all = [parent, ...children.trim().split(' ')].map(Number)
  for (const pid of all) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of all) process.kill(pid, 'SIGCONT')
  }
}
