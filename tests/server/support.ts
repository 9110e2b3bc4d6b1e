import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Json } from '../../runtime/core/json.ts'
import { createInProcessScript } from '../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../runtime/sandbox/parse-for-scripts.ts'
import type { Envelope } from '../../src/contract/envelope.ts'
import { createApp } from '../../src/server/http/app.ts'
import { DEMO_PASSWORD } from '../../src/server/http/seed/accounts.ts'
import { type Config, readConfig } from '../../src/server/kernel/config/config.ts'
import { createLog } from '../../src/server/kernel/config/log.ts'
import type { ConnectionSource } from '../../src/server/kernel/db/connection.ts'
import { createDatabase, type Database } from '../../src/server/kernel/db/database.ts'
import { pgliteSource } from '../../src/server/kernel/db/embedded/pglite.ts'
import { newId } from '../../src/server/kernel/db/id.ts'
import { openPostgresql } from '../../src/server/kernel/db/postgresql.ts'
import { createOwnVerdicts } from '../../src/server/kernel/forms/verdicts.ts'
import type { TenantModel } from '../../src/server/kernel/model/library.ts'
import {
  COPY,
  EMPTY,
  fail,
  type Image,
  onServer,
  openImage,
  PEOPLE,
  START,
  TEST_WAIT_MS,
  templateOf,
} from './images.ts'

/**
 * A fresh database with all migrations and the contents of `image`: embedded in memory, or on the PostgreSQL server of
 * `TEST_DATABASE_URL` if that is set, so that one suite tests both. Open one per test file (`beforeAll`) and `drop` it at the end.
 */
export async function openTestDatabase(
  image: Image = EMPTY,
  watch: Watch = (source) => source,
  onError: (error: Error) => void = fail,
): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL
  if (server === undefined || server === '') {
    const database = createDatabase(watch(pgliteSource(await openImage(image))))
    return { database, url: null, drop: () => database.close() }
  }
  const template = await templateOf(image, server)
  const name = `crm_test_${randomBytes(6).toString('hex')}`
  await onServer(server, (client) => client.query(`create database ${name} template ${template} ${COPY}`))
  const url = new URL(server)
  url.pathname = `/${name}`
  const source = watch(openPostgresql(url.href, onError, { waitMs: TEST_WAIT_MS }))
  const database = createDatabase(source, { findsNested: true })
  return {
    database,
    url: url.href,
    async drop() {
      await database.close()
      await dropDatabase(server, name)
    },
  }
}

/** Signs the sessions of all test servers: each accepts the sessions of the others. */
export const SECRET_OF_TESTS = 'a-secret-for-tests-only-0123456789'

/** Wraps the connections of the database. */
export type Watch = (source: ConnectionSource) => ConnectionSource

interface TestDatabase {
  readonly database: Database
  /** Of the PostgreSQL database; null for the embedded one. */
  readonly url: string | null
  drop(): Promise<void>
}

/** An API answer with its parsed envelope. */
export interface Answer {
  readonly status: number
  readonly headers: LightMyRequestResponse['headers']
  readonly meta: Envelope['meta']
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly data: any
  readonly body: string
}

/** Calls of one signed-in person. `post` adds a fresh `clientToken` unless the body has one. */
export interface Client {
  readonly token: string
  get(url: string, headers?: Record<string, string>): Promise<Answer>
  post(
    url: string,
    body?: { readonly [key: string]: Json | undefined },
    headers?: Record<string, string>,
  ): Promise<Answer>
}

export interface TestApp {
  readonly app: FastifyInstance
  readonly database: Database
  /** Of the PostgreSQL database; null for the embedded one. */
  readonly url: string | null
  readonly config: Config
  /** The server's time in milliseconds; tests change it. */
  readonly clock: { now: number }
  /** Signs a demo person in, by default each time on a new device. */
  as(account: string, deviceId?: string): Promise<Client>
  /** Calls without a session, or with any token. */
  with(token: string | null): Client
  close(): Promise<void>
}

/** The server on a fresh database with the contents of `image` and a fixed time. */
export async function openTestApp(
  env: Record<string, string> = {},
  image: Image = PEOPLE,
  watch?: Watch,
  onError?: (error: Error) => void,
): Promise<TestApp> {
  const { database, url, drop } = await openTestDatabase(image, watch, onError)
  const dataDir = await mkdtemp(join(tmpdir(), 'crm-test-'))
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const config = readConfig({
    APP_ROOT: root,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    SHEDDING: 'off',
    HOME_CACHE: 'off',
    ...(url === null ? {} : { DATABASE_URL: url }),
    ...env,
  })
  const clock = { now: Date.parse(START) }
  const app = await createApp({
    config,
    database,
    secret: SECRET_OF_TESTS,
    log: createLog('silent'),
    now: () => clock.now,
    verdicts: createOwnVerdicts(createInProcessScript(nodeQuickJs, parseForScripts)),
  })
  await app.ready()
  const client = (token: string | null): Client => ({
    token: token ?? '',
    async get(url, headers = {}) {
      return read(await app.inject({ method: 'GET', url, headers: { ...auth(token), ...headers } }))
    },
    async post(url, body = {}, headers = {}) {
      const payload = { clientToken: newId(), ...body }
      return read(await app.inject({ method: 'POST', url, headers: { ...auth(token), ...headers }, payload }))
    },
  })
  return {
    app,
    database,
    url,
    config,
    clock,
    with: client,
    async as(account, deviceId = newId()) {
      const answer = await client(null).post('/mini/login/validate', {
        account,
        password: DEMO_PASSWORD,
        agree: true,
        deviceId,
      })
      if (answer.meta.code !== 200) throw new Error(`${account} could not sign in: ${answer.meta.message}`)
      return client(answer.data.token)
    },
    async close() {
      await app.close()
      await drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** One call of an app and its parsed envelope; GET if there is no body. */
export async function call(
  app: FastifyInstance,
  path: string,
  body: object | null,
  token = '',
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
): Promise<any> {
  const method = body === null ? 'GET' : 'POST'
  const headers = { authorization: token }
  return (
    await app.inject({ method, url: path, headers, ...(body === null ? {} : { payload: body }) })
  ).json()
}

function auth(token: string | null): Record<string, string> {
  return token === null ? {} : { authorization: token }
}

function read(response: LightMyRequestResponse): Answer {
  const { statusCode: status, headers, body } = response
  const isJson = String(headers['content-type']).startsWith('application/json') && body !== ''
  const content = isJson ? JSON.parse(body) : null
  return { status, headers, body, meta: content?.meta, data: content?.data }
}

/** Sessions end a moment after their pool was closed. */
async function dropDatabase(server: string, name: string): Promise<void> {
  for (let left = 50; ; left--) {
    try {
      await onServer(server, (client) => client.query(`drop database ${name}`))
      return
    } catch (error) {
      if (left === 0) throw error
      await new Promise((done) => setTimeout(done, 100))
    }
  }
}

/** A model without custom fields: for functions that are called directly. */
export const NO_MODEL: TenantModel = { modules: new Map(), versions: new Map(), mirrored: new Map() }
