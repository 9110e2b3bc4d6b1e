import { isObject, type Json, type JsonObject } from '../core/json.ts'
import type { Text } from '../core/ports.ts'
import { decodeBase64 } from './base64.ts'
import { CloudError } from './cloud-error.ts'

/** The user of the login token; further fields of the token are kept. */
export interface CurrentUser extends JsonObject {
  readonly uid: string | number | null
  /** As in the token: a list, or the text of a single one. */
  readonly role: readonly string[] | string
  readonly permission: readonly string[] | string
  /** Milliseconds since the epoch; 0 without a login. */
  readonly tokenExpired: number
}

const NOBODY: CurrentUser = { uid: null, role: [], permission: [], tokenExpired: 0 }

/**
 * Decodes the middle part of a token. Without a token, or if it does not have three parts, nobody is logged in (PROTOCOL 1.2).
 * @throws CloudError if the part cannot be decoded
 */
export function readCurrentUser(token: string | undefined, text: Text): CurrentUser {
  const parts = token?.split('.') ?? []
  if (parts.length !== 3) return NOBODY
  try {
    const claims = JSON.parse(decodeBase64(parts[1] ?? '')) as Json
    if (!isObject(claims)) throw new Error('not an object')
    const { exp, iat: _, uid, role, permission, ...rest } = claims
    return {
      ...rest,
      uid: typeof uid === 'string' || typeof uid === 'number' ? uid : null,
      role: texts(role),
      permission: texts(permission),
      tokenExpired: Number(exp ?? 0) * 1000,
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CloudError({ message: text('cloud.user-info', { reason }), cause })
  }
}

function texts(list: Json | undefined): readonly string[] | string {
  if (typeof list === 'string') return list
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
}

const holds = (names: readonly string[] | string, name: string): boolean =>
  typeof names === 'string' ? names === name : names.includes(name)

/** True if the user has the role. */
export function hasRole(user: CurrentUser, name: string): boolean {
  return holds(user.role, name)
}

/** True if the user has the permission; the role `admin` has all. */
export function hasPermission(user: CurrentUser, name: string): boolean {
  return holds(user.permission, name) || holds(user.role, 'admin')
}

/** True while the login is valid; `now` in milliseconds since the epoch. */
export function isTokenValid(user: CurrentUser, now: number): boolean {
  return user.tokenExpired > now
}
