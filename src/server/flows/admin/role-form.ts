import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminRole } from '../../../contract/admin.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ACTIONS, ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { offeredRights, ownModules, rightsField } from '../../kernel/model/own-rights.ts'
import { invalid } from './input.ts'
import { fieldRights } from './role-fields.ts'

const MODULES = Object.keys(ACTIONS)
/**
 * A role in its form's shape: permissions by module (`p_…`), scopes by module (`s_…`, '' = the default), one row per restricted field. @param modules
 * the tenant's own modules
 */
export function roleForm(role: AdminRole, modules: readonly MergedModule[]): JsonObject {
  const isAll = role.permissions.includes('*')
  const held = new Set(role.permissions)
  const ownFields = modules.flatMap((module): [string, Json][] => {
    const rights = ownRights(module.name)
    return [
      [rightsField('p', rights), offeredRights(module).filter((right) => held.has(right))],
      [rightsField('s', rights), role.scopes[rights] ?? ''],
    ]
  })
  const rights = MODULES.map((module): [string, Json] => [
    `p_${module}`,
    role.permissions.filter((permission) => permission.startsWith(`${module}:`)),
  ])
  const scopes = MODULES.map((module): [string, Json] => [`s_${module}`, role.scopes[module] ?? ''])
  const fields = Object.entries(role.field_rights).flatMap(([entity, rightsOf]) =>
    Object.entries(rightsOf).map(([field, right]) => ({ field: [entity, field], right })),
  )
  return {
    name: role.name,
    all: isAll,
    ...Object.fromEntries([...rights, ...scopes, ...ownFields]),
    s_default: role.scopes.default ?? 'self',
    custom_depts: [...new Set(Object.values(role.custom_depts).flat())],
    field_rows: fields,
  }
}

/**
 * The body of a save from the form; a body without a form is unchanged.
 *
 * @param before  the role's rights on own modules that are not part of the form stay
 */
export function roleBody(
  body: JsonObject,
  before: AdminRole | null,
  ctx: Pick<CallContext, 'model'>,
): JsonObject {
  const { form, ...rest } = body
  if (form === undefined) return body
  if (!isObject(form)) return invalid('form')
  const lists = MODULES.map((module) => form[`p_${module}`]).filter(
    (it) => it !== undefined && it !== null && it !== '',
  )
  const scopes = ['default', ...MODULES].flatMap((module): [string, Json][] => {
    const scope = form[`s_${module}`]
    return typeof scope === 'string' && scope !== '' ? [[module, scope]] : []
  })
  const grants = ownGiven(form.own, before, new Set(ownModules(ctx.model).flatMap(offeredRights)))
  return {
    ...rest,
    name: form.name ?? '',
    permissions:
      form.all === true
        ? ['*']
        : [...lists.flatMap((list) => (Array.isArray(list) ? list : invalid('form'))), ...grants.permissions],
    scopes: { ...grants.scopes, ...Object.fromEntries(scopes) },
    custom_depts: { default: form.custom_depts ?? [] },
    field_rights: fieldRights(form.field_rows, ctx),
  }
}

interface OwnGiven {
  readonly permissions: readonly Json[]
  readonly scopes: JsonObject
}

/** Permissions on own modules: from the form, otherwise as stored in the role. */
function ownGiven(form: Json | undefined, before: AdminRole | null, offered: ReadonlySet<string>): OwnGiven {
  const given = isObject(form) ? form : {}
  const isOwn = (module: string) => module.startsWith('m.')
  const isNotOnForm = (module: string) => isOwn(module) && !Object.hasOwn(given, module)
  const retained = (before?.permissions ?? []).filter(
    (it) => isNotOnForm(it.slice(0, it.indexOf(':'))) || (isOwn(it) && !offered.has(it)),
  )
  const scopesNotOnForm = Object.entries(before?.scopes ?? {}).filter(([module]) => isNotOnForm(module))
  const rows = Object.entries(given).flatMap(([module, row]) => (isObject(row) ? [{ module, row }] : []))
  return {
    permissions: [
      ...retained,
      ...rows.flatMap(({ row }) => (Array.isArray(row.permissions) ? row.permissions : [])),
    ],
    scopes: Object.fromEntries([
      ...scopesNotOnForm,
      ...rows.flatMap(({ module, row }): [string, Json][] =>
        typeof row.scope === 'string' && row.scope !== '' ? [[module, row.scope]] : [],
      ),
    ]),
  }
}
