import { AsyncResource } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { CountCacheRequest } from '../metrics/metrics.ts'
import { isWithin } from '../time/within.ts'
import type { Caller } from './caller.ts'
import { OPERATE } from './permissions.ts'
import { type Rights, type RoleWords, rightsOf } from './rights.ts'

/** A session with the current state of its person and tenant. */
export interface SessionState {
  readonly caller: Caller
  /** Changes whenever roles or permissions change. */
  readonly ver: string
  readonly expiresAt: number
  readonly revoked: string | null
  readonly userStatus: string
  readonly membershipStatus: string | null
  readonly tenantStatus: string
  readonly tenantExpireAt: number | null
}

/** Finds the session of each call. Answers are cached for a few seconds, unless a server reports that the session changed. */
export interface Sessions {
  find(sessionId: string, tenantId: string): Promise<SessionState | null>
  /** A person with their current rights, for what the server does on their behalf; null if they may no longer work there. */
  person(userId: string, tenantId: string): Promise<Caller | null>
  /** Clears the cached sessions of a person on every server. */
  changed(userId: string): Promise<void>
  /** Calls `heard` with each person whose sessions changed, on any server. @returns stops it */
  onChange(listener: (userId: string) => void): () => void
  close(): Promise<void>
}

/** True for a session whose streams must end: signed out, ended by others, or expired. */
export function isSessionOver(state: SessionState | null, now: number): boolean {
  return (
    state === null || state.revoked !== null || state.expiresAt <= now || state.membershipStatus !== 'enabled'
  )
}

/** Tells every server whose sessions have changed. */
export const SESSION_CHANNEL = 'crm_session'
const CACHE_MS = 5000
const MAX_CACHED = 5000

interface SessionParts {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Modules of the product that are defined by descriptions; `*` includes them, as it does a tenant's own. */
  readonly shipped: () => readonly string[]
  /** Accounts that see the operator's page, as `account@tenant`. */
  readonly operators: ReadonlySet<string>
  readonly looked?: CountCacheRequest | undefined
}

