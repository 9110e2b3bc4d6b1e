import { errors, jwtVerify, SignJWT } from 'jose'
import type { TokenClaims } from '../../contract/session.ts'

/** Twelve hours, renewed while in use (DOMAIN 1.13). */
export const TOKEN_LIFE_MS = 12 * 60 * 60 * 1000

/** Signs and reads the session token (HS256). */
export interface Tokens {
  sign(claims: Omit<TokenClaims, 'exp'>, now: number): Promise<{ token: string; expiresAt: number }>
  /** The claims, or why the token does not count. */
  read(token: string, now: number): Promise<TokenClaims | 'expired' | 'invalid'>
}

/** @param secret at least 32 characters */
export function createTokens(secret: string): Tokens {
  const key = new TextEncoder().encode(secret)
  return {
    async sign(claims, now) {
      const exp = Math.floor((now + TOKEN_LIFE_MS) / 1000)
      const token = await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime(exp)
        .sign(key)
      return { token, expiresAt: exp * 1000 }
    },
    async read(token, now) {
      try {
        const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], currentDate: new Date(now) })
        return isClaims(payload) ? payload : 'invalid'
      } catch (error) {
        return error instanceof errors.JWTExpired ? 'expired' : 'invalid'
      }
    },
  }
}

function isClaims(payload: Record<string, unknown>): payload is Record<string, unknown> & TokenClaims {
  return (
    ['uid', 'tid', 'sid', 'ver'].every((name) => typeof payload[name] === 'string') &&
    typeof payload.exp === 'number'
  )
}
