import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInProcessScript } from '../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../runtime/sandbox/parse-for-scripts.ts'
import { createApp } from '../../../src/server/http/app.ts'
import { DEMO_PASSWORD, seedAccounts } from '../../../src/server/http/seed/accounts.ts'
import { readConfig } from '../../../src/server/kernel/config/config.ts'
import { createLog } from '../../../src/server/kernel/config/log.ts'
import type { Database } from '../../../src/server/kernel/db/database.ts'
import { openDatabase } from '../../../src/server/kernel/db/open.ts'
import { createOwnVerdicts } from '../../../src/server/kernel/forms/verdicts.ts'
import { type Cluster, startCluster } from '../../../src/tools/cluster.ts'
import { fail, onServer } from '../images.ts'
import { call } from '../support.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** PostgreSQL and a standby: what the primary has on disk is replicated. */
let leader: Cluster
let standby: Cluster
beforeAll(async () => {
  leader = await startCluster({ isDurable: true })
  standby = await leader.follow()
}, 60_000)
afterAll(async () => {
  await standby?.remove()
  await leader?.remove()
})

const sql = (cluster: Cluster, statement: string) =>
  onServer(cluster.url, (client) => client.query(statement))

interface Server {
  readonly database: Database
  readonly ask: (path: string, body: object | null) => Promise<{ meta: { code: number }; data: never }>
  close(): Promise<void>
}

async function serve(url: string, readUrl?: string): Promise<Server & { readonly errors: Error[] }> {
  const errors: Error[] = []
  const { database } = await openDatabase({
    url,
    readUrl,
    folder: null,
    onError: readUrl === undefined ? fail : () => undefined,
    onStandbyError: (error) => errors.push(error),
  })
  const config = readConfig({ APP_ROOT: ROOT, DATA_DIR: 'none', DATABASE_URL: url, RATE_LIMITS: 'off' })
  const app: FastifyInstance = await createApp({
    config,
    database,
    secret: 'x'.repeat(32),
    log: createLog('silent'),
    now: Date.now,
    verdicts: createOwnVerdicts(createInProcessScript(nodeQuickJs, parseForScripts)),
  })
  let token = ''
  const ask = (path: string, body: object | null) => call(app, path, body, token)
  if (readUrl !== undefined) await database.system(seedAccounts)
  const signIn = { account: 'yfadmin', password: DEMO_PASSWORD, agree: true, deviceId: 'd' }
  token = (await ask('/mini/login/validate', signIn)).data.token
  return {
    database,
    errors,
    ask,
    async close() {
      await app.close()
      await database.close()
    },
  }
}

const BEHIND = 'it is more than 50 ms behind'

type Listed = { readonly list: readonly { readonly name: string }[] }
type Changes = { readonly reset: boolean; readonly next: string; readonly hasMore: boolean }

describe('a server with a standby', () => {
  let server: Server & { readonly errors: Error[] }
  let cursor: string
  beforeAll(async () => {
    server = await serve(leader.url, standby.url)
    // From here on the server has cached the tenant's fields.
    await server.ask('/mini/customer/detail?id=none', null)
  }, 60_000)
  afterAll(() => server?.close())
  let made = 0
  const create = async (name: string) => {
    const answer = await server.ask('/mini/customer/create', { name, clientToken: `standby-${++made}` })
    expect(answer.meta).toMatchObject({ code: 200 })
  }
  const first = async () =>
    ((await server.ask('/mini/customer/list', { tab: 'all', limit: 1 })).data as Listed).list[0]?.name
  /** It was unavailable or behind: it is tried again after a pause. */
  const isAnsweredThere = async (path: string, body: object) => {
    for (let times = 0; times < 100; times++) {
      const before = server.database.reads?.().standby ?? 0
      await server.ask(path, body)
      if ((server.database.reads?.().standby ?? 0) > before) return true
      await pause(100)
    }
    return false
  }
  const isAsked = () => isAnsweredThere('/mini/customer/list', { tab: 'all', limit: 1 })

  it('reads lists and statistics from it, and no statement of these calls writes', async () => {
    const kinds = ['customer', 'contact', 'lead', 'bussiness', 'contract', 'payment', 'product', 'activity']
    const stats = ['trend', 'funnel', 'rank', 'analysis', 'team', 'forecast', 'dimension/list']
    const asked = [
      ...kinds.flatMap((kind) => [`/mini/${kind}/list`, `/mini/${kind}/count`]),
      '/mini/follow/list',
      '/mini/todo/list',
      ...stats.map((name) => `/mini/stats/${name}`),
    ]
    for (const path of asked)
      expect([path, await isAnsweredThere(path, path.endsWith('/count') ? { tabs: ['all'] } : {})]).toEqual([
        path,
        true,
      ])
    expect(server.errors.filter(({ message }) => /read-only|recovery/.test(message))).toEqual([])
  }, 60_000)

  it('shows every user their own writes at once', async () => {
    const before = server.database.reads?.().standby ?? 0
    for (let n = 1; n <= 15; n++) {
      await create(`写了就见 ${n}`)
      expect(await first()).toBe(`写了就见 ${n}`)
    }
    expect(server.database.reads?.().standby).toBeGreaterThan(before)
  })

  it('uses the database while the standby is behind, reports it once, and uses the standby again when it has caught up', async () => {
    expect(await isAsked()).toBe(true)
    const { standby: answered = 0, database: instead = 0 } = server.database.reads?.() ?? {}
    server.errors.length = 0
    await sql(standby, 'select pg_wal_replay_pause()')
    for (let n = 1; n <= 5; n++) {
      await create(`落后时写的 ${n}`)
      expect(await first()).toBe(`落后时写的 ${n}`)
    }
    const reads = server.database.reads?.()
    await sql(standby, 'select pg_wal_replay_resume()')

    expect(reads).toEqual({ standby: answered, database: instead + 5 })
    expect(server.errors.map(({ message }) => message)).toEqual([BEHIND])
    expect(await isAsked()).toBe(true)
    expect(await first()).toBe('落后时写的 5')
  })

  it('continues when the standby is gone, and uses it again when it is back', async () => {
    await standby.stop('immediate')
    await create('备库不在时写的')
    expect(await first()).toBe('备库不在时写的')
    await standby.start()
    expect(await isAsked()).toBe(true)
  }, 30_000)

  it('does not use a standby that was promoted, or a server that never was one: it has a separate history', async () => {
    let told = (await server.ask('/mini/sync/changes', {})).data as Changes
    while (told.hasMore) told = (await server.ask('/mini/sync/changes', { since: told.next })).data
    cursor = told.next
    expect((await server.ask('/mini/sync/changes', { since: cursor })).data).toMatchObject({ reset: false })
    await isAsked()
    await sql(standby, 'select pg_promote()')
    server.errors.length = 0
    await create('接管之后写的')

    // On a busy machine it may first be too slow to answer.
    const read = new Set<string | undefined>()
    const reasons = async () => {
      read.add(await first())
      return server.errors.map(({ message }) => message).filter((message) => message !== BEHIND)
    }
    await expect.poll(reasons, { timeout: 10_000 }).toEqual(['it is no standby: it takes writes itself'])
    expect([...read]).toEqual(['接管之后写的'])
  })

  it('tells clients to start again if a standby took over: it may lack what the other server had reported', async () => {
    const taken = await serve(standby.url)
    const { data } = await taken.ask('/mini/sync/changes', { since: cursor })
    await taken.close()

    expect(data).toMatchObject({ reset: true })
  }, 30_000)
})
