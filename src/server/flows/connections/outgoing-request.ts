import { lookup as lookUp } from 'node:dns/promises'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { AllowedAddresses } from '../../kernel/config/inner-addresses.ts'
import { OutgoingError } from './outgoing-error.ts'

/** A complete outgoing request. */
export interface OutgoingRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Maximum size of an answer in bytes, uncompressed. */
  readonly most: number
  readonly signal: AbortSignal
}

export interface OutgoingResponse {
  readonly status: number
  /** Content type, without its parameters, and the character set. */
  readonly type: string
  readonly charset: string
  /** The target of a redirect. */
  readonly location: string | null
  /** When to retry, according to the other side. */
  readonly retryAfter: string | null
  readonly body: Buffer
}

/** Resolves host names; tests supply their own. */
export type Resolve = (host: string) => Promise<readonly { address: string; family: number }[]>

const resolveName: Resolve = (host) => lookUp(host, { all: true, verbatim: true })

const CERTIFICATE = /CERT|SELF_SIGNED|ALTNAME|^ERR_(?:SSL|TLS)|UNABLE_TO_/

/**
 * Sends a request and reads its answer without following redirects. The address is checked at each connection, whatever the name
 * resolved to before. Plain HTTP is used only with addresses that the operator has opened.
 *
 * @throws OutgoingError
 */
export async function sendOutgoing(
  call: OutgoingRequest,
  reach: AllowedAddresses,
  resolve: Resolve = resolveName,
): Promise<OutgoingResponse> {
  try {
    return await send(call, reach, resolve)
  } catch (error) {
    throw faultOf(error, call.signal)
  }
}

async function send(
  call: OutgoingRequest,
  reach: AllowedAddresses,
  resolve: Resolve,
): Promise<OutgoingResponse> {
  const { url, method, headers, body, signal, most } = call
  const isPlain = url.protocol === 'http:'
  const judge = (address: string): void => {
    if (reach.isClosed(address)) throw new OutgoingError('inner')
    if (isPlain && !reach.isOpened(address)) throw new OutgoingError('plain')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // An IP address used as a host name is never resolved.
  if (isIP(host) !== 0) judge(host)
  const answer = await new Promise<IncomingMessage>((done, failed) => {
    const request = (isPlain ? requestPlain : requestSecure)(url, {
      method,
      headers,
      signal,
      agent: false,
      lookup: judgedLookup(resolve, judge),
    })
    request.once('response', done)
    request.once('error', failed)
    request.end(body)
  })
  const [type = '', ...parameters] = (answer.headers['content-type'] ?? '').split(';')
  const charset = parameters.find((parameter) => parameter.trim().toLowerCase().startsWith('charset='))
  return {
    status: answer.statusCode ?? 0,
    type: type.trim().toLowerCase(),
    charset: charset?.split('=')[1]?.replaceAll('"', '').trim().toLowerCase() ?? 'utf-8',
    location: answer.headers.location ?? null,
    retryAfter: answer.headers['retry-after'] ?? null,
    body: await readUpTo(answer, most),
  }
}

/** Supplies the connection only with checked addresses: all that a name resolves to, or none. */
function judgedLookup(resolve: Resolve, judge: (address: string) => void): LookupFunction {
  return (host, options, done) => {
    resolve(host)
      .then((found) => {
        for (const { address } of found) judge(address)
        const [first] = found
        if (first === undefined) throw new OutgoingError('unreachable')
        if (options.all === true) done(null, [...found])
        else done(null, first.address, first.family)
      })
      .catch((error: NodeJS.ErrnoException) => done(error, ''))
  }
}

/** The body, uncompressed. Reading stops if it announces or reaches a size above the limit. */
async function readUpTo(answer: IncomingMessage, most: number): Promise<Buffer> {
  if (Number(answer.headers['content-length'] ?? 0) > most) {
    answer.destroy()
    throw new OutgoingError('large')
  }
  const parts: Buffer[] = []
  let size = 0
  const source = unpacked(answer)
  try {
    for await (const part of source as AsyncIterable<Buffer>) {
      size += part.length
      if (size > most) throw new OutgoingError('large')
      parts.push(part)
    }
  } finally {
    source.destroy()
    answer.destroy()
  }
  return Buffer.concat(parts)
}

function unpacked(answer: IncomingMessage): Readable {
  const packing = answer.headers['content-encoding'] ?? 'identity'
  if (packing === 'identity') return answer
  const unpack =
    packing === 'gzip'
      ? createGunzip()
      : packing === 'deflate'
        ? createInflate()
        : packing === 'br'
          ? createBrotliDecompress()
          : null
  if (unpack === null) throw new OutgoingError('type')
  answer.once('error', (error) => unpack.destroy(error))
  return answer.pipe(unpack)
}

function faultOf(error: unknown, signal: AbortSignal): Error {
  if (error instanceof OutgoingError) return error
  if (signal.aborted) return new OutgoingError('timeout')
  const { code = '' } = error as NodeJS.ErrnoException
  return new OutgoingError(CERTIFICATE.test(code) ? 'certificate' : 'unreachable')
}
