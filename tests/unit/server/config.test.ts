import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/server/kernel/config/config.ts'
import { headersFor } from '../../../src/server/kernel/security/headers.ts'

const base = { APP_ROOT: '/tmp', DATA_DIR: '/tmp/none' }

describe('the server’s environment', () => {
  it.each(['prod', 'Production', 'staging'])(
    'refuses NODE_ENV=%s, which would not run as production',
    (mode) => {
      expect(() => readConfig({ ...base, NODE_ENV: mode })).toThrow(
        'NODE_ENV is development, test or production',
      )
    },
  )

  it.each([
    ['on the embedded database', {}, 'demo'],
    ['not on a PostgreSQL server, which may be a company’s', { DATABASE_URL: 'postgres://db/crm' }, 'none'],
    ['there, too, when it is asked for', { DATABASE_URL: 'postgres://db/crm', SEED: 'demo' }, 'demo'],
    ['not when it is declined', { SEED: 'none' }, 'none'],
    ['never in production', { NODE_ENV: 'production', SESSION_SECRET: 'x'.repeat(32) }, 'none'],
  ])('creates demo data %s', (_, env, seed) => {
    expect(readConfig({ ...base, ...env }).seed).toBe(seed)
  })

  it.each(['3', '501', '2.5', 'many'])('refuses DATABASE_POOL=%s by name', (size) => {
    expect(() => readConfig({ ...base, DATABASE_POOL: size })).toThrow(
      'DATABASE_POOL is a number of sessions',
    )
  })

  it.each(['mysql://root:secret@db/crm', 'db.example.com', 'http://db:5432'])(
    'refuses DATABASE_URL=%s by name, without its value',
    (url) => {
      const read = () => readConfig({ ...base, DATABASE_URL: url })

      expect(read).toThrow(/^DATABASE_URL looks like postgres:/)
      expect(read).not.toThrow(/secret/)
    },
  )
})

it('reports all faults of the settings at once, one sentence each, even within a group', () => {
  const env = {
    ...base,
    DATABASE_MIGRATE_URL: 'nothing',
    STORAGE_URL: 'ftp://files',
    RATE_LIMITS: 'no',
    SHEDDING: 'no',
    HOME_CACHE: 'no',
    METRICS_PORT: '99999',
    PUSH_CONTACT: 'me',
    PUSH_INNER: '10.0.0.0/8',
    BACKUP_KEY: 'short',
    BACKUP_HOURS: '0',
    BACKUP_TEST_DAYS: 'x',
    KEEP_LOG_DAYS: '3',
    KEEP_WORK_DAYS: 'x',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere',
    OTEL_TRACES_SAMPLER_ARG: '2',
    NODE_ENV: 'production',
    SECRETS_KEY: 'short',
    PORT: 'x',
    SEED: 'demo',
    DATABASE_URL: 'mysql://root:secret@db/crm',
    DATABASE_POOL: '1',
    DATABASE_PREPARE: 'maybe',
    TRUST_PROXY: 'all',
    LOG_LEVEL: 'loud',
    CLOUD_SPACES: '{',
    CLOUD_ORIGINS: 'a',
    DATA_ORIGINS: 'b',
    CONNECTION_INNER: '10.0.0.0/99',
    METRICS_TOKEN: 'short',
    SLOW_STATEMENT_MS: '-1',
    BACKUP_DIR: '/b',
    BACKUP_KEEP: '0',
    ALLOW_DEMO_ACCOUNTS: 'yes',
    SCHEMAS_DIR: '/tmp/no-such-folder',
  }
  let said = ''
  try {
    readConfig(env)
  } catch (error) {
    said = (error as Error).message
  }

  const { APP_ROOT: _, DATA_DIR: __, NODE_ENV: ___, BACKUP_DIR: ____, ...wrong } = env
  expect(said.split('\n')).toHaveLength(Object.keys(wrong).length + 1)
  for (const name of [...Object.keys(wrong), 'SESSION_SECRET']) expect(said).toContain(name)
  expect(said).not.toContain('secret@')
})

