import { createECDH } from 'node:crypto'
import ece from 'http_ece'
import type { PushPayload, PushSubscriptionBody } from '../../../contract/push.ts'
import type { AllowedAddresses } from '../../kernel/config/inner-addresses.ts'
import { OutgoingError } from '../connections/outgoing-error.ts'
import { type Resolve, sendOutgoing } from '../connections/outgoing-request.ts'
import type { Vapid } from './vapid.ts'

/** The result of a push. `gone`: the device no longer exists. `refused`: this message will never be accepted. `later`: a retry may succeed. */
export type Sent =
  | { readonly end: 'ok' | 'gone' }
  | { readonly end: 'refused'; readonly reason: string }
  | { readonly end: 'later'; readonly reason: string; readonly afterMs: number | null }

export interface SendParts {
  readonly vapid: Vapid
  readonly reach: AllowedAddresses
  readonly now: number
  readonly urgent: boolean
  readonly resolve?: Resolve
}

/** How long a push service keeps a message for a device that is offline. */
const LIFE_SECONDS = 86_400
const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 16 * 1024
const MAX_RETRY_AFTER_MS = 3_600_000

/** Encrypts a message for one device (RFC 8291) and sends it to the push service of its browser. */
export async function sendPush(
  { endpoint, p256dh, auth }: PushSubscriptionBody,
  payload: PushPayload,
  { vapid, reach, now, urgent, resolve }: SendParts,
): Promise<Sent> {
  const url = new URL(endpoint)
  const body = sealFor(p256dh, auth, payload)
  try {
    const answer = await sendOutgoing(
      {
        url,
        method: 'POST',
        headers: {
          authorization: await vapid.authorization(url.origin, now),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          'content-length': String(body.length),
          ttl: String(LIFE_SECONDS),
          urgency: urgent ? 'high' : 'normal',
          // A newer version of a message replaces one that still waits for the device.
          topic: payload.id.replaceAll('-', '').slice(0, 32),
        },
        body,
        most: MAX_ANSWER_BYTES,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
      reach,
      resolve,
    )
    return endOf(answer.status, answer.retryAfter)
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    // No browser has its push service inside our network.
    if (error.reason === 'inner' || error.reason === 'plain') return { end: 'gone' }
    return { end: 'later', reason: error.reason, afterMs: null }
  }
}

function sealFor(p256dh: string, auth: string, payload: PushPayload): Buffer {
  const privateKey = createECDH('prime256v1')
  privateKey.generateKeys()
  return ece.encrypt(Buffer.from(JSON.stringify(payload)), {
    version: 'aes128gcm',
    dh: p256dh,
    privateKey,
    authSecret: auth,
  })
}

function endOf(status: number, retryAfter: string | null): Sent {
  if (status >= 200 && status < 300) return { end: 'ok' }
  if (status === 404 || status === 410) return { end: 'gone' }
  const reason = `status ${status}`
  if (status !== 429 && status < 500) return { end: 'refused', reason }
  const seconds = Number(retryAfter ?? Number.NaN)
  return { end: 'later', reason, afterMs: seconds > 0 ? Math.min(seconds * 1000, MAX_RETRY_AFTER_MS) : null }
}
