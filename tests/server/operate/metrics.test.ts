import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { json } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInProcessScript } from '../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../runtime/sandbox/parse-for-scripts.ts'
import { createApp } from '../../../src/server/http/app.ts'
import { listenForMetrics } from '../../../src/server/http/metrics.ts'
import { DEMO_PASSWORD } from '../../../src/server/http/seed/accounts.ts'
import { readConfig } from '../../../src/server/kernel/config/config.ts'
import { createLog } from '../../../src/server/kernel/config/log.ts'
import type { Database } from '../../../src/server/kernel/db/database.ts'
import { createOwnVerdicts } from '../../../src/server/kernel/forms/verdicts.ts'
import { createMetrics } from '../../../src/server/kernel/metrics/metrics.ts'
import { createTraces, type Traces } from '../../../src/server/kernel/metrics/traces.ts'
import { watchStatements } from '../../../src/server/kernel/metrics/watch-statements.ts'
import { ROOT } from '../../support/build-for-node.ts'
import { PEOPLE } from '../images.ts'
import { openTestDatabase } from '../support.ts'

const TOKEN = 'a-token-of-the-operator'
const PHONE = '13987654321'
const NAME = '欧阳长风'

interface Span {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly object[]
}
interface Sent {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}
const told = (key: string, text: string) => ({ key, value: { stringValue: text } })

