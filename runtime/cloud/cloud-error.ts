import type { Json, JsonObject } from '../core/json.ts'

/** Maximum depth of printed causes (PROTOCOL 1.1). */
const CAUSE_DEPTH = 10

export interface CloudErrorParts {
  readonly code?: string | number | undefined
  readonly message?: string | undefined
  /** The server's own text, if `message` contains more; default the message. */
  readonly errMsg?: string | undefined
  readonly subject?: string | undefined
  readonly requestId?: string | undefined
  readonly cause?: unknown
  /** Cloud objects only: the whole result. */
  readonly detail?: Json | undefined
}

/**
 * The error of every cloud call. `code` and `subject` are aliases of the `err…` fields; the `message` of a function has the function's name before
 * `errMsg`.
 */
export class CloudError extends Error {
  readonly errCode: string | number
  readonly errMsg: string
  readonly errSubject: string | undefined
  readonly requestId: string | undefined
  readonly detail: Json | undefined

  constructor(parts: CloudErrorParts) {
    super(parts.message || 'unknown system error', { cause: parts.cause })
    this.name = 'CloudError'
    this.errMsg = parts.errMsg || this.message
    this.errCode = parts.code || 'SYSTEM_ERROR'
    this.errSubject = parts.subject
    this.requestId = parts.requestId
    this.detail = parts.detail
  }

  get code(): string | number {
    return this.errCode
  }

  get subject(): string | undefined {
    return this.errSubject
  }

  /** A copy of the error with some parts replaced. */
  with(parts: CloudErrorParts): CloudError {
    return new CloudError({
      code: this.errCode,
      message: this.message,
      errMsg: parts.message === undefined ? this.errMsg : undefined,
      subject: this.errSubject,
      requestId: this.requestId,
      detail: this.detail,
      cause: this.cause,
      ...parts,
    })
  }

  /** `{errCode, errMsg, errSubject, cause}` with at most ten nested causes. */
  toJSON(): JsonObject {
    return print(this, 0) ?? {}
  }
}

function print(error: CloudError, depth: number): JsonObject | undefined {
  if (depth >= CAUSE_DEPTH) return undefined
  const { errCode, errMsg, errSubject, cause } = error
  return {
    errCode,
    errMsg,
    errSubject,
    cause: cause instanceof CloudError ? print(cause, depth + 1) : plain(cause),
  }
}

function plain(cause: unknown): Json | undefined {
  if (cause instanceof Error) return { errMsg: cause.message }
  if (typeof cause !== 'object' || cause === null) return typeof cause === 'string' ? cause : undefined
  const { code, message } = cause as { code?: unknown; message?: unknown }
  return { errCode: String(code), errMsg: String(message) }
}

/** Converts anything thrown to a {@link CloudError}; plain objects with the names of the protocol are read (PROTOCOL 1.1). */
export function toCloudError(thrown: unknown): CloudError {
  if (thrown instanceof CloudError) return thrown
  if (thrown instanceof Error) return new CloudError({ message: thrown.message, cause: thrown })
  if (typeof thrown === 'string') return new CloudError({ message: thrown })
  const parts = (thrown ?? {}) as Readonly<Record<string, unknown>>
  return new CloudError({
    code: codeOf(parts.code) ?? codeOf(parts.errCode),
    message: textOf(parts.message) ?? textOf(parts.errMsg),
    subject: textOf(parts.subject) ?? textOf(parts.errSubject),
    requestId: textOf(parts.requestId),
    cause: parts.cause,
  })
}

/** A valid error code; undefined for anything else. */
export function codeOf(value: unknown): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value || undefined : undefined
}

/** A non-empty text; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
