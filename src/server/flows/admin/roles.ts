import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminRole } from '../../../contract/admin.ts'
import { rightsEntity } from '../../../model/field-rights.ts'
import { labelText } from '../../../model/labels.ts'
import { type FieldRights, withFollowing } from '../../kernel/auth/field-rights.ts'
import { ACTIONS, allOwn, DATA_SCOPES, ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'
import { isConfirmed } from '../../kernel/fields/check-record.ts'
import { actionsOf, offeredRights, ownModules } from '../../kernel/model/own-rights.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { checkVersion, givenId, idTable, invalid, readInteger, shortText } from './input.ts'
import type { AdminResult } from './kind.ts'
import { givesMore, grantsMore, keepingRank } from './outranks.ts'
import { beginRights, fieldTree, isFieldRight, refuseUnheld } from './role-fields.ts'
import { roleBody, roleForm } from './role-form.ts'
import { deniedRequired } from './role-required.ts'
import { keepAnAdministrator } from './save-user.ts'

const MODULES: readonly string[] = Object.keys(ACTIONS)
const ALL_PERMISSIONS: readonly string[] = Object.entries(ACTIONS).flatMap(([module, actions]) =>
  actions.map((action) => `${module}:${action}`),
)
/** A right on a module of the tenant's own, or the rights' name of the module. */
const isOwn = (name: string): boolean => name.startsWith('m.')
const FIELD_NAME = /^(?:ext\.)?[a-z]\w{0,39}$/

/** The roles of the tenant, and everything that can be granted to a role. */
export async function listRoles(_: JsonObject, ctx: CallContext) {
  return {
    list: (await readRoles(ctx)).map((role) => summarised(role, ctx)),
    permissions: ACTIONS,
    own: ownModules(ctx.model).map((module) => ({
      name: ownRights(module.name),
      label: labelText(module.label),
      actions: actionsOf(module),
    })),
    scopes: DATA_SCOPES,
    fields: fieldTree(ctx),
    begin: beginRights(ctx),
  }
}

/** A role with its permissions and its scope as texts, and its field rights with what follows from them, as its people have them. */
function summarised(role: AdminRole, { model }: CallContext) {
  const isAll = role.permissions.includes('*')
  const scope = DATA_SCOPES.find((it) => it === role.scopes.default) ?? 'self'
  const ofOwn = new Set<string>(ownModules(model).flatMap(offeredRights))
  // Rights that mean nothing, such as those on a module that was deleted, are kept, but neither counted nor ticked.
  const count = role.permissions.filter((it) => !isOwn(it) || ofOwn.has(it)).length
  return {
    ...role,
    rights: isAll ? text('admin.role.all') : text('admin.role.rights', { count }),
    scope_name: text(`admin.scope.${scope}`),
    shown_rights: withFollowing(role.field_rights as FieldRights, model.modules),
  }
}

export async function roleDetail(body: JsonObject, ctx: CallContext) {
  const record = await readRole(givenId(body), ctx)
  return {
    record,
    form: roleForm(record, ownModules(ctx.model)),
  }
}

/**
 * Creates or changes a role. Nobody can grant more than they have: permissions, data scope, field rights. A role above the caller cannot be changed.
 *
 * @param sent  `name`, `permissions`, `scopes`, `custom_depts`, `field_rights`, `sort`, or its `form`; change: `id`, `version`
 */
export async function saveRole(sent: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  const id = givenId(sent)
  const before = id === '' ? null : await readRole(id, ctx)
  const body = roleBody(sent, before, ctx)
  const known = knownOf(before, ctx)
  if (before !== null) checkVersion(body.version, before.version)
  const words = {
    permissions: readPermissions(body.permissions, known),
    scopes: readScopes(body.scopes, known),
    custom_depts: idTable(body.custom_depts, 'custom_depts'),
    field_rights: readFieldRights(body.field_rights, known, before, ctx),
  }
  await refuseStrangeDepts(words.custom_depts, before, ctx)
  if (before !== null) await refuseRoleAbove(before, ctx)
  if (await grantsMore([words], ctx))
    refuse(405, 'NO_PERMISSION', text('admin.role.more'), { detail: 'permissions, scopes, field_rights' })
  const given = {
    name: shortText(body.name, 'name', 40, 1),
    permissions: json([...words.permissions]),
    scopes: json({ ...words.scopes }),
    custom_depts: json(words.custom_depts as Record<string, string[]>),
    field_rights: json(words.field_rights),
    sort: readInteger(body.sort, 'sort', 10_000, 100),
    updated_by: caller.userId,
    updated_at: now,
  }
  const roleId = before?.id ?? newId(now.getTime())
  if (before === null)
    await trx
      .insertInto('role')
      .values({
        ...given,
        tenant_id: caller.tenantId,
        id: roleId,
        code: `r_${roleId.slice(-12)}`,
        created_by: caller.userId,
      })
      .execute()
  else
    await keepingRank(ctx, async () => {
      await trx
        .updateTable('role')
        .set((set) => ({ ...given, version: set('version', '+', 1) }))
        .where('tenant_id', '=', caller.tenantId)
        .where('id', '=', roleId)
        .execute()
    })
  await keepAnAdministrator(ctx)
  if (sent.form !== undefined && words.permissions.length === 0)
    askFirst(body, 'ROLE_EMPTY', text('admin.role.empty'))
  if (sent.form !== undefined && before !== null && !(await managesRoles(ctx)))
    askFirst(body, 'ROLE_OWN', text('admin.role.own'))
  const denied = sent.form === undefined ? null : deniedRequired(words.field_rights, ctx)
  if (denied !== null) askFirst(body, 'ROLE_REQUIRED', denied)
  const record = await readRole(roleId, ctx)
  return {
    data: { id: roleId, version: record.version, record: record as unknown as Json },
    recordId: roleId,
    detail: { before: before as unknown as Json, after: record as unknown as Json },
    people: await membersOf(roleId, ctx),
  }
}

/** Departments that the tenant does not have, except those that the role had already: they may have been deleted since. */
async function refuseStrangeDepts(
  given: AdminRole['custom_depts'],
  before: AdminRole | null,
  { trx, caller }: CallContext,
): Promise<void> {
  const had = new Set(Object.values(before?.custom_depts ?? {}).flat())
  const added = [...new Set(Object.values(given).flat())].filter((id) => !had.has(id))
  const { rows } = await sql<{ count: number }>`select count(*) from department
    where tenant_id = ${caller.tenantId} and id = any(${added}::text[]) and deleted_at is null`.execute(trx)
  if ((rows[0]?.count ?? 0) < added.length) invalid('custom_depts')
}

/** Asks the user of a form a question by a refusal, unless `confirm` in the body contains the answer. */
function askFirst({ confirm }: JsonObject, code: string, words: string): void {
  if (!isConfirmed(confirm, code)) refuse(409, 'STATE_CONFLICT', words, { data: { confirm: code } })
}

/** Whether the caller would still have access to this screen with their current roles. */
async function managesRoles({ trx, caller }: CallContext): Promise<boolean> {
  const { rows } = await sql`select 1 from role_assignment a
    join role r on r.tenant_id = a.tenant_id and r.id = a.role_id and r.deleted_at is null
    where a.tenant_id = ${caller.tenantId} and a.user_id = ${caller.userId}
      and r.permissions ?| array['*', 'system:role'] limit 1`.execute(trx)
  return rows.length > 0
}

/** Deletes a role that is not assigned to anybody. @param body `id` */
export async function removeRole(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  const role = await readRole(givenId(body), ctx)
  await refuseRoleAbove(role, ctx)
  if (role.members > 0) refuse(422, 'REFERENCED', text('admin.role.used', { count: role.members }))
  if (role.code === 'tenant_admin') refuse(409, 'STATE_CONFLICT', text('admin.user.last'))
  await trx
    .updateTable('role')
    .set({ deleted_at: now, code: `${role.code}~${role.id.slice(-12)}` })
    .where('tenant_id', '=', caller.tenantId)
    .where('id', '=', role.id)
    .execute()
  return { data: { id: role.id }, recordId: role.id, detail: { name: role.name } }
}

async function readRoles({ trx, caller }: CallContext): Promise<readonly AdminRole[]> {
  const { rows } =
    await sql<AdminRole>`select r.id, r.code, r.name, r.scopes, r.custom_depts, r.permissions, r.field_rights,
      r.version, (select count(*) from role_assignment a where a.tenant_id = r.tenant_id and a.role_id = r.id) as members
    from role r where r.tenant_id = ${caller.tenantId} and r.deleted_at is null order by r.sort, r.id`.execute(
      trx,
    )
  return rows
}

async function readRole(id: string, ctx: CallContext): Promise<AdminRole> {
  const found = (await readRoles(ctx)).find((role) => role.id === id)
  return found ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

async function membersOf(roleId: string, { trx, caller }: CallContext): Promise<readonly string[]> {
  const { rows } = await sql<{
    user_id: string
  }>`select user_id from role_assignment where tenant_id = ${caller.tenantId}
    and role_id = ${roleId}`.execute(trx)
  return rows.map((row) => row.user_id)
}

async function refuseRoleAbove(role: AdminRole, ctx: CallContext): Promise<void> {
  if ((await grantsMore([role], ctx)) || (await givesMore(role, await membersOf(role.id, ctx), ctx)))
    refuse(405, 'NO_PERMISSION', text('admin.role.above'), { detail: 'role' })
}

/** The names that a role may use. */
interface Known {
  readonly permissions: ReadonlySet<string>
  readonly modules: ReadonlySet<string>
  /** The modules whose fields it may name. */
  readonly entities: ReadonlySet<string>
}

/** The product's, those of the tenant's own modules, and those already in the role for a deleted module, which may be restored. */
function knownOf(before: AdminRole | null, { model }: CallContext): Known {
  const moduleNames = ownModules(model).map(({ name }) => name)
  const modules = new Set([
    ...MODULES,
    ...moduleNames.map(ownRights),
    ...[before?.scopes, before?.field_rights].flatMap((rights) => Object.keys(rights ?? {}).filter(isOwn)),
  ])
  return {
    permissions: new Set([
      ...ALL_PERMISSIONS,
      ...moduleNames.flatMap(allOwn),
      ...(before?.permissions ?? []).filter(isOwn),
    ]),
    modules,
    entities: new Set([...modules, ...[...model.modules.values()].map(rightsEntity)]),
  }
}

/** The existing permissions. */
function readPermissions(value: Json | undefined, { permissions }: Known): readonly string[] {
  if (!Array.isArray(value)) return invalid('permissions')
  const requested = [...new Set(value)]
  const known = requested.filter(
    (it): it is string => typeof it === 'string' && (it === '*' || permissions.has(it)),
  )
  return known.length < requested.length ? invalid('permissions') : known
}

function readScopes(value: Json | undefined, { modules }: Known): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return { default: 'self' }
  if (!isObject(value)) return invalid('scopes')
  const entries = Object.entries(value).map(([module, scope]): [string, string] => {
    const known = DATA_SCOPES.find((it) => it === scope)
    if (known === undefined || (module !== 'default' && !modules.has(module)))
      return invalid(`scopes.${module}`)
    return [module, known]
  })
  return { default: 'self', ...Object.fromEntries(entries) }
}

function readFieldRights(
  value: Json | undefined,
  { entities }: Known,
  before: AdminRole | null,
  ctx: CallContext,
): Record<string, Record<string, string>> {
  if (value === undefined || value === null) return {}
  if (!isObject(value)) return invalid('field_rights')
  const entries = Object.entries(value).map(([entity, fields]): [string, Record<string, string>] => {
    if (!entities.has(entity) || !isObject(fields)) return invalid(`field_rights.${entity}`)
    const isRight = ([name, right]: [string, Json | undefined]) =>
      FIELD_NAME.test(name) && isFieldRight(right)
    if (!Object.entries(fields).every(isRight) || Object.keys(fields).length > 200)
      return invalid(`field_rights.${entity}`)
    refuseUnheld(entity, fields as Record<string, string>, before?.field_rights[entity] ?? {}, ctx)
    return [entity, fields as Record<string, string>]
  })
  return Object.fromEntries(entries)
}
