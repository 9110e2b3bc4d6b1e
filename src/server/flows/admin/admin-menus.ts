import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { MenuEntry, MenuSlot } from '../../../contract/session.ts'
import { ACTIONS } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { json } from '../../kernel/db/json.ts'
import { OWN_MENUS_FROM } from '../../kernel/model/menu.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { readMenus, SLOTS } from '../sign-in/menus.ts'
import { readDefaultSlots } from './default-slots.ts'
import { givenId, invalid, readInteger, shortText } from './input.ts'
import type { AdminResult } from './kind.ts'

const MAX_MENUS = 200
const PATH = /^\/pages\/[\w/?=&%.-]{1,180}$/
const ICON = /^\w{0,40}$/

/** Every menu entry of the tenant, including hidden ones (DOMAIN 1.14). */
export async function listMenus(_: JsonObject, ctx: CallContext) {
  const { trx, caller } = ctx
  return {
    list: await readMenus(trx, caller.tenantId),
    slots: SLOTS,
    defaults: await readDefaultSlots(ctx),
  }
}

export async function menuDetail(body: JsonObject, ctx: CallContext) {
  return { record: await findMenu(numberOf(givenId(body)), ctx) }
}

/**
 * Changes an entry, or adds one of the tenant's own.
 *
 * @param body  `title`, `icon`, `path`, `sort`, `hide`, `slot[]`, `parent_id`, `permission`; for a change also `id`
 */
export async function saveMenu(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller } = ctx
  const isNew = body.id === undefined || body.id === null || body.id === ''
  const before = isNew ? null : await findMenu(numberOf(body.id), ctx)
  const all = await readMenus(trx, caller.tenantId)
  if (isNew && all.length >= MAX_MENUS) invalid('id')
  const id = before?.id ?? Math.max(OWN_MENUS_FROM, ...all.map((menu) => menu.id)) + 1
  const entry = readEntry(body, before, all, id)
  await sql`insert into menu (tenant_id, id, parent_id, hide, path, title, icon, sort, slot, permission)
    values (${caller.tenantId}, ${id}, ${entry.parent_id}, ${entry.hide}, ${entry.path}, ${entry.title}, ${entry.icon},
      ${entry.sort}, ${json([...entry.slot])}::jsonb, ${entry.permission})
    on conflict (tenant_id, id) do update set parent_id = excluded.parent_id, hide = excluded.hide, path = excluded.path,
      title = excluded.title, icon = excluded.icon, sort = excluded.sort, slot = excluded.slot,
      permission = excluded.permission`.execute(trx)
  const record = (await findMenu(id, ctx)) as unknown as Json
  return {
    data: { id, record },
    recordId: String(id),
    detail: { before: before as unknown as Json, after: record },
  }
}

/** Deletes an entry the tenant added. @param body `id` */
export async function removeMenu(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller } = ctx
  const found = await findMenu(numberOf(body.id), ctx)
  if (found.id < OWN_MENUS_FROM) refuse(409, 'STATE_CONFLICT', text('admin.menu.own'))
  await sql`delete from menu where tenant_id = ${caller.tenantId} and id = ${found.id}`.execute(trx)
  await sql`update menu set parent_id = 0 where tenant_id = ${caller.tenantId} and parent_id = ${found.id}`.execute(
    trx,
  )
  return { data: { id: found.id }, recordId: String(found.id), detail: { title: found.title } }
}

function readEntry(
  body: JsonObject,
  before: MenuEntry | null,
  all: readonly MenuEntry[],
  id: number,
): Pick<MenuEntry, 'parent_id' | 'hide' | 'path' | 'title' | 'icon' | 'sort' | 'slot' | 'permission'> {
  const path = shortText(body.path ?? before?.path, 'path', 200, 1)
  const icon = shortText(body.icon ?? before?.icon, 'icon', 40)
  const parent = readInteger(body.parent_id, 'parent_id', 1_000_000, before?.parent_id ?? 0)
  const permission = body.permission === undefined ? (before?.permission ?? null) : body.permission
  if (!PATH.test(path)) invalid('path')
  // The path of a product page cannot be changed, because buttons of the product lead to it.
  if (before !== null && before.id < OWN_MENUS_FROM && path !== before.path) invalid('path')
  if (!ICON.test(icon)) invalid('icon')
  if (parent === id || (parent !== 0 && all.find((menu) => menu.id === parent)?.parent_id !== 0))
    invalid('parent_id')
  if (permission !== null && permission !== '' && !isPermission(permission)) invalid('permission')
  return {
    parent_id: parent,
    hide: body.hide === undefined ? (before?.hide ?? 0) : body.hide === true || body.hide === 1 ? 1 : 0,
    path,
    title: shortText(body.title ?? before?.title, 'title', 12, 1),
    icon,
    sort: readInteger(body.sort, 'sort', 100_000, before?.sort ?? all.length),
    slot: readSlots(body.slot, before),
    permission: typeof permission === 'string' && permission !== '' ? permission : null,
  }
}

function readSlots(value: Json | undefined, before: MenuEntry | null): readonly MenuSlot[] {
  if (value === undefined || value === null) return before?.slot ?? []
  if (!Array.isArray(value)) return invalid('slot')
  const slots = value.filter((it): it is MenuSlot => SLOTS.some((slot) => slot === it))
  return slots.length === value.length ? [...new Set(slots)] : invalid('slot')
}

/** A permission on a module of the tenant's own. */
const OWN_PERMISSION = /^m\.[a-z]\w{0,39}:[a-z]+$/

function isPermission(value: Json): boolean {
  if (typeof value === 'string' && OWN_PERMISSION.test(value)) return true
  return Object.entries(ACTIONS).some(([module, actions]) =>
    actions.some((action) => `${module}:${action}` === value),
  )
}

function numberOf(value: Json | undefined): number {
  const id = typeof value === 'string' ? Number(value) : value
  return typeof id === 'number' && Number.isInteger(id)
    ? id
    : refuse(404, 'NOT_FOUND', text('call.not-found'))
}

async function findMenu(id: number, { trx, caller }: CallContext): Promise<MenuEntry> {
  const found = (await readMenus(trx, caller.tenantId)).find((menu) => menu.id === id)
  return found ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}