export async function createSessions(
  database: Database,
  { now, shipped, operators, looked }: SessionParts,
): Promise<Sessions> {
  const cached = new Map<string, { at: number; state: SessionState }>()
  const forget = (userId: string): void => {
    for (const [key, { state }] of cached) if (state.caller.userId === userId) cached.delete(key)
  }
  const listeners = new Set<(userId: string) => void>()
  const onNotification = (userId: string): void => {
    forget(userId)
    for (const listener of listeners) listener(userId)
  }
  // The embedded database calls this from within the notifying transaction; what follows must not run inside it.
  const stop = await database.listen(SESSION_CHANNEL, AsyncResource.bind(onNotification), () =>
    cached.clear(),
  )
  const shared = createShared()
  const common = () => ({ shipped: shipped(), operators, shared })
  return {
    async find(sessionId, tenantId) {
      const key = `${sessionId}/${tenantId}`
      const known = cached.get(key)
      const isKnown = known !== undefined && isWithin(CACHE_MS, known.at, now())
      looked?.('session', isKnown)
      if (isKnown) return known.state
      const state = await readSession(database, { ...common(), session: sql`session`, sessionId, tenantId })
      cached.delete(key)
      if (state !== null) cached.set(key, { at: now(), state })
      if (cached.size > MAX_CACHED) cached.clear()
      return state
    },
    async person(userId, tenantId) {
      const session = sql`(select '' as id, ${userId}::text as user_id, ${tenantId}::text as tenant_id,
        now() as expires_at, null::timestamptz as revoked_at, null::text as revoked_reason)`
      const state = await readSession(database, { ...common(), session, sessionId: '', tenantId })
      const works = state?.tenantStatus === 'normal' && state.membershipStatus === 'enabled'
      return works ? state.caller : null
    },
    async changed(userId) {
      forget(userId)
      await database.system((trx) => database.notify(trx, SESSION_CHANNEL, userId))
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: stop,
  }
}

interface Row {
  user_id: string
  account: string
  user_status: string
  must_change_password: boolean
  expires_at: Date
  revoked: string | null
  tenant_id: string
  tenant_code: string
  tenant_name: string
  logo: string
  timezone: string
  settings: string
  tenant_status: string
  expire_at: Date | null
  /** Modules of the tenant's own. */
  own_modules: readonly string[]
  member_status: string | null
  name: string | null
  dept_id: string | null
  dept_path: string | null
  roles: string
}

/** Rights with the codes of the roles that give them. */
interface Given extends Rights {
  readonly roles: readonly string[]
  readonly ver: string
}

/** What is the same for many people, kept once: the rights of a person alone take some ten kilobytes. */
interface Shared {
  rights(key: string, make: () => Given): Given
  tenant(key: string, make: () => Caller['tenant']): Caller['tenant']
}

const MAX_SHARED = 1000

function createShared(): Shared {
  return { rights: keepOnce(), tenant: keepOnce() }
}

function keepOnce<T>(): (key: string, make: () => T) => T {
  const cached = new Map<string, T>()
  return (key, make) => {
    const known = cached.get(key)
    if (known !== undefined) return known
    if (cached.size >= MAX_SHARED) cached.clear()
    const value = make()
    cached.set(key, value)
    return value
  }
}

interface Wanted {
  /** The table of sessions, or one with the same columns. */
  readonly session: RawBuilder<unknown>
  readonly sessionId: string
  readonly tenantId: string
  readonly shipped: readonly string[]
  readonly operators: ReadonlySet<string>
  readonly shared: Shared
}

async function readSession(database: Database, wanted: Wanted): Promise<SessionState | null> {
  const { session, sessionId, tenantId } = wanted
  const { rows } = await database.system((trx) =>
    sql<Row>`
      select s.user_id, u.account, u.status as user_status, u.must_change_password, s.expires_at,
        case when s.revoked_at is null then null else coalesce(s.revoked_reason, 'revoked') end as revoked,
        t.id as tenant_id, t.code as tenant_code, t.name as tenant_name, t.logo, t.timezone, t.settings::text, t.status as tenant_status, t.expire_at,
        m.status as member_status, m.name, m.dept_id, d.path as dept_path,
        array(select x.name from (select distinct on (name) name, kind, deleted from module_override
          where tenant_id = t.id order by name, version desc) x where x.kind = 'own' and not x.deleted) as own_modules,
        coalesce((select json_agg(json_build_object('code', r.code, 'scopes', r.scopes, 'permissions', r.permissions,
            'field_rights', r.field_rights, 'custom_depts', r.custom_depts) order by r.sort)
          from role_assignment a join role r on r.tenant_id = a.tenant_id and r.id = a.role_id
          where a.tenant_id = s.tenant_id and a.user_id = s.user_id and r.deleted_at is null)::text, '[]') as roles
      from ${session} s
      join app_user u on u.id = s.user_id
      join tenant t on t.id = s.tenant_id
      left join membership m on m.tenant_id = s.tenant_id and m.user_id = s.user_id and m.deleted_at is null
      left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
      where s.id = ${sessionId} and s.tenant_id = ${tenantId}`.execute(trx),
  )
  const row = rows[0]
  return row === undefined ? null : stateOf(row, wanted)
}

function stateOf(row: Row, { sessionId, shipped, operators, shared }: Wanted): SessionState {
  const modules = [...shipped, ...row.own_modules]
  const operates = operators.has(`${row.account}@${row.tenant_code}`)
  const { ver, ...rights } = shared.rights(`${operates} ${modules.join()} ${row.roles}`, () =>
    givenBy(row.roles, modules, operates),
  )
  const { tenant_id: id, tenant_name: name, logo, timezone, settings } = row
  const tenant = shared.tenant(JSON.stringify([id, name, logo, timezone, settings]), () => ({
    id,
    name,
    logo,
    timezone,
    settings: JSON.parse(settings),
  }))
  return {
    caller: {
      tenantId: tenant.id,
      userId: row.user_id,
      sessionId,
      account: row.account,
      mustChangePassword: row.must_change_password,
      name: row.name ?? row.account,
      deptId: row.dept_id,
      deptPath: row.dept_path,
      ...rights,
      tenant,
    },
    ver,
    expiresAt: row.expires_at.getTime(),
    revoked: row.revoked,
    userStatus: row.user_status,
    membershipStatus: row.member_status,
    tenantStatus: row.tenant_status,
    tenantExpireAt: row.expire_at?.getTime() ?? null,
  }
}

function givenBy(text: string, modules: readonly string[], operates: boolean): Given {
  const words: readonly (RoleWords & { readonly code: string })[] = JSON.parse(text)
  const roles = words.map(({ code }) => code)
  const given = rightsOf(words, modules)
  const rights = { ...given, permissions: withOperating(given.permissions, operates) }
  const { permissions, scopes, customDepts, fieldRights } = rights
  const written = JSON.stringify([roles, [...permissions].sort(), scopes, customDepts, fieldRights])
  const ver = createHash('sha256').update(written).digest('base64url').slice(0, 12)
  return { roles, ...rights, ver }
}

/** Only the settings of the installation name operators: an entry in a role has no effect. */
function withOperating(permissions: ReadonlySet<string>, operates: boolean): ReadonlySet<string> {
  const given = [...permissions].filter((permission) => permission !== OPERATE)
  return new Set(operates ? [...given, OPERATE] : given)
}