describe('a monitored server', () => {
  const metrics = createMetrics()
  let logged = ''
  const log = createLog(
    'info',
    new Writable({
      write(piece, _, done) {
        logged += String(piece)
        done()
      },
    }),
  )
  let database: Database
  let drop: () => Promise<void>
  let app: FastifyInstance
  let token: string
  let collector: Server
  let traces: Traces
  const collected: Span[] = []
  beforeAll(async () => {
    collector = createServer(async (request, response) => {
      const sent = (await json(request)) as Sent
      collected.push(...sent.resourceSpans.flatMap((one) => one.scopeSpans.flatMap(({ spans }) => spans)))
      response.end('{}')
    })
    await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
    const { port } = collector.address() as AddressInfo
    traces = createTraces({ endpoint: `http://127.0.0.1:${port}`, share: 1, headers: {} }, '1.0.0', (error) =>
      log.error({ err: error }, 'traces were not taken'),
    )
    ;({ database, drop } = await openTestDatabase(PEOPLE, (source) =>
      watchStatements(source, { metrics, traces, slowMs: 1, log }),
    ))
    const config = readConfig({ APP_ROOT: ROOT, DATA_DIR: 'none', METRICS_TOKEN: TOKEN, RATE_LIMITS: 'off' })
    const verdicts = createOwnVerdicts(createInProcessScript(nodeQuickJs, parseForScripts))
    app = await createApp({
      config,
      database,
      secret: 'x'.repeat(32),
      log,
      now: Date.now,
      metrics,
      traces,
      verdicts,
    })
    app.get(`/mini/broken`, async () => {
      throw new Error('boom')
    })
    const body = { account: 'demo', password: DEMO_PASSWORD, agree: true, deviceId: 'test' }
    token = (await post('/mini/login/validate', body)).json().data.token
  })
  afterAll(async () => {
    await app.close()
    await traces.close()
    collector.close()
    await drop()
  })
  const post = (url: string, payload: object, headers = {}) =>
    app.inject({ method: 'POST', url, payload, headers })
  const get = (url: string, headers = {}) => app.inject({ url, headers })

  it('reports calls by route and result, statements, sessions, streams, work and pages, to callers with the token', async () => {
    await get('/mini/user/detail', { authorization: token })
    await get('/mini/customer/detail?id=none', { authorization: token })
    await get('/mini/home/overview', { authorization: token })
    await get('/mini/broken')

    const told = await get('/metrics', { authorization: `Bearer ${TOKEN}` })

    expect(told.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    for (const line of [
      /^crm_call_seconds_count\{route="\/mini\/user\/detail",end="ok"\} 1$/m,
      /^crm_call_seconds_count\{route="\/mini\/customer\/detail",end="refused"\} 1$/m,
      /^crm_call_seconds_count\{route="\/mini\/broken",end="failed"\} 1$/m,
      /^crm_database_seconds_count\{what="statement"\} \d\d+$/m,
      /^crm_streams 0$/m,
      /^crm_work\{status="waiting"\} 0$/m,
      /^crm_pushes 0$/m,
      /^crm_cache_total\{cache="session",there="no"\} \d+$/m,
      /^crm_cache_total\{cache="session",there="yes"\} \d+$/m,
      /^crm_cache_total\{cache="model",there="yes"\} \d+$/m,
      /^crm_cache_total\{cache="home",there="no"\} 1$/m,
      /^crm_pages_with_problems 0$/m,
      /^nodejs_eventloop_lag_p99_seconds /m,
    ])
      expect(told.body).toMatch(line)
    expect(told.body).not.toContain('demo')
  })

  it('refuses other callers', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: token }]) {
      const refused = await get('/metrics', headers)
      expect([refused.statusCode, refused.body]).toEqual([404, 'not found'])
    }
  })

  it('reports on a separate port if configured', async () => {
    const { url, close } = await listenForMetrics(metrics, { port: 0, host: '127.0.0.1' })
    expect(await (await fetch(url)).text()).toContain('crm_call_seconds_count')
    expect((await fetch(url.replace('/metrics', '/other'))).status).toBe(404)
    await close()
  })

  it('answers a failure with a number to quote, and logs all its details', async () => {
    const answer = await get('/mini/broken')

    const id = String(answer.headers['x-request-id'])
    expect(answer.json().meta.message).toBe(`系统出错了，请稍后重试（编号 ${id.slice(-8)}）`)
    const lines = logged.split('\n').filter((line) => line.includes(id.slice(-8)))
    expect(lines.map((line) => JSON.parse(line).requestId)).toEqual([id, id])
    expect(lines[0]).toContain('"message":"boom"')
  })

  it('logs slow statements without their values', async () => {
    await database.system((trx) => sql`select pg_sleep(0.01), ${PHONE}::text, '欧阳' as x`.execute(trx))

    const line = logged.split('\n').find((one) => one.includes('pg_sleep')) ?? ''
    expect(JSON.parse(line)).toMatchObject({ msg: 'a slow statement', ms: expect.any(Number) })
    expect(line).toContain("'…' as x")
    expect(JSON.parse(line).plan).toEqual([expect.stringMatching(/^Result .*cost/)])
  })

  it('sends a trace of each call: its statements and checks, without values', async () => {
    await traces.flush()
    collected.length = 0
    const customer = { name: '追踪的客户有限公司', mobile: PHONE, clientToken: 'traced-write-1' }
    const made = await post('/mini/customer/create', customer, {
      authorization: token,
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    })
    await get('/healthz')
    await traces.flush()

    const [call, ...others] = collected.filter((one) => one.name === 'POST /mini/customer/create')
    const below = collected.filter((one) => one.parentSpanId === call?.spanId)
    expect(made.json().meta).toMatchObject({ code: 200 })
    expect(others).toEqual([])
    expect(call).toMatchObject({
      kind: 2,
      attributes: expect.arrayContaining([told('http.route', '/mini/customer/create')]),
    })
    // Without a trusted proxy the header is ignored.
    expect(call?.traceId).not.toBe('a'.repeat(32))
    expect(new Set(collected.map((one) => one.traceId)).size).toBe(1)
    expect(below.map((one) => one.name)).toEqual(
      expect.arrayContaining(['SELECT', 'INSERT', 'WITH', 'verdict']),
    )
    expect(JSON.stringify(collected)).not.toMatch(new RegExp(`${PHONE}|追踪的客户|${token.slice(-20)}`))
    for (const { startTimeUnixNano, endTimeUnixNano } of collected)
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true)
  })

  it('traces only if configured, and the settings are validated', () => {
    const read = (env: Record<string, string>) => readConfig({ DATA_DIR: 'none', ...env }).traces
    expect(read({})).toBeNull()
    expect(
      read({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x, a=b',
        OTEL_TRACES_SAMPLER_ARG: '0.1',
      }),
    ).toEqual({
      endpoint: 'http://collector:4318',
      share: 0.1,
      headers: { authorization: 'Bearer x', a: 'b' },
    })
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' })).toThrow(
      'looks like http://127.0.0.1:4318',
    )
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow(
      'a number from 0 to 1',
    )
    expect(() =>
      read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_EXPORTER_OTLP_HEADERS: 'x=1,token=100%' }),
    ).toThrow('OTEL_EXPORTER_OTLP_HEADERS: the value of token is percent-encoded, a % is written %25')
  })

  it('logs no phone, name, password or token, in whichever part of a call it is', async () => {
    const secret = 'Sehr-Geheim2026'
    const auth = { authorization: token }
    const customer = {
      name: NAME,
      mobile: PHONE,
      clientToken: 'token-of-a-write',
      source: NAME,
      phone: [PHONE],
    }
    await post('/mini/login/validate', { account: PHONE, password: secret, agree: true, deviceId: NAME })
    await post('/mini/login/validate', { account: NAME, password: secret })
    await post('/mini/customer/create', customer, auth)
    await post('/mini/lead/create', customer, auth)
    await post(
      '/mini/customer/list',
      { keyword: PHONE, filters: [{ field: NAME, op: 'eq', value: PHONE }] },
      auth,
    )
    await post(`/mini/nowhere/${PHONE}/${encodeURIComponent(NAME)}?token=${token}`, customer, auth)
    for (const path of [
      '/mini/customer/detail',
      '/engine/web/file',
      `/pages/${PHONE}`,
      '/',
      '/engine/web/file/x',
    ])
      await get(`${path}/${PHONE}?token=${token}&name=${encodeURIComponent(NAME)}&mobile=${PHONE}`, auth)
    await get(`/mini/customer/detail?id=${PHONE}`, {
      ...auth,
      'user-agent': PHONE,
      referer: `http://x/${PHONE}`,
    })
    await get('/mini/user/detail', { authorization: `Bearer ${PHONE}.${secret}`, 'x-request-id': PHONE })
    await app.inject({
      method: 'POST',
      url: '/mini/customer/create',
      payload: `{"name": "${NAME}", ${PHONE}`,
      headers: { ...auth, 'content-type': 'application/json' },
    })
    await database
      .system((trx) => sql`select ${PHONE}::int8 / 0`.execute(trx))
      .catch((error) => log.error({ err: error }, 'x'))
    await database
      .system((trx) => sql`select ${NAME}::int`.execute(trx))
      .catch((error) => log.error({ err: error }, 'x'))

    for (const word of [PHONE, NAME, encodeURIComponent(NAME), secret, token, token.slice(-20)])
      expect(logged.split('\n').filter((line) => line.includes(word))).toEqual([])
    expect(logged.split('\n').length).toBeGreaterThan(20)
  })
})
