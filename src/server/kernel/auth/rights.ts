import { isObject } from '../../../../runtime/core/json.ts'
import { FIELD_RIGHTS, type FieldRights, mergeFieldRights } from './field-rights.ts'
import { DATA_SCOPES, type DataScope, expandPermissions, widestScope } from './permissions.ts'

/** The rights of a role, as stored in the database. */
export interface RoleWords {
  readonly permissions: unknown
  readonly scopes: unknown
  readonly custom_depts: unknown
  readonly field_rights: unknown
}

/** The combined rights of several roles. */
export interface Rights {
  readonly permissions: ReadonlySet<string>
  readonly scopes: Readonly<Record<string, DataScope>>
  /** Departments of the scope `dept_custom`, by module or `default`. */
  readonly customDepts: Readonly<Record<string, readonly string[]>>
  readonly fieldRights: FieldRights
}

/** Combines the rights of roles: the widest of each applies. @param ownModules  names of the tenant's own modules, which `*` includes */
export function rightsOf(roles: readonly RoleWords[], ownModules: readonly string[] = []): Rights {
  return {
    permissions: new Set(
      expandPermissions(
        roles.flatMap((role) => stringsOf(role.permissions)),
        ownModules,
      ),
    ),
    scopes: mergeScopes(roles.map((role) => role.scopes)),
    customDepts: mergeDepts(roles.map((role) => role.custom_depts)),
    fieldRights: mergeFieldRights(roles.map((role) => role.field_rights)),
  }
}

const ALL: readonly string[] = expandPermissions(['*'])

/** True for people with all rights: they can grant and revoke anything. */
export function holdsAll({ permissions }: Pick<Rights, 'permissions'>): boolean {
  return ALL.every((permission) => permissions.has(permission))
}

/** Entities whose records are protected by the permissions on other entities. */
const GUARDED_BY: Readonly<Record<string, string>> = { plan: 'payment' }

/**
 * True if nothing in `theirs` exceeds `mine`: no permission, and for the modules of these no wider data scope and no field right
 * that I do not have.
 *
 * @param isWithin  true for a department whose records I see in a module
 * @param seesNoMore  of rights that somebody has: true if from their place they see only what I see in a module
 */
export function covers(
  mine: Rights,
  theirs: Rights,
  isWithin: (deptId: string, module: string) => boolean,
  seesNoMore: (scope: DataScope, module: string) => boolean = () => true,
): boolean {
  if (holdsAll(mine)) return true
  if (![...theirs.permissions].every((permission) => mine.permissions.has(permission))) return false
  return (
    modulesOf(theirs).every((module) => coversScope(mine, theirs, module, isWithin, seesNoMore)) &&
    Object.entries(mine.fieldRights).every(([entity, fields]) => {
      const module = GUARDED_BY[entity] ?? entity
      const isTheirs = holdsAny(theirs, module) || holdsAny(theirs, `${module}_pool`)
      return (
        !isTheirs ||
        Object.entries(fields).every(
          ([field, right]) => rankOf(theirs.fieldRights[entity]?.[field] ?? 'write') <= rankOf(right),
        )
      )
    })
  )
}

/** The modules in which there is a permission. */
export const modulesOf = ({ permissions }: Pick<Rights, 'permissions'>): readonly string[] => [
  ...new Set([...permissions].map((permission) => permission.slice(0, permission.indexOf(':')))),
]

function coversScope(
  mine: Rights,
  theirs: Rights,
  module: string,
  isWithin: (deptId: string, module: string) => boolean,
  seesNoMore: (scope: DataScope, module: string) => boolean,
): boolean {
  const scope = scopeIn(theirs, module)
  if (scope === 'dept_custom') {
    const depts = theirs.customDepts[module] ?? theirs.customDepts.default ?? []
    return depts.every((dept) => isWithin(dept, module))
  }
  const isWider = DATA_SCOPES.indexOf(scope) > DATA_SCOPES.indexOf(scopeIn(mine, module))
  return !isWider && seesNoMore(scope, module)
}

/** The data scope in a module. */
export function scopeIn({ scopes }: Pick<Rights, 'scopes'>, module: string): DataScope {
  return scopes[module] ?? scopes.default ?? 'self'
}

const rankOf = (right: (typeof FIELD_RIGHTS)[number]): number => FIELD_RIGHTS.indexOf(right)

function holdsAny({ permissions }: Rights, module: string): boolean {
  return [...permissions].some((permission) => permission.startsWith(`${module}:`))
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Per module, the widest scope that any role gives; a role without an entry for the module contributes its default. */
function mergeScopes(all: readonly unknown[]): Record<string, DataScope> {
  const tables = all.filter(isObject)
  const modules = new Set(['default', ...tables.flatMap((table) => Object.keys(table))])
  const known: readonly unknown[] = DATA_SCOPES
  return Object.fromEntries(
    [...modules].map((module) => [
      module,
      widestScope(
        tables
          .map((table) => table[module] ?? table.default)
          .filter((scope): scope is DataScope => known.includes(scope)),
      ),
    ]),
  )
}

/** The departments any role names, by module. */
function mergeDepts(all: readonly unknown[]): Record<string, readonly string[]> {
  const merged: Record<string, readonly string[]> = {}
  for (const [module, ids] of all.filter(isObject).flatMap((table) => Object.entries(table)))
    merged[module] = [...new Set([...(merged[module] ?? []), ...stringsOf(ids)])]
  return merged
}
