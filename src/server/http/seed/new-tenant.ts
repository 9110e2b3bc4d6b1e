import type { Json } from '../../../../runtime/core/json.ts'
import DICTS from '../../flows/dict/default-dicts.json'
import MENUS from '../../flows/dict/default-menus.json'
import type { RoleTemplate } from '../../kernel/auth/roles.ts'
import { ROLES } from '../../kernel/auth/roles.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'

/** A tenant to create. `labels`: dictionary labels that differ from the defaults, by key and value. */
export interface NewTenant {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly shortName: string
  readonly industry: string
  readonly labels?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

interface DictTemplate {
  readonly name: string
  readonly tree?: boolean
  readonly system?: boolean
  readonly items: readonly {
    readonly value: string
    readonly label: string
    readonly color?: string
    readonly parent?: string
    readonly isDefault?: boolean
    readonly ext?: Json
  }[]
}

/**
 * Creates a tenant with its copies of the default roles, dictionaries and menus, and a pool per entity (DOMAIN 1.2, 1.14, 2.1, 4). Needs
 * `database.system`.
 *
 * @returns role ids by code
 */
export async function createTenant(trx: Trx, tenant: NewTenant): Promise<ReadonlyMap<string, string>> {
  const { id, code, name, shortName, industry } = tenant
  await trx.insertInto('tenant').values({ id, code, name, short_name: shortName, industry }).execute()
  await insertDicts(trx, tenant)
  await insertMenus(trx, id)
  await insertPools(trx, id)
  return insertRoles(trx, id, ROLES)
}

async function insertRoles(trx: Trx, tenantId: string, roles: readonly RoleTemplate[]) {
  const rows = roles.map((role, sort) => ({
    tenant_id: tenantId,
    id: newId(),
    code: role.code,
    name: role.name,
    scopes: json(role.scopes as Json),
    permissions: json([...new Set(role.permissions)]),
    field_rights: json((role.fieldRights ?? {}) as Json),
    sort,
    created_by: null,
    updated_by: null,
  }))
  await trx.insertInto('role').values(rows).execute()
  return new Map(rows.map((row) => [row.code, row.id]))
}

async function insertDicts(trx: Trx, { id, labels = {} }: NewTenant): Promise<void> {
  const dicts: [string, DictTemplate][] = Object.entries(DICTS)
  await trx
    .insertInto('dict_type')
    .values(
      dicts.map(([key, { name, tree = false, system = false }]) => ({
        tenant_id: id,
        key,
        name,
        tree,
        system,
      })),
    )
    .execute()
  const items = dicts.flatMap(([key, dict]) =>
    dict.items.map((item, sort) => ({
      tenant_id: id,
      type_key: key,
      value: item.value,
      label: labels[key]?.[item.value] ?? item.label,
      color: item.color ?? '',
      sort,
      parent: item.parent ?? '',
      is_default: item.isDefault ?? false,
      ext: json(item.ext ?? {}),
    })),
  )
  await trx.insertInto('dict_item').values(items).execute()
}

async function insertMenus(trx: Trx, tenantId: string): Promise<void> {
  const rows = MENUS.map((menu, sort) => ({
    tenant_id: tenantId,
    id: menu.id,
    path: menu.path,
    title: menu.title,
    icon: menu.icon,
    sort,
    slot: json(menu.slot),
    permission: menu.permission ?? null,
  }))
  await trx.insertInto('menu').values(rows).execute()
}

const POOL_NAMES = { customer: '公共公海', lead: '公共线索池', bussiness: '公共商机池' } as const

/** The id of the pool a new tenant gets for an entity. */
export function firstPoolId(tenantId: string, entity: keyof typeof POOL_NAMES): string {
  return `${tenantId}-pool-${entity}`
}

/** Every tenant has a pool per entity, open to all its members (DOMAIN 1.2). */
async function insertPools(trx: Trx, tenantId: string): Promise<void> {
  const rows = (Object.keys(POOL_NAMES) as (keyof typeof POOL_NAMES)[]).map((entity) => ({
    tenant_id: tenantId,
    id: firstPoolId(tenantId, entity),
    entity,
    name: POOL_NAMES[entity],
    is_default: true,
    member_all: true,
    created_by: null,
    updated_by: null,
  }))
  await trx.insertInto('pool').values(rows).execute()
}
