import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PushPayload, PushSubscriptionBody } from '../../src/contract/push.ts'

/** A push as received. */
export interface TakenPush {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A push service on this machine, and the browsers' side of it. */
export interface PushService {
  readonly origin: string
  readonly taken: readonly TakenPush[]
  /** Its answer to a device from now on, and the delay. */
  answer(device: Device, status: number, more?: { headers?: Record<string, string>; afterMs?: number }): void
  /** Subscribes like a browser. */
  newDevice(): Device
  /** The messages to a device, decrypted like in its browser. */
  pushesOf(device: Device): readonly PushPayload[]
  forget(): void
  close(): Promise<void>
}

export interface Device {
  readonly subscription: PushSubscriptionBody
  readonly path: string
  open(body: Buffer): PushPayload
}

/** RFC 8030 from the sender's point of view. */
export async function openPushService(): Promise<PushService> {
  const taken: TakenPush[] = []
  const answers = new Map<string, { status: number; headers?: Record<string, string>; afterMs?: number }>()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { url: path = '', headers } = request
      taken.push({ path, headers, body: Buffer.concat(parts) })
      const { status, headers: more, afterMs = 0 } = answers.get(path) ?? { status: 201 }
      setTimeout(() => response.writeHead(status, more).end(), afterMs)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    taken,
    answer: ({ path }, status, more = {}) => void answers.set(path, { status, ...more }),
    newDevice: () => newDevice(origin),
    pushesOf: (device) =>
      taken.filter(({ path }) => path === device.path).map(({ body }) => device.open(body)),
    forget() {
      taken.length = 0
      answers.clear()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** The browser's half of RFC 8291: shares no code with the server's encryption. */
function newDevice(origin: string): Device {
  const own = createECDH('prime256v1')
  const point = own.generateKeys()
  const secret = randomBytes(16)
  const path = `/send/${randomBytes(8).toString('hex')}`
  return {
    path,
    subscription: {
      endpoint: origin + path,
      p256dh: point.toString('base64url'),
      auth: secret.toString('base64url'),
    },
    open(body) {
      const salt = body.subarray(0, 16)
      const sender = body.subarray(21, 21 + body.readUInt8(20))
      const sealed = body.subarray(21 + sender.length)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, sender])
      const key = Buffer.from(hkdfSync('sha256', own.computeSecret(sender), secret, info, 32))
      const derive = (name: string, bytes: number) =>
        Buffer.from(hkdfSync('sha256', key, salt, `Content-Encoding: ${name}\0`, bytes))
      const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
      cipher.setAuthTag(sealed.subarray(-16))
      const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString()) as PushPayload
    },
  }
}

/** The sender's claims; verifies the signature with the key it names. */
export function claimsOf({ headers }: TakenPush): {
  readonly key: string
  readonly claims: Record<string, unknown>
} {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', body = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const half = (from: number) => point.subarray(from, from + 32).toString('base64url')
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: half(1), y: half(33) },
    format: 'jwk',
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('the signature is not of the key')
  return { key, claims: JSON.parse(Buffer.from(body, 'base64url').toString()) }
}
