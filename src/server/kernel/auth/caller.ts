import type { FastifyRequest } from 'fastify'
import type { Meta } from '../../../contract/envelope.ts'
import { holdsPermission } from '../../../contract/permission.ts'
import type { Scope } from '../db/database.ts'
import { type Refusal, refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import type { DataScope, Module, OwnRights, Permission } from './permissions.ts'
import { type Rights, scopeIn } from './rights.ts'

/** Who makes the call: read from the database, not from the token, so a change of rights counts at once. */
export interface Caller extends Scope, Rights {
  readonly sessionId: string
  readonly account: string
  /** The password is one an administrator gave. */
  readonly mustChangePassword: boolean
  readonly name: string
  readonly deptId: string | null
  readonly deptPath: string | null
  readonly roles: readonly string[]
  readonly tenant: CallerTenant
  /** What the rights come down to, once a reading call has looked it up (`kernel/visibility/reach.ts`). */
  readonly reach?: Reach
}

/** Whom and what the caller's rights come down to at the moment of a call. */
export interface Reach {
  /** The departments of the scope `dept_sub`. */
  readonly departments: readonly string[]
  /** The people of the scope `self_sub`. */
  readonly people: readonly string[]
  /** The people whose customers the caller sees by scope, themselves included; null for everybody. */
  readonly team?: readonly string[] | null
  /** Customers of the opportunities and contracts the caller owns that are not in their scope. */
  readonly customers: readonly string[]
  /** Pools the caller may look into. */
  readonly pools: Readonly<Record<'customer' | 'lead' | 'bussiness', readonly string[]>>
  /** Records shared with the caller: entity, id, level. */
  readonly shared: readonly (readonly [string, string, string])[]
}

interface CallerTenant {
  readonly id: string
  readonly name: string
  readonly logo: string
  readonly timezone: string
  readonly settings: unknown
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any route that is not `public` runs. Read it with `callerOf`. */
    caller: Caller | null
    /** Why the token that came with a call of a `public` route does not count. */
    sessionFault: Refusal | null
    /** What the answer says went wrong; null while nothing did. */
    refusal: Meta | null
  }
  interface FastifyContextConfig {
    /** Works without a session. */
    readonly public?: boolean
    /** Open to somebody who has yet to replace the password an administrator gave; everything else waits for that. */
    readonly beforePassword?: true
    /** Refused with 405 for callers who do not hold it. */
    readonly permission?: Permission
    /** The handler's answer is sent as it is, not inside the envelope. */
    readonly raw?: boolean
    /** A refusal is told by the HTTP status, too: the browser itself loads this (pictures, downloads, streams). */
    readonly byStatus?: boolean
    /** Asked every second by machines: has no line in the log. */
    readonly isHealth?: boolean
  }
}

/** The caller of a route that needs a session. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.sessionFault !== null) throw request.sessionFault
  return request.caller ?? refuse(401, 'TOKEN_INVALID', text('session.over'))
}

/** Refuses with 405 unless the caller holds `permission` (`module:*`: anything of the module). The session stays (DOMAIN 0.1). */
export function requires(caller: Caller, permission: string): void {
  if (!holdsPermission(caller.permissions, permission)) {
    refuse(405, 'NO_PERMISSION', text('call.no-permission'), { detail: permission })
  }
}

/** Whose records the caller sees in `module` (DOMAIN 2.2). */
export function scopeOf(caller: Caller, module: Module | OwnRights): DataScope {
  return scopeIn(caller, module)
}
