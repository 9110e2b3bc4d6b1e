import { BlockList, isIP } from 'node:net'

/** Networks that are nobody's outside: our own machine, its neighbours, what clouds tell their machines, and what is routed nowhere. */
const INNER: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // Nothing but the global unicast space is outside; what carries an IPv4 address inside it may lead back in.
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

/** Where calls to the outside may go. */
export interface Reach {
  /** An inner address that the operator has opened. */
  isOpened(address: string): boolean
  /** Inner and not opened, or no address at all. */
  isClosed(address: string): boolean
}

/**
 * @param opened  networks the operator opens: `10.20.0.0/16`, `127.0.0.1`
 * @param setting  the name they were given under
 * @throws Error with one sentence for the operator when one of them is no network
 */
export function reachOf(opened: readonly string[], setting = 'CONNECTION_INNER'): Reach {
  const open = twoLists()
  for (const text of opened) {
    const [address = '', bits] = text.split('/')
    const family = isIP(address)
    const most = family === 6 ? 128 : 32
    const prefix = bits === undefined ? most : Number(bits)
    if (family === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > most || bits === '')
      throw new Error(`${setting}: ${text} is not a network like 10.20.0.0/16`)
    open.add(address, prefix)
  }
  const inner = twoLists()
  for (const [address, prefix] of INNER) inner.add(address, prefix)
  return {
    isOpened: open.has,
    isClosed: (address) => isIP(address) === 0 || (!open.has(address) && inner.has(address)),
  }
}

/** Networks of both families apart: in one list an IPv4 address would be looked for in networks of IPv6, too. */
function twoLists() {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return {
    add(address: string, prefix: number): void {
      const family = familyOf(address)
      lists[family].addSubnet(address, prefix, family)
    },
    has(address: string): boolean {
      const family = familyOf(address)
      return isIP(address) !== 0 && lists[family].check(address, family)
    },
  }
}
