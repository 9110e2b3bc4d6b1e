import { BlockList, isIP } from 'node:net'

/** Networks that are not public: this machine, its neighbours, metadata addresses of clouds, and unrouted ranges. */
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
  // Only global unicast addresses are public; an address that embeds an IPv4 address may lead back inside.
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

/** The addresses that outgoing calls may reach. */
export interface AllowedAddresses {
  /** An inner address that the operator has opened. */
  isOpened(address: string): boolean
  /** True for an inner address that was not opened, and for anything that is not an address. */
  isClosed(address: string): boolean
}

/**
 * @param opened  networks the operator opens: `10.20.0.0/16`, `127.0.0.1`
 * @param setting  the name of the setting that lists them
 * @throws Error with one sentence for the operator if one of them is not a network
 */
export function allowedAddresses(opened: readonly string[], setting = 'CONNECTION_INNER'): AllowedAddresses {
  const open = twoLists()
  for (const text of opened) {
    const [address = '', bits] = text.split('/')
    const family = isIP(address)
    const maxBits = family === 6 ? 128 : 32
    const prefix = bits === undefined ? maxBits : Number(bits)
    if (family === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > maxBits || bits === '')
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

/** Networks of the two families are kept apart: in one list, an IPv4 address would also be compared with IPv6 networks. */
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
