import type { FastifyRequest } from 'fastify'
import type { Meta } from '../../../contract/envelope.ts'
import { holdsPermission } from '../../../contract/permission.ts'
import type { Scope } from '../db/database.ts'
import { type Refusal, refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import type { DataScope, Module, OwnRights, Permission } from './permissions.ts'
import { type Rights, scopeIn } from './rights.ts'

/** The person making the call. Read from the database, not from the token, so that a change of rights applies at once. */
export interface Caller extends Scope, Rights {
  readonly sessionId: string
  readonly account: string
  /** The password was set by an administrator. */
  readonly mustChangePassword: boolean
  readonly name: string
  readonly deptId: string | null
  readonly deptPath: string | null
  readonly roles: readonly string[]
  readonly tenant: CallerTenant
  /** Fields by entity of whose masked values a part is shown, once the modules of the tenant are known (`kernel/context/caller-in-model.ts`). */
  readonly shownInPart?: ReadonlyMap<string, ReadonlySet<string>>
  /** The resolved data scope, once a reading call has looked it up (`kernel/visibility/reach.ts`). */
  readonly reach?: Reach
}

/** The people and records that the caller's rights cover at the time of a call. */
export interface Reach {
  /** The departments of the scope `dept_sub`. */
  readonly departments: readonly string[]
  /** The people of the scope `self_sub`. */
  readonly people: readonly string[]
  /** The people whose customers the caller sees by scope, including themselves; null for everybody. */
  readonly team?: readonly string[] | null
  /** Customers outside the caller's scope that belong to opportunities and contracts the caller owns. */
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
    /** Why the token sent to a `public` route is not valid. */
    sessionFault: Refusal | null
    /** The error in the answer; null if there is none. */
    refusal: Meta | null
  }
  interface FastifyContextConfig {
    /** Can be called without a session. */
    readonly public?: boolean
    /** Available to people who must first replace the password an administrator set; all other routes are not. */
    readonly beforePassword?: true
    /** Callers without this permission are refused with 405. */
    readonly permission?: Permission
    /** The handler's answer is sent as it is, not inside the envelope. */
    readonly raw?: boolean
    /** A refusal is also sent as the HTTP status, because the browser itself loads this (pictures, downloads, streams). */
    readonly byStatus?: boolean
    /** Requested by machines every second: not logged. */
    readonly isHealth?: boolean
  }
}

/** The caller of a route that requires a session. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.sessionFault !== null) throw request.sessionFault
  return request.caller ?? refuse(401, 'TOKEN_INVALID', text('session.over'))
}

/** Refuses with 405 unless the caller has `permission` (`module:*`: any permission of the module). The session continues (DOMAIN 0.1). */
export function requires(caller: Caller, permission: string): void {
  if (!holdsPermission(caller.permissions, permission)) {
    refuse(405, 'NO_PERMISSION', text('call.no-permission'), { detail: permission })
  }
}

/** Whose records the caller sees in `module` (DOMAIN 2.2). */
export function scopeOf(caller: Caller, module: Module | OwnRights): DataScope {
  return scopeIn(caller, module)
}
