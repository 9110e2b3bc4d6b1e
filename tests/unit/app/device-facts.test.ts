import { describe, expect, it } from 'vitest'
import { isPc, readDeviceId } from '../../../src/app/device/device-facts.ts'
import { systemFacts } from '../../../src/app/device/system-facts.ts'
import { createTypedStorage, storeOf } from '../../../src/app/storage/typed-storage.ts'

const AGENT = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  ipad: 'Mozilla/5.0 (iPad; CPU OS 12_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.0 Mobile/15E148 Safari/604.1',
  ipod: 'Mozilla/5.0 (iPod; U; CPU like Mac OS X; en) AppleWebKit/420.1 (KHTML, like Gecko) Version/3.0 Mobile/3A101a Safari/419.3',
  macintosh:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
  android:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  tablet:
    'Mozilla/5.0 (Linux; Android 15; Pad) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  linux: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
} as const

describe('a PC', () => {
  it.each([
    ['iphone', false],
    ['ipad', false],
    ['ipod', false],
    ['android', false],
    ['tablet', false],
    ['macintosh', true],
    ['windows', true],
    ['linux', true],
  ] as const)('is recognised by its user agent: %s: %s', (name, expected) => {
    expect(isPc(AGENT[name])).toBe(expected)
  })

  it('is not recognised if a phone’s name comes first', () => {
    expect(isPc('Android')).toBe(false)
  })
})

describe('the system facts that a browser reports', () => {
  it.each([
    [
      'iphone',
      5,
      {
        osName: 'ios',
        osVersion: '18.0',
        deviceType: 'phone',
        browserName: 'safari',
        browserVersion: '18.0',
      },
    ],
    ['macintosh', 0, { osName: 'macos', osVersion: '10.15.7', deviceType: 'pc', browserName: 'safari' }],
    ['macintosh', 5, { osName: 'ios', deviceType: 'pad' }],
    [
      'android',
      5,
      {
        osName: 'android',
        osVersion: '15',
        deviceType: 'phone',
        browserName: 'chrome',
        browserVersion: '140.0.0.0',
      },
    ],
    ['tablet', 5, { osName: 'android', deviceType: 'pad' }],
    ['windows', 0, { osName: 'windows', osVersion: '10.0', deviceType: 'pc', browserName: 'edge' }],
    ['linux', 0, { osName: 'linux', deviceType: 'pc', browserName: 'firefox', browserVersion: '130.0' }],
  ] as const)('%s with %i touch points', (name, touchPoints, facts) => {
    expect(systemFacts({ userAgent: AGENT[name], touchPoints })).toMatchObject({
      ...facts,
      ua: AGENT[name],
      uniPlatform: 'web',
    })
  })

  it('omit the version for a tablet that claims to be a Macintosh, and on Linux', () => {
    for (const [userAgent, touchPoints] of [
      [AGENT.macintosh, 5],
      [AGENT.linux, 0],
    ] as const)
      expect(systemFacts({ userAgent, touchPoints })).not.toHaveProperty('osVersion')
  })

  it('omit what cannot be detected', () => {
    expect(systemFacts({ userAgent: 'curl', touchPoints: 0 })).toEqual({
      ua: 'curl',
      uniPlatform: 'web',
      deviceType: 'pc',
    })
  })
})

describe('the id of a device', () => {
  it('consists of its creation time and a random number, and never changes', () => {
    const local = aStore()

    const first = readDeviceId(
      [local.storage],
      () => 1_700_000_000_000,
      () => 0.5,
    )
    const second = readDeviceId(
      [local.storage],
      () => 1_800_000_000_000,
      () => 0.1,
    )

    expect(first).toBe('17000000000005000000')
    expect(second).toBe(first)
    expect(local.raw.get('__DC_STAT_UUID')).toBe(first)
  })

  it('is kept in session storage if local storage is denied', () => {
    const forbidden = createTypedStorage(
      storeOf(() => {
        throw new DOMException('', 'SecurityError')
      }),
    )
    const session = aStore()

    const first = readDeviceId(
      [forbidden, session.storage],
      () => 1,
      () => 0.5,
    )

    expect(
      readDeviceId(
        [forbidden, session.storage],
        () => 2,
        () => 0.5,
      ),
    ).toBe(first)
  })
})

function aStore() {
  const raw = new Map<string, string>()
  const storage = createTypedStorage({
    getItem: (key) => raw.get(key) ?? null,
    setItem: (key, value) => raw.set(key, value),
    removeItem: (key) => raw.delete(key),
  })
  return { raw, storage }
}
