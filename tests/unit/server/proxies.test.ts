import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { readProxies } from '../../../src/server/kernel/config/proxies.ts'
import { requestIds } from '../../../src/server/kernel/security/request-ids.ts'

describe('trusted proxies', () => {
  it('are empty by default', () => {
    expect([readProxies(undefined), readProxies('')]).toEqual([false, false])
  })

  it.each([
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '10.0.0.2', false],
    ['10.0.0.0/8, 192.168.1.5', '10.9.9.9', true],
    ['10.0.0.0/8, 192.168.1.5', '192.168.1.5', true],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', 'fe80::1', false],
    ['10.0.0.0/8', 'unknown', false],
  ])('of %s include %s: %s', (text, address, expected) => {
    const trust = readProxies(text)

    expect(trust !== false && trust(address, 0)).toBe(expected)
  })

  it('are the given number of hops', () => {
    const trust = readProxies('2')

    expect([0, 1, 2].map((hop) => trust !== false && trust('203.0.113.1', hop))).toEqual([true, true, false])
  })

  it.each(['true', '0', '11', '0.0.0.0/0', '10.0.0.0/33', '10.0.0', 'proxy.local', '10.0.0.1,', '::/0'])(
    'are refused by name if given as %s',
    (text) => {
      expect(() => readProxies(text)).toThrow(/^TRUST_PROXY is a number of proxies/)
    },
  )
})

describe('the id of a call', () => {
  const from = (remoteAddress: string, id: string) =>
    ({ headers: { 'x-request-id': id }, socket: { remoteAddress } }) as unknown as IncomingMessage

  it('is taken from a trusted proxy if it is plain, and is new otherwise', () => {
    const idOf = requestIds(readProxies('10.0.0.1'))

    expect(idOf(from('10.0.0.1', 'abc-1'))).toBe('abc-1')
    expect(idOf(from('10.0.0.2', 'abc-1'))).not.toBe('abc-1')
    expect(idOf(from('10.0.0.1', 'a\nb'))).toMatch(/^[\w-]{36}$/)
  })
})
