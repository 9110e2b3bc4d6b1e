import { describe, expect, it } from 'vitest'
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
