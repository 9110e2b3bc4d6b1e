import { createECDH } from 'node:crypto'
import { isIP } from 'node:net'
import type { PushSubscriptionBody } from '../../../contract/push.ts'
import type { AllowedAddresses } from '../../kernel/config/inner-addresses.ts'

const MAX_ENDPOINT = 1000
const AUTH_BYTES = 16
const CURVE = 'prime256v1'

/**
 * Whether a subscription can be a browser's: an address at an external push service on the usual port, and a key for encryption. Names that cannot be
 * external are refused; all others are resolved and checked at each delivery.
 */
export function isUsable({ endpoint, p256dh, auth }: PushSubscriptionBody, reach: AllowedAddresses): boolean {
  return isOutside(endpoint, reach) && isPoint(p256dh) && Buffer.from(auth, 'base64url').length === AUTH_BYTES
}

function isOutside(endpoint: string, reach: AllowedAddresses): boolean {
  if (endpoint.length > MAX_ENDPOINT || !URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username, password } = new URL(endpoint)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (username !== '' || password !== '') return false
  if (isIP(host) !== 0 && reach.isClosed(host)) return false
  if (isIP(host) !== 0 && reach.isOpened(host)) return protocol === 'https:' || protocol === 'http:'
  return protocol === 'https:' && port === '' && (isIP(host) !== 0 || isPublicName(host))
}

/** Endings of names that stand for this machine or its neighbours. */
const INNER_NAMES = /(?:^|\.)(?:localhost|local|internal)$/

function isPublicName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return name.includes('.') && !INNER_NAMES.test(name)
}

function isPoint(key: string): boolean {
  const keyPair = createECDH(CURVE)
  keyPair.generateKeys()
  try {
    keyPair.computeSecret(Buffer.from(key, 'base64url'))
    return true
  } catch {
    return false
  }
}