describe('cloud origins and other origins of the server', () => {
  it('are empty by default, and the policy then allows only our own origin', () => {
    const config = readConfig(base)

    expect([config.cloudSpaces, config.cloudOrigins]).toEqual([[], []])
    expect(JSON.stringify(headersFor(config))).toContain(`connect-src 'self';`)
  })

  it('are read from the environment, and the policy lets pages call them', () => {
    const config = readConfig({
      ...base,
      CLOUD_SPACES: '[{"provider":"tencent","spaceId":"env-1"}]',
      CLOUD_ORIGINS: ' https://a.example  https://b.example:8443 ',
    })

    expect(config.cloudSpaces).toEqual([{ provider: 'tencent', spaceId: 'env-1' }])
    expect(JSON.stringify(headersFor(config))).toContain(
      `connect-src 'self' https://a.example https://b.example:8443;`,
    )
  })

  it('of data sources are read as well, and apply to data only', () => {
    const config = readConfig({ ...base, DATA_ORIGINS: 'https://d.example\nhttp://127.0.0.1:9000' })
    const policy = JSON.stringify(headersFor(config))

    expect(config.dataOrigins).toEqual(['https://d.example', 'http://127.0.0.1:9000'])
    expect(policy).toContain(`connect-src 'self' https://d.example http://127.0.0.1:9000;`)
    expect(policy.split('https://d.example')).toHaveLength(2)
  })

  it.each([
    ['DATA_ORIGINS', '*'],
    ['DATA_ORIGINS', 'https://*.example.com'],
    ['DATA_ORIGINS', 'https://a.example/'],
    ['DATA_ORIGINS', 'ws://a.example'],
    ['CLOUD_SPACES', '{}'],
    ['CLOUD_SPACES', '[1]'],
    ['CLOUD_SPACES', 'nonsense'],
    ['CLOUD_ORIGINS', '*'],
    ['CLOUD_ORIGINS', 'https:'],
    ['CLOUD_ORIGINS', 'https://a.example/path'],
    ['CLOUD_ORIGINS', "https://a.example 'unsafe-inline'"],
  ])('stop the start if %s=%s', (name, value) => {
    expect(() => readConfig({ ...base, [name]: value })).toThrow(name)
  })
})

it.each([
  ['ALLOW_DEMO_ACCOUNTS', 'yes', 'ALLOW_DEMO_ACCOUNTS is 1 or 0, not yes'],
  ['ALLOW_DEMO_ACCOUNTS', 'true', 'ALLOW_DEMO_ACCOUNTS is 1 or 0, not true'],
  ['RATE_LIMITS', '0', 'RATE_LIMITS is on or off, not 0'],
  ['PORT', ' ', 'PORT is not a port:  '],
  ['PORT', '0x50', 'PORT is not a port: 0x50'],
  ['DATABASE_POOL', '1e2', 'DATABASE_POOL is a number of sessions from 4 to 500, not 1e2'],
  ['KEEP_WORK_DAYS', ' ', 'KEEP_WORK_DAYS is a whole number'],
  ['SLOW_STATEMENT_MS', '1e3', 'SLOW_STATEMENT_MS is a whole number from 1 to 3600000, not 1e3'],
])('%s=%s is refused with what it understands', (name, value, sentence) => {
  expect(() => readConfig({ ...base, [name]: value })).toThrow(sentence)
})

it.each([
  ['1', true],
  ['0', false],
  ['', false],
])('ALLOW_DEMO_ACCOUNTS=%s is understood', (value, allowed) => {
  expect(readConfig({ ...base, ALLOW_DEMO_ACCOUNTS: value }).allowDemoAccounts).toBe(allowed)
})

describe('a SCHEMAS_DIR that', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-schemas-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const read = (name: string) => () => readConfig({ ...base, SCHEMAS_DIR: join(folder, name) })

  it('is not there, is a file, or has no pages is told with the other settings', () => {
    writeFileSync(join(folder, 'file'), '')
    mkdirSync(join(folder, 'empty'))
    mkdirSync(join(folder, 'half/modules'), { recursive: true })
    mkdirSync(join(folder, 'half/pages'))
    mkdirSync(join(folder, 'odd'))
    writeFileSync(join(folder, 'odd/pages'), '')
    writeFileSync(join(folder, 'half/modules/customer.json'), '{}')

    expect(read('none')).toThrow(`SCHEMAS_DIR ${join(folder, 'none')} is not there`)
    expect(read('file')).toThrow(`SCHEMAS_DIR ${join(folder, 'file')} is no folder`)
    expect(read('odd')).toThrow(`SCHEMAS_DIR ${join(folder, 'odd')}: its pages folder is no folder`)
    expect(read('empty')).toThrow(`SCHEMAS_DIR ${join(folder, 'empty')} holds no pages (pages/….json)`)
    expect(read('half')).toThrow(`SCHEMAS_DIR ${join(folder, 'half')} holds no pages (pages/….json)`)
  })

  it('has pages is taken, also without modules', () => {
    const SCHEMAS_DIR = join(folder, 'pages-only')
    mkdirSync(join(SCHEMAS_DIR, 'pages'), { recursive: true })
    writeFileSync(join(SCHEMAS_DIR, 'pages/index.json'), '{}')
    expect(readConfig({ ...base, SCHEMAS_DIR }).schemasDir).toBe(SCHEMAS_DIR)
  })
})
