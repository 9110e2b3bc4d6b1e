import { mkdtemp } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { LiveEvent } from '../../../src/contract/message.ts'
import { createApp } from '../../../src/server/http/app.ts'
import { DEMO_PASSWORD } from '../../../src/server/http/seed/accounts.ts'
import { readConfig } from '../../../src/server/kernel/config/config.ts'
import { createLog } from '../../../src/server/kernel/config/log.ts'
import type { Database } from '../../../src/server/kernel/db/database.ts'
import { newId } from '../../../src/server/kernel/db/id.ts'
import { openDatabase } from '../../../src/server/kernel/db/open.ts'
import { PEOPLE } from '../images.ts'
import { openTestDatabase, SECRET_OF_TESTS } from '../support.ts'

/** One of two servers that share a database, listening. */
export interface Server {
  readonly url: string
  readonly database: Database
  signIn(account: string): Promise<string>
  post(path: string, token: string, body: object): Promise<{ meta: { code: number }; data: unknown }>
  /** Opens the live stream; events are collected with the time they arrived. */
  stream(token: string, lastEventId?: string): Promise<Live>
}

/** An event, its time of arrival, and its id. */
type Heard = LiveEvent & { readonly at: number; readonly lastId: string | null }

interface Live {
  readonly events: readonly Heard[]
  /** Waits for an event; fails after `ms`. */
  until(wanted: (event: LiveEvent) => boolean, ms?: number): Promise<number>
  close(): void
}

/** Two servers on one database: on PostgreSQL each with its own connections, embedded both on the one session. */
export async function openTwoServers(clock: { now: number }) {
  const { database, drop } = await openTestDatabase(PEOPLE)
  const second = await anotherDatabase(database)
  const servers = [await openServer(database, clock), await openServer(second ?? database, clock)] as const
  return {
    servers: [servers[0].server, servers[1].server] as const,
    async close() {
      for (const { app } of servers) await app.close()
      await second?.close()
      await drop()
    },
  }
}

async function anotherDatabase(database: Database): Promise<Database | null> {
  const url = process.env.TEST_DATABASE_URL
  if (url === undefined || url === '') return null
  const name = await database.owner(async (trx) => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(trx)
    return rows[0]?.name ?? ''
  })
  const other = new URL(url)
  other.pathname = `/${name}`
  const { database: second } = await openDatabase({ url: other.href, folder: null, onError: () => undefined })
  return second
}

async function openServer(
  database: Database,
  clock: { now: number },
): Promise<{ app: FastifyInstance; server: Server }> {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const dataDir = await mkdtemp(join(tmpdir(), 'me-test-'))
  const config = readConfig({ APP_ROOT: root, DATA_DIR: dataDir, RATE_LIMITS: 'off' })
  const app = await createApp({
    config,
    database,
    secret: SECRET_OF_TESTS,
    log: createLog('silent'),
    now: () => clock.now,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const post: Server['post'] = async (path, token, body) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: token },
      body: JSON.stringify({ clientToken: newId(), ...body }),
    })
    return (await answer.json()) as { meta: { code: number }; data: unknown }
  }
  return {
    app,
    server: {
      url,
      database,
      post,
      async signIn(account) {
        const { data } = await post('/mini/login/validate', '', {
          account,
          password: DEMO_PASSWORD,
          agree: true,
          deviceId: newId(),
        })
        return (data as { token: string }).token
      },
      stream: (token, lastEventId) => readStream(`${url}/mini/message/stream`, token, lastEventId),
    },
  }
}

async function readStream(url: string, token: string, lastEventId?: string): Promise<Live> {
  const controller = new AbortController()
  const headers = {
    authorization: token,
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  }
  const response = await fetch(url, { headers, signal: controller.signal })
  const events: Heard[] = []
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = async (): Promise<void> => {
    let rest = ''
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
      const blocks = (rest + part.value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        const id = /^id: (.*)$/m.exec(block)?.[1] ?? null
        if (data !== undefined)
          events.push({ ...(JSON.parse(data) as LiveEvent), at: Date.now(), lastId: id } as Heard)
      }
    }
  }
  read().catch(() => undefined)
  return {
    events,
    async until(wanted, ms = 5000) {
      const end = Date.now() + ms
      for (;;) {
        const found = events.find(wanted)
        if (found !== undefined) return found.at
        if (Date.now() > end) throw new Error(`no such event in ${ms} ms: ${JSON.stringify(events)}`)
        await new Promise((done) => setTimeout(done, 5))
      }
    },
    close: () => controller.abort(),
  }
}
