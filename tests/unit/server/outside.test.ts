import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOf } from '../../../src/server/flows/connections/address.ts'
import { type Resolve, sendOutgoing } from '../../../src/server/flows/connections/outgoing-request.ts'
import { allowedAddresses } from '../../../src/server/kernel/config/inner-addresses.ts'
import { createSealer } from '../../../src/server/kernel/config/sealed.ts'

describe('internal addresses', () => {
  it.each([
    '127.0.0.1',
    '127.255.0.9',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.3.4',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'not-an-address',
    '',
  ])('are refused: %s', (address) => {
    expect(allowedAddresses([]).isClosed(address)).toBe(true)
  })

  it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '192.169.0.1', '2606:4700::1', '2400:3200::1'])(
    'do not include %s',
    (address) => {
      expect(allowedAddresses([]).isClosed(address)).toBe(false)
    },
  )

  it('are allowed if the operator permits them, and only those', () => {
    const reach = allowedAddresses(['10.20.0.0/16', '::1'])

    expect(['10.20.3.4', '::1'].map(reach.isClosed)).toEqual([false, false])
    expect(['10.21.0.1', '127.0.0.1', '::2'].map(reach.isClosed)).toEqual([true, true, true])
  })

  it.each(['10.0.0.0/33', 'intranet', '10.0.0.0/', '::1/129'])('are refused by host name: %s', (network) => {
    expect(() => allowedAddresses([network])).toThrow(`CONNECTION_INNER: ${network} is not a network`)
  })
})

describe('a host name that resolves differently the second time', () => {
  let other: Server
  let url: URL
  beforeAll(async () => {
    other = createServer((_, response) => response.setHeader('content-type', 'text/plain').end('inside'))
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    url = new URL(`http://rebinding.example:${(other.address() as AddressInfo).port}/`)
  })
  afterAll(() => void other.close())

  const ask = (resolve: Resolve, opened: readonly string[] = []) =>
    sendOutgoing(
      { url, method: 'GET', headers: {}, most: 1000, signal: AbortSignal.timeout(2000) },
      allowedAddresses(opened),
      resolve,
    )
  const inside = { address: '127.0.0.1', family: 4 }

  it('is judged by the address that is connected to', async () => {
    await expect(ask(async () => [inside])).rejects.toMatchObject({ reason: 'inner' })
    await expect(ask(async () => [{ address: '8.8.8.8', family: 4 }, inside])).rejects.toMatchObject({
      reason: 'plain',
    })
    await expect(ask(async () => [])).rejects.toMatchObject({ reason: 'unreachable' })
    expect((await ask(async () => [inside], ['127.0.0.1'])).body.toString()).toBe('inside')
  })

  it('is resolved once per call, so that check and connection use one address', async () => {
    let times = 0
    const resolve: Resolve = async () => {
      times += 1
      return [times === 1 ? inside : { address: '10.0.0.1', family: 4 }]
    }

    await ask(resolve, ['127.0.0.1'])
    await expect(ask(resolve, ['127.0.0.1'])).rejects.toMatchObject({ reason: 'inner' })

    expect(times).toBe(2)
  })
})

describe('paths of a connection', () => {
  const at = (paths: string[], path: string) =>
    addressOf({ base: 'https://a.example/v1', paths } as never, path, 'x').href

  it.each([
    [['/**'], '/', 'https://a.example/v1/'],
    [['/**'], '/a/b?c=1', 'https://a.example/v1/a/b?c=1'],
    [['/a/**'], '/a', 'https://a.example/v1/a'],
    [['/a/*'], '/a/b', 'https://a.example/v1/a/b'],
    [['/a/*/c'], '/a/b/c', 'https://a.example/v1/a/b/c'],
    [['/a.b'], '/a.b', 'https://a.example/v1/a.b'],
    [['/**'], '/客户', 'https://a.example/v1/%E5%AE%A2%E6%88%B7'],
  ])('of %j allow %s', (paths, path, href) => {
    expect(at(paths, path)).toBe(href)
  })

  it.each([
    [['/a/*'], '/a'],
    [['/a/*'], '/a/b/c'],
    [['/a/**'], '/ab'],
    [['/a.b'], '/axb'],
    [['/**'], '/../secret'],
    [['/**'], '/a/%2E%2E/%2e./secret'],
  ])('of %j refuse %s', (paths, path) => {
    expect(() => at(paths, path)).toThrow()
  })
})

describe('a sealed text', () => {
  const sealer = createSealer('k'.repeat(32))

  it('is only opened in its place, with its key, and never has the same ciphertext twice', () => {
    const sealed = sealer.seal('密码 🔑', 't1/c1')

    expect(sealer.open(sealed, 't1/c1')).toBe('密码 🔑')
    expect(sealer.open(sealed, 't2/c1')).toBeNull()
    expect(createSealer('x'.repeat(32)).open(sealed, 't1/c1')).toBeNull()
    expect(sealer.open(`${sealed.slice(0, -2)}AA`, 't1/c1')).toBeNull()
    expect(sealer.open('', 't1/c1')).toBeNull()
    expect(sealer.seal('密码 🔑', 't1/c1')).not.toBe(sealed)
    expect(sealed).not.toContain('密码')
  })
})
