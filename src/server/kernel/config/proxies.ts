import { BlockList, isIP } from 'node:net'

/** True for a machine that is trusted to report the caller's address; `hop` 0 is the one that connects to us. False: nobody is trusted. */
export type TrustProxy = false | ((address: string, hop: number) => boolean)

const MAX_HOPS = 10

/**
 * Reads `TRUST_PROXY`: the number of proxies in front of this server, or their addresses and networks, separated by commas.
 *
 * @throws Error with a sentence for anything else, because a misread value would let callers choose their own address
 */
export function readProxies(text: string | undefined): TrustProxy {
  if (text === undefined || text === '') return false
  if (/^\d{1,2}$/.test(text)) return byHops(Number(text))
  const list = new BlockList()
  for (const entry of text.split(',').map((part) => part.trim())) addTo(list, entry)
  return (address) => {
    const kind = isIP(address)
    return kind !== 0 && list.check(address, kind === 6 ? 'ipv6' : 'ipv4')
  }
}

function byHops(hops: number): TrustProxy {
  if (hops < 1 || hops > MAX_HOPS) throw wrong(String(hops))
  return (_address, hop) => hop < hops
}

function addTo(list: BlockList, text: string): void {
  const [, address = '', bits] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const kind = isIP(address)
  const maxBits = kind === 6 ? 128 : 32
  const length = bits === undefined ? maxBits : Number(bits)
  // A network with prefix length 0 contains every address.
  if (kind === 0 || length < 1 || length > maxBits) throw wrong(text)
  list.addSubnet(address, length, kind === 6 ? 'ipv6' : 'ipv4')
}

function wrong(text: string): Error {
  return new Error(
    `TRUST_PROXY is a number of proxies (1 to ${MAX_HOPS}) or addresses like 10.0.0.1, 10.1.0.0/16; not ${text}`,
  )
}
