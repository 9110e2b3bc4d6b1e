import { sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import { MENU_LIMITS } from '../../../contract/session.ts'
import type { ModuleDescription } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import type { Caller } from '../auth/caller.ts'
import { ownRights } from '../auth/permissions.ts'
import type { Trx } from '../db/database.ts'
import { json } from '../db/json.ts'
import { presetMenus } from './preset-menus.ts'

/** First id of entries that a tenant adds to its menu; those below are the product's own, which can be hidden and renamed, but not deleted. */
export const OWN_MENUS_FROM = 1000

interface Writing {
  readonly trx: Trx
  readonly caller: Caller
}

/** The address of the list of an own module. */
const listOf = (name: string): string => `/pages/m/${name}/index`

/**
 * Adds an own module to the menu, or shows its entry again; a module without a place loses its entry. An entry for the home page appears for people
 * who have not chosen their own.
 */
export async function placeInMenu(module: ModuleDescription, { trx, caller }: Writing): Promise<void> {
  const { name, menu } = module
  if (menu === undefined || menu.place === 'none') return hideInMenu(name, { trx, caller })
  const id = await showEntry(module, { trx, caller })
  await presetAtHome(id, menu.place === 'home', { trx, caller })
}

async function showEntry(
  { name, label, icon = 'AppOutline', menu }: ModuleDescription,
  { trx, caller }: Writing,
): Promise<number> {
  const shown = await sql<{
    id: number
  }>`update menu set title = ${labelText(label)}, icon = ${icon}, hide = 0
    where tenant_id = ${caller.tenantId} and path = ${listOf(name)} returning id`.execute(trx)
  const added = shown.rows[0]
    ? shown
    : await sql<{ id: number }>`insert into menu (tenant_id, id, path, title, icon, sort, slot, permission)
        select ${caller.tenantId}, greatest(${OWN_MENUS_FROM}, max(id)) + 1, ${listOf(name)}, ${labelText(label)}, ${icon},
          ${menu?.order ?? 100}, '["common", "bottom"]', ${`${ownRights(name)}:view`}
        from menu where tenant_id = ${caller.tenantId} returning id`.execute(trx)
  return Number(added.rows[0]?.id)
}

/** Adds the entry to those of the home page, or removes it; if there is no room, it replaces the last one. */
async function presetAtHome(id: number, isThere: boolean, { trx, caller }: Writing): Promise<void> {
  const { rows } = await sql<{ settings: unknown }>`select settings from tenant
    where id = ${caller.tenantId} for update`.execute(trx)
  const preset = presetMenus(rows[0]?.settings)
  if (preset.common.includes(id) === isThere) return
  const others = preset.common.filter((one) => one !== id)
  const [, maximum] = MENU_LIMITS.common
  const common = isThere ? [...others.slice(0, maximum - 1), id] : others
  const stored = json({ default_menus: { ...preset, common } as unknown as Json })
  await sql`update tenant set settings = settings || ${stored}::jsonb, updated_at = now(), version = version + 1
    where id = ${caller.tenantId}`.execute(trx)
}

/** Hides the entry of an own module; it keeps its place in case the module is restored. */
export async function hideInMenu(name: string, { trx, caller }: Writing): Promise<void> {
  await sql`update menu set hide = 1 where tenant_id = ${caller.tenantId} and path = ${listOf(name)}`.execute(
    trx,
  )
}
