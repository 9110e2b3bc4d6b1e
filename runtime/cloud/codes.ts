/** The source of an error code and the text for the user (PROTOCOL 2.6). */
interface CodeFacts {
  readonly by: string
  /** Key of the text in `schemas/text`; without one the server's own text is shown. */
  readonly text?: string
}

/** Every code that the cloud client raises or handles. Codes are part of the protocol and never renamed. */
export const CLOUD_CODES = {
  SYS_ERR: { by: 'HTTP status of 400 or above, or no answer, when the body names no code' },
  SYSTEM_ERROR: { by: 'default of the error object' },
  AUTH_FAILED: { by: 'provider 1: no access token in the answer', text: 'cloud.auth-failed' },
  GATEWAY_INVALID_TOKEN: { by: 'provider 1: authorise again, send once more' },
  'InvalidParameter.InvalidToken': { by: 'provider 1: authorise again, send once more' },
  ACCESS_TOKEN_DISABLED: { by: 'provider 2: refresh, send once more' },
  ACCESS_TOKEN_EXPIRED: { by: 'provider 2: refresh, send once more' },
  SIGN_PARAM_INVALID: { by: 'provider 2: login state expired', text: 'cloud.refresh-failed' },
  REFRESH_TOKEN_EXPIRED: { by: 'provider 2: login state expired', text: 'cloud.refresh-failed' },
  INVALID_REFRESH_TOKEN: { by: 'provider 2: login state expired', text: 'cloud.refresh-failed' },
  INVALID_PARAM: { by: 'checks of arguments' },
  PARAM_ERROR: { by: 'provider 2: checks of arguments', text: 'cloud.function-name-empty' },
  INVALID_OPERATION: { by: 'an act that the login or the provider does not allow' },
  NETWORK_ERROR: { by: 'provider 2: no status 200 or no body' },
  UPLOAD_FAILED: { by: 'uploads', text: 'cloud.upload-failed' },
  STORAGE_REQUEST_FAIL: { by: 'provider 2: an upload without status 201' },
  DELETE_FILE_FAILED: { by: 'private provider', text: 'cloud.delete-failed' },
  GET_TEMP_FILE_URL_FAILED: { by: 'private provider', text: 'cloud.temp-url-failed' },
} as const satisfies Record<string, CodeFacts>

/** A code of {@link CLOUD_CODES}. */
export type CloudCode = keyof typeof CLOUD_CODES

/** Secure network (PROTOCOL 1.4). */
export const SECURE_NETWORK = {
  subject: 'uni-secure-network',
  systemError: { code: 20000, message: 'System error' },
  invalidClient: { code: 20101, message: 'Invalid client' },
  keyFailed: { code: 20102, message: 'Get encrypt key failed' },
} as const

const EXPIRED = 'cloud.login-expired'
const INVALID = 'cloud.login-invalid'

/** Codes of client database answers that lead to login, with their texts (PROTOCOL 1.5). */
export const DATABASE_LOGIN_CODES: ReadonlyMap<string, string> = new Map([
  ['TOKEN_INVALID_TOKEN_EXPIRED', EXPIRED],
  ['TOKEN_INVALID', INVALID],
  ['TOKEN_INVALID_INVALID_CLIENTID', INVALID],
  ['TOKEN_INVALID_WRONG_TOKEN', INVALID],
  ['TOKEN_INVALID_ANONYMOUS_USER', INVALID],
])

/** Codes of cloud object answers that lead to login. */
export const OBJECT_LOGIN_CODES: ReadonlyMap<string, string> = new Map([
  ...DATABASE_LOGIN_CODES,
  ['uni-id-token-expired', EXPIRED],
  ['uni-id-check-token-failed', INVALID],
  ['uni-id-token-not-exist', INVALID],
  ['uni-id-check-device-feature-failed', INVALID],
])

/** Key of the text for a login code; other codes have a general text. */
export function loginTextOf(code: string): string {
  return OBJECT_LOGIN_CODES.get(code) ?? 'cloud.login-needed'
}
