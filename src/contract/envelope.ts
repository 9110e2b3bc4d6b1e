/** The product's answer around every business call (DOMAIN 8.1). */
export interface Envelope<T = unknown> {
  readonly meta: Meta
  readonly data: T
}

export interface Meta {
  readonly code: MetaCode
  readonly success: boolean
  /** Ready-to-toast Chinese; '' when there is nothing to say. */
  readonly message: string
  readonly error: WireError | null
}

/** 401, 402 and 403 mean "the session is over" and nothing else; a refused action is 405 (DOMAIN 0.1). */
type MetaCode = 200 | 400 | 401 | 402 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503

export interface WireError {
  readonly type: ErrorType
  /** Messages by field name. */
  readonly fields?: Readonly<Record<string, string>>
  readonly detail?: string
}

/** A write names an upload that is not there any more. */
export const FILE_GONE = 'FILE_GONE'

/** Birthplace of the error types, by code (DOMAIN 8.1). */
const ERROR_TYPES = {
  400: ['VALIDATION', 'BAD_FILTER', 'CAPTCHA_REQUIRED', 'LOGIN_FAILED'],
  401: ['TOKEN_INVALID', 'TOKEN_EXPIRED', 'KICKED'],
  402: ['TENANT_EXPIRED', 'TENANT_DISABLED'],
  403: ['USER_DISABLED', 'MEMBERSHIP_REMOVED'],
  404: ['NOT_FOUND'],
  405: ['NO_PERMISSION', 'PASSWORD_CHANGE'],
  409: [
    'VERSION_CONFLICT',
    'ALREADY_CLAIMED',
    'DUPLICATE',
    'STATE_CONFLICT',
    'SECOND_PERSON',
    'PARENT_FAILED',
  ],
  413: ['FILE_TOO_LARGE'],
  415: ['FILE_TYPE'],
  422: [
    'CLAIM_DAILY_LIMIT',
    'CLAIM_COOLDOWN',
    'HOLDING_CAP',
    'LOCK_CAP',
    'LOCKED',
    'REFERENCED',
    'OVER_COLLECT',
    'BATCH_TOO_LARGE',
    'OUTSIDE',
    FILE_GONE,
  ],
  429: ['RATE_LIMIT'],
  500: ['SERVER'],
  503: ['UNAVAILABLE'],
} as const satisfies Record<Exclude<MetaCode, 200>, readonly string[]>

export type RefusalCode = keyof typeof ERROR_TYPES
export type ErrorType<C extends RefusalCode = RefusalCode> = (typeof ERROR_TYPES)[C][number]
