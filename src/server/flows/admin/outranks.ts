import { sql } from 'kysely'
import { withFollowing } from '../../kernel/auth/field-rights.ts'
import type { DataScope } from '../../kernel/auth/permissions.ts'
import {
  covers,
  holdsAll,
  modulesOf,
  type Rights,
  type RoleWords,
  rightsOf,
  scopeIn,
} from '../../kernel/auth/rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

type IsWithin = (dept: string, module: string) => boolean

/** A colleague, and what decides what they see. */
interface Standing {
  readonly id: string
  readonly dept_id: string | null
  readonly supervisor_id: string | null
  readonly role_ids: readonly string[]
}

/** The colleagues of a tenant as the caller stands to them. */
interface Ranking {
  readonly people: ReadonlySet<string>
  /** People who may do, or see from where they stand, something that the caller may not. */
  readonly above: ReadonlySet<string>
  /** Whether rights give a person, where they stand, more than the caller has. */
  readonly raise: (userId: string, rights: Rights) => boolean
  /** Whether the caller's scope in a module includes what a person owns. */
  readonly sees: (userId: string, module: string) => boolean
}

/** Refuses if a colleague has permissions or visibility that the caller lacks: otherwise their account would be a way to more rights. */
export async function refuseOutranking(userId: string, ctx: CallContext): Promise<void> {
  if (await outranks(userId, ctx)) refuse(405, 'NO_PERMISSION', text('admin.user.above'), { detail: 'user' })
}

/** True for a colleague who has permissions or visibility that the caller lacks. */
export const outranks = async (userId: string, ctx: CallContext): Promise<boolean> =>
  !holdsAll(ctx.caller) && (await rankingOf(ctx)).above.has(userId)

/**
 * Runs a change of people, of where they stand or of their roles. Refuses it if it would put somebody above the caller, or show the caller what a
 * colleague owns whom their scope did not include.
 */
export async function keepingRank(ctx: CallContext, change: () => Promise<void>): Promise<void> {
  if (holdsAll(ctx.caller)) return change()
  const before = await rankingOf(ctx)
  await change()
  const after = await rankingOf(ctx)
  const isRaised = [...after.above].some((id) => !before.above.has(id))
  const modules = modulesOf(ctx.caller)
  const isShown = [...before.people].some((id) =>
    modules.some((module) => after.sees(id, module) && !before.sees(id, module)),
  )
  if (isRaised || isShown) refuseReach()
}

/** Refuses a receiver whose records the caller sees, for those of a person whose records they do not see. */
export async function refuseTaking(fromId: string, toId: string, ctx: CallContext): Promise<void> {
  if (holdsAll(ctx.caller)) return
  const { sees } = await rankingOf(ctx)
  if (modulesOf(ctx.caller).some((module) => sees(toId, module) && !sees(fromId, module))) refuseReach()
}

/** Refuses a department, `null` for none, that the caller's scope does not include in every module that they may use. */
export async function refuseOutside(depts: readonly (string | null)[], ctx: CallContext): Promise<void> {
  if (holdsAll(ctx.caller)) return
  const isWithin = await departmentsWithin(ctx)
  const isInside = (dept: string | null, module: string) =>
    dept === null ? scopeIn(ctx.caller, module) === 'all' : isWithin(dept, module)
  if (!modulesOf(ctx.caller).every((module) => depts.every((dept) => isInside(dept, module)))) refuseReach()
}

/** True if these roles together give a permission, a data scope or a field right that the caller lacks. */
export async function grantsMore(roles: readonly RoleWords[], ctx: CallContext): Promise<boolean> {
  return (await grantsMoreTest(ctx))(roles)
}

/** True if a role gives one of its people, where they stand, something that the caller lacks. */
export async function givesMore(
  role: RoleWords,
  people: readonly string[],
  ctx: CallContext,
): Promise<boolean> {
  if (holdsAll(ctx.caller)) return false
  const { raise } = await rankingOf(ctx)
  const rights = combined([role], ctx)
  return people.some((id) => raise(id, rights))
}

