import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import { jobsOf } from '../../../src/server/flows/jobs/index.ts'
import { tenantTables } from '../../../src/server/flows/leaving/tenant-tables.ts'
import { runJob } from '../../../src/server/flows/operator/run-job.ts'
import { DEMO } from '../images.ts'
import { OWN_MODULE, type Route, routesOf } from '../isolation/routes.ts'
import { knownFile } from '../sheets/finished-job.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'
import { type Ids, rightBody, rightQuery, someIds, someOwnRecords } from './bodies.ts'
import { changed, changes } from './hostile.ts'
import { createSaid } from './said-statements.ts'

/** Every call of the server with hostile values in some parameters, by a salesperson who owns records and has all permissions. */
const said = createSaid()
const server: TestApp = await openTestApp({}, DEMO, said.watch)
/** Streams and uploads have tests of their own; these are the paths that the others omit. */
const MORE: readonly Route[] = [
  ['post', '/mini/login/validate'],
  ['post', '/mini/tenant/switch'],
  ['post', '/mini/user/password'],
  ['get', '/mini/login/captcha'],
  ['get', '/mini/login/protocol'],
]
const routes = [...routesOf(server), ...MORE].filter(([, path]) => !path.endsWith('/upload'))
/** Runs per call and for all of them together; `FUZZ_RUNS=200` runs more, `TEST_SEED` others. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 3)
const LEAST = 1
const ALL_MS = process.env.FUZZ_RUNS === undefined ? 40_000 : Number.POSITIVE_INFINITY
const SLOW_MS = 1000
let person: Client
let ids: Ids
let until: number
beforeAll(async () => {
  await server.database.system((trx) =>
    sql`insert into role_assignment (tenant_id, user_id, role_id)
      select tenant_id, 'u-demo', id from role where tenant_id = 'xinghai' and code = 'tenant_admin'`.execute(
      trx,
    ),
  )
  person = await server.as('demo')
  await knownFile(server, 'f1')
  ids = await someIds(server, 'xinghai', 'u-demo')
  ids = { ...ids, [OWN_MODULE]: await someOwnRecords(person, ids) }
  until = performance.now() + ALL_MS
  said.forget()
}, 120_000)
afterAll(() => server.close())

it.each(routes)('%s %s answers any input quickly', async (...route) => {
  const taken = await learn(route)
  const seed =
    (fc.readConfigureGlobal().seed ?? Date.now()) + routes.findIndex(([, path]) => path === route[1])

  const bad: string[] = []
  const cases = fc.sample(fc.tuple(fc.nat(11), changes), { numRuns: RUNS, seed })
  for (const [index, [at, change]] of cases.entries()) {
    if (index >= LEAST && performance.now() > until) break
    const sent = changed(taken(at), change)
    const answer = await quickest(() => send(route, sent))
    if (answer.status >= 500 || answer.ms > SLOW_MS)
      bad.push(`${answer.status} in ${Math.round(answer.ms)} ms: ${JSON.stringify(sent)?.slice(0, 1000)}`)
  }

  expect(bad).toEqual([])
})

describe('the statements of these calls, and of the jobs', () => {
  let across: ReadonlyMap<string, readonly string[]>
  beforeAll(async () => {
    const { config, database, clock } = server
    const jobs = jobsOf(config)
    for (const { name } of jobs) await runJob(name, null, { jobs, database, now: () => clock.now })
    // A release stores what its servers send: platform/rolling.test.ts.
    const { SAID_TO = '' } = process.env
    if (SAID_TO !== '') await writeFile(SAID_TO, gzipSync(JSON.stringify(said.texts())))
    across = await said.across(await database.system(tenantTables))
  }, 120_000)

  it('are limited to one tenant in calls of users', () => {
    expect(said.texts().length).toBeGreaterThan(400)
    expect(across.get('crm_app')).toEqual([])
  })

  it('cross tenants only where SCALE.md allows it', async () => {
    const book = await readFile(join(import.meta.dirname, '../../../src/SCALE.md'), 'utf8')
    const [, list = ''] = /\n## Read across tenants\n([\s\S]*?)\n## /.exec(book) ?? []
    const known = [...list.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)

    expect(known.length).toBeGreaterThan(3)
    expect(across.get('crm_system')?.filter((line) => !known.includes(line.split(' ')[0]))).toEqual([])
  })
})

type Sent = (at: number) => JsonObject

/** The parameters the call accepts: a body from the table without the fields that the server rejects as unknown. */
async function learn(route: Route): Promise<Sent> {
  const [method, path] = route
  const whole: Sent = (at) => (method === 'get' ? rightQuery(path, ids, at) : rightBody(path, ids, at))
  const refused = new Set<string>()
  const rest: Sent = (at) => without(whole(at), refused)
  for (let tries = 0; tries < 6; tries++) {
    const { meta } = await send(route, rest(tries))
    const before = refused.size
    for (const name of namesIn(meta)) refused.add(name)
    if (refused.size === before) break
  }
  return rest
}

/** Fields that a refusal calls unknown. */
function namesIn(meta: Answer['meta'] | undefined): readonly string[] {
  const { fields = {}, detail = '' } = meta?.error ?? {}
  const unknown = /^unknown key (\w+)$|(?:no|has no) (stat)|(?:unknown|sort by) (\w+)/.exec(detail)
  if (detail.includes('sort by')) return ['sort']
  if (detail.startsWith('unknown field')) return ['filters']
  const listed = Object.keys(fields).map((name) => name.split('.')[0] ?? name)
  return [...listed, ...(unknown?.slice(1).filter((name) => name !== undefined) ?? [])]
}

function without(body: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
}

interface Timed extends Answer {
  readonly ms: number
}

/** On a busy machine a call is slow once; a call that costs too much is slow each time. */
async function quickest(call: () => Promise<Timed>): Promise<Timed> {
  let best = await call()
  for (let again = 0; again < 2 && best.ms > SLOW_MS; again++) {
    const next = await call()
    if (next.status >= 500) return next
    if (next.ms < best.ms) best = next
  }
  return best
}

async function send([method, path]: Route, sent: Json | undefined): Promise<Timed> {
  const from = moment()
  const response = await server.app.inject(
    method === 'get'
      ? { method: 'GET', url: `${path}?${queryOf(sent)}`, headers: { authorization: person.token } }
      : {
          method: 'POST',
          url: path,
          headers: { authorization: person.token, 'content-type': 'application/json' },
          payload: JSON.stringify(isObject(sent) ? { clientToken: tokenOf(), ...sent } : sent) ?? '',
        },
  )
  const { statusCode: status, headers, body } = response
  const content =
    String(headers['content-type']).startsWith('application/json') && body !== '' ? JSON.parse(body) : null
  return { status, headers, body, meta: content?.meta, data: content?.data, ms: moment() - from }
}

/** The embedded database runs in this process: its processor time is the cost of a call, however busy the machine is. */
function moment(): number {
  if (server.url !== null) return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let tokens = 0
const tokenOf = (): string => `fuzzed-${++tokens}`

function queryOf(sent: Json | undefined): string {
  const words = Object.entries(isObject(sent) ? sent : { id: sent })
  return new URLSearchParams(
    words.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  ).toString()
}
