import { errors, jwtVerify, SignJWT } from 'jose'
import type { TokenClaims } from '../../../contract/session.ts'

/** Twelve hours, renewed while in use (DOMAIN 1.13). */
export const TOKEN_LIFE_MS = 12 * 60 * 60 * 1000

/** What the server reads of a token. The rights in it are for clients: the server asks the database. */
export type ReadClaims = Pick<TokenClaims, 'uid' | 'tid' | 'sid' | 'ver' | 'exp'>

/** Signs and reads the session token (HS256). */
export interface Tokens {
  sign(claims: Omit<TokenClaims, 'exp'>, now: number): Promise<{ token: string; expiresAt: number }>
  /** The claims, or why the token is not valid. */
  read(token: string, now: number): Promise<ReadClaims | 'expired' | 'invalid'>
  /** The tenant of a token whose signature was verified recently. */
  tenantOf(token: string): string | null
}

/** Tokens with verified signatures; verifying one again takes longer than everything else at the start of a call. */
const MAX_CACHED = 5000

/** @param secret at least 32 characters */
export function createTokens(secret: string): Tokens {
  const key = new TextEncoder().encode(secret)
  const known = new Map<string, ReadClaims>()
  return {
    async sign(claims, now) {
      const exp = Math.floor((now + TOKEN_LIFE_MS) / 1000)
      const token = await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime(exp)
        .sign(key)
      return { token, expiresAt: exp * 1000 }
    },
    tenantOf: (token) => known.get(token)?.tid ?? null,
    async read(token, now) {
      const claims = known.get(token)
      if (claims !== undefined) return claims.exp <= Math.floor(now / 1000) ? 'expired' : claims
      try {
        const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], currentDate: new Date(now) })
        if (!isClaims(payload)) return 'invalid'
        if (known.size >= MAX_CACHED) known.clear()
        const { uid, tid, sid, ver, exp } = payload
        const read = { uid, tid, sid, ver, exp }
        known.set(token, read)
        return read
      } catch (error) {
        return error instanceof errors.JWTExpired ? 'expired' : 'invalid'
      }
    },
  }
}

function isClaims(payload: Record<string, unknown>): payload is Record<string, unknown> & ReadClaims {
  return (
    ['uid', 'tid', 'sid', 'ver'].every((name) => typeof payload[name] === 'string') &&
    typeof payload.exp === 'number'
  )
}
