import type { Json } from '../../../../runtime/core/json.ts'
import type { Envelope, ErrorType, RefusalCode, WireError } from '../../../contract/envelope.ts'

/** A call that the server understood and refuses. Thrown anywhere below a route; answered as the envelope with HTTP 200. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly error: WireError
  readonly data: Json
  constructor(code: RefusalCode, error: WireError, message: string, data: Json) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.error = error
    this.data = data
  }
}

/** Additional parts of a refusal: field messages, details for developers, and data such as the current record of a 409. */
export interface RefusalParts {
  readonly fields?: Readonly<Record<string, string>>
  readonly detail?: string
  readonly data?: Json
}

/**
 * Refuses the call (DOMAIN 8.1).
 *
 * @param message  Chinese, ready to be shown as a toast
 * @throws always a {@link Refusal}
 */
export function refuse<C extends RefusalCode>(
  code: C,
  type: ErrorType<C>,
  message: string,
  parts: RefusalParts = {},
): never {
  const { data = null, ...rest } = parts
  throw new Refusal(code, { type, ...rest }, message, data)
}

/** The envelope of a successful call. */
export function answered<T>(data: T): Envelope<T> {
  return { meta: { code: 200, success: true, message: '', error: null }, data }
}

/** The envelope of a refusal. */
export function refused(refusal: Refusal): Envelope<Json> {
  return {
    meta: { code: refusal.code, success: false, message: refusal.message, error: refusal.error },
    data: refusal.data,
  }
}
