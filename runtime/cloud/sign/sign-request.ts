import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

const ALGORITHM = 'HMAC-SHA256'

export interface SignedRequest {
  readonly method: string
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** Names of the signed headers, in any order. */
  readonly signed: readonly string[]
  /** The body exactly as sent; empty if there is none. */
  readonly body: string
  readonly timestamp: string
  readonly accessKey: string
  readonly secretKey: string
}

/** The `Authorization` header of provider 3 (PROTOCOL 2.3). */
export function signRequest(request: SignedRequest): string {
  const names = [...request.signed].sort()
  const lines = names.map((name) => `${name.toLowerCase()}:${request.headers[name] ?? ''}\n`).join('')
  const list = names.join(';')
  const canonical = [
    request.method.toUpperCase(),
    request.path,
    request.query,
    lines,
    list,
    hash(request.body),
  ]
  const text = `${ALGORITHM}\n${request.timestamp}\n${hash(canonical.map((part) => `${part}\n`).join(''))}\n`
  const signature = bytesToHex(hmac(sha256, utf8ToBytes(request.secretKey), utf8ToBytes(text)))
  return `${ALGORITHM} Credential=${request.accessKey}, SignedHeaders=${list}, Signature=${signature}`
}

function hash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}
