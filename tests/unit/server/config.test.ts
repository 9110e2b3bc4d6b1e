import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/server/config.ts'
import { headersFor } from '../../../src/server/security/headers.ts'

const base = { APP_ROOT: '/tmp', DATA_DIR: '/tmp/none' }

describe('the clouds of the server', () => {
  it('are none unless they are named, and the policy then knows only ourselves', () => {
    const config = readConfig(base)

    expect([config.cloudSpaces, config.cloudOrigins]).toEqual([[], []])
    expect(JSON.stringify(headersFor(config.cloudOrigins))).toContain(`"connectSrc":["'self'"]`)
  })

  it('are read from the environment, and the policy lets pages ask them', () => {
    const config = readConfig({
      ...base,
      CLOUD_SPACES: '[{"provider":"tencent","spaceId":"env-1"}]',
      CLOUD_ORIGINS: ' https://a.example  https://b.example:8443 ',
    })

    expect(config.cloudSpaces).toEqual([{ provider: 'tencent', spaceId: 'env-1' }])
    expect(JSON.stringify(headersFor(config.cloudOrigins))).toContain(
      `"connectSrc":["'self'","https://a.example","https://b.example:8443"]`,
    )
  })

  it.each([
    ['CLOUD_SPACES', '{}'],
    ['CLOUD_SPACES', '[1]'],
    ['CLOUD_SPACES', 'nonsense'],
    ['CLOUD_ORIGINS', '*'],
    ['CLOUD_ORIGINS', 'https:'],
    ['CLOUD_ORIGINS', 'https://a.example/path'],
    ['CLOUD_ORIGINS', "https://a.example 'unsafe-inline'"],
  ])('refuse to start with %s=%s', (name, value) => {
    expect(() => readConfig({ ...base, [name]: value })).toThrow(name)
  })
})
