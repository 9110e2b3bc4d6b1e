import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import type { TokenClaims } from '../../../contract/session.ts'
import type { Database } from '../db/database.ts'
import { Refusal, refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { requires } from './caller.ts'
import { innerCall } from './inner-reads.ts'
import { extendSession } from './session-store.ts'
import type { SessionState, Sessions } from './sessions.ts'
import { type ReadClaims, TOKEN_LIFE_MS, type Tokens } from './token.ts'

export interface GuardDeps {
  readonly database: Database
  readonly tokens: Tokens
  readonly sessions: Sessions
  readonly now: () => number
}

/**
 * Runs before every API route and checks who is calling, whether the session is valid, and whether they have the permission. Answer headers:
 * `X-Auth-Refresh: 1` if rights changed since the token was signed (DOMAIN 2.5), `X-Auth-Token` with a renewed token once half its lifetime has
 * passed (DOMAIN 1.13).
 */
export function createGuard(deps: GuardDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { config } = request.routeOptions
    const inner = innerCall()
    if (inner !== null) {
      inner.isRefused = config.raw === true
      if (inner.isRefused) refuse(405, 'NO_PERMISSION', text('call.no-permission'))
      request.caller = inner.caller
      if (config.permission !== undefined) requires(inner.caller, config.permission)
      return
    }
    const token = tokenOf(request)
    if (token === null && config.public === true) return
    const session = await sessionOf(deps, token)
      .then((found) => afterPassword(found, config))
      .catch((error: unknown) => {
        if (config.public !== true || !(error instanceof Refusal)) throw error
        request.sessionFault = error
        return null
      })
    if (session === null) return
    request.caller = session.state.caller
    if (config.permission !== undefined) requires(session.state.caller, config.permission)
    await announce(deps, session, reply)
  }
}

/** A password that somebody else knows gives access only to changing it. */
function afterPassword(found: Found, config: FastifyContextConfig): Found {
  if (found.state.caller.mustChangePassword && config.beforePassword !== true)
    refuse(405, 'PASSWORD_CHANGE', text('session.change-password'))
  return found
}

interface Found {
  readonly claims: ReadClaims
  readonly state: SessionState
}

/** The raw token or `Bearer <token>`. */
export function tokenOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header === undefined || header === '') return null
  return header.replace(/^Bearer\s+/i, '')
}

async function sessionOf(deps: GuardDeps, token: string | null): Promise<Found> {
  if (token === null) refuse(401, 'TOKEN_INVALID', text('session.over'))
  const claims = await deps.tokens.read(token, deps.now())
  if (claims === 'expired') refuse(401, 'TOKEN_EXPIRED', text('session.over'))
  if (claims === 'invalid') refuse(401, 'TOKEN_INVALID', text('session.over'))
  const state = await deps.sessions.find(claims.sid, claims.tid)
  if (state === null) refuse(401, 'TOKEN_INVALID', text('session.over'))
  refuseIfOver(state, deps.now())
  return { claims, state }
}

/** Why a session is no longer valid: 403 person, 402 tenant, 401 session (DOMAIN 8.1). */
function refuseIfOver(state: SessionState, now: number): void {
  if (state.userStatus === 'cancelled' || state.membershipStatus === 'disabled') {
    refuse(403, 'USER_DISABLED', text('session.user-disabled'))
  }
  if (state.membershipStatus === null || state.membershipStatus === 'left') {
    refuse(403, 'MEMBERSHIP_REMOVED', text('session.membership-removed'))
  }
  if (state.tenantStatus === 'disabled') refuse(402, 'TENANT_DISABLED', text('session.tenant-disabled'))
  if (state.tenantStatus === 'expired' || (state.tenantExpireAt ?? Number.POSITIVE_INFINITY) <= now) {
    refuse(402, 'TENANT_EXPIRED', text('session.tenant-expired'))
  }
  if (state.revoked === 'kicked') refuse(401, 'KICKED', text('session.kicked'))
  if (state.revoked === 'ended') refuse(401, 'KICKED', text('session.ended'))
  if (state.revoked === 'password') refuse(401, 'TOKEN_INVALID', text('session.password'))
  if (state.revoked !== null) refuse(401, 'TOKEN_INVALID', text('session.over'))
  if (state.expiresAt <= now) refuse(401, 'TOKEN_EXPIRED', text('session.over'))
}

async function announce(deps: GuardDeps, { claims, state }: Found, reply: FastifyReply): Promise<void> {
  if (claims.ver !== state.ver) reply.header('x-auth-refresh', '1')
  const remainingMs = claims.exp * 1000 - deps.now()
  if (remainingMs > TOKEN_LIFE_MS / 2) return
  const isOpen = await deps.database.system((trx) => extendSession(trx, claims.sid, deps.now()))
  if (!isOpen) return
  await deps.sessions.changed(claims.uid)
  const renewed = await deps.tokens.sign(claimsOf(state), deps.now())
  reply.header('x-auth-token', renewed.token)
  reply.header('x-auth-expires', String(renewed.expiresAt))
}

/** The claims of this session's token. */
export function claimsOf({ caller, ver }: SessionState): Omit<TokenClaims, 'exp'> {
  return {
    uid: caller.userId,
    tid: caller.tenantId,
    role: caller.roles,
    permission: [...caller.permissions],
    sid: caller.sessionId,
    ver,
  }
}