/** {@link grantsMore} for several. */
export async function grantsMoreTest(ctx: CallContext): Promise<(roles: readonly RoleWords[]) => boolean> {
  const isWithin = await departmentsWithin(ctx)
  return (roles) => !covers(ctx.caller, combined(roles, ctx), isWithin)
}

const refuseReach = () => refuse(405, 'NO_PERMISSION', text('admin.user.reach'), { detail: 'scope' })

/** The rights of several roles, with those on fields that follow from others. */
function combined(roles: readonly RoleWords[], { model }: CallContext): Rights {
  const rights = rightsOf(roles)
  return { ...rights, fieldRights: withFollowing(rights.fieldRights, model.modules) }
}

async function rankingOf(ctx: CallContext): Promise<Ranking> {
  const { trx, caller } = ctx
  const isWithin = await departmentsWithin(ctx)
  const reports = new Map<string | null, string[]>()
  const { rows } = await sql<Standing>`select m.user_id as id, m.dept_id, m.supervisor_id,
      array(select a.role_id from role_assignment a where a.tenant_id = m.tenant_id and a.user_id = m.user_id order by 1) as role_ids
    from membership m where m.tenant_id = ${caller.tenantId} and m.deleted_at is null`.execute(trx)
  const rightsOfRoles = await rightsByRoles(ctx)
  for (const { id, supervisor_id: above } of rows) {
    const below = reports.get(above) ?? []
    below.push(id)
    reports.set(above, below)
  }
  /** A person and their direct and indirect reports. */
  const chainOf = (id: string): ReadonlySet<string> => {
    const found = new Set([id])
    for (const above of found) for (const it of reports.get(above) ?? []) found.add(it)
    return found
  }
  const mine = chainOf(caller.userId)
  const deptOf = new Map(rows.map(({ id, dept_id }) => [id, dept_id]))
  const sees = (id: string, module: string): boolean => {
    const scope = scopeIn(caller, module)
    if (id === caller.userId || scope === 'all') return true
    if (scope === 'self_sub') return mine.has(id)
    const dept = deptOf.get(id) ?? null
    return dept !== null && isWithin(dept, module)
  }
  const seesNoMore = (id: string) => (scope: DataScope, module: string) => {
    if (scope === 'self_sub') return [...chainOf(id)].every((one) => one === id || sees(one, module))
    const dept = deptOf.get(id) ?? null
    return scope === 'self' || dept === null || isWithin(dept, module)
  }
  const raise = (id: string, rights: Rights) => !covers(caller, rights, isWithin, seesNoMore(id))
  const above = rows.filter(({ id, role_ids }) => raise(id, rightsOfRoles(role_ids))).map(({ id }) => id)
  return { people: new Set(deptOf.keys()), above: new Set(above), raise, sees }
}

/** The rights of roles held together, combined once for all who hold the same. */
async function rightsByRoles(ctx: CallContext): Promise<(ids: readonly string[]) => Rights> {
  const { rows } = await sql<
    RoleWords & { readonly id: string }
  >`select id, permissions, scopes, custom_depts, field_rights from role
    where tenant_id = ${ctx.caller.tenantId} and deleted_at is null`.execute(ctx.trx)
  const known = new Map<string, Rights>()
  return (ids) => {
    const key = ids.join(' ')
    const rights =
      known.get(key) ??
      combined(
        rows.filter(({ id }) => ids.includes(id)),
        ctx,
      )
    known.set(key, rights)
    return rights
  }
}

/** The departments whose records the caller sees, by module. */
async function departmentsWithin({ trx, caller }: CallContext): Promise<IsWithin> {
  if (holdsAll(caller)) return () => true
  const { rows } = await sql<{ id: string; path: string }>`select id, path from department
    where tenant_id = ${caller.tenantId} and deleted_at is null`.execute(trx)
  const paths = new Map(rows.map(({ id, path }) => [id, path]))
  return (dept, module) => {
    const scope = scopeIn(caller, module)
    if (scope === 'all') return true
    if (scope === 'dept_sub')
      return caller.deptPath !== null && (paths.get(dept)?.startsWith(caller.deptPath) ?? false)
    if (scope === 'dept_custom')
      return (caller.customDepts[module] ?? caller.customDepts.default ?? []).includes(dept)
    return scope === 'dept' && dept === caller.deptId
  }
}
