import { sql } from 'kysely'
import type { ModuleDescription } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import type { Caller } from '../auth/caller.ts'
import { ownRights } from '../auth/permissions.ts'
import type { Trx } from '../db/database.ts'

/** Entries a tenant adds to its menu begin here; below are the product's own, which can be hidden and renamed, not deleted. */
export const OWN_MENUS_FROM = 1000

interface Writing {
  readonly trx: Trx
  readonly caller: Caller
}

/** The address of the list of an own module. */
const listOf = (name: string): string => `/pages/m/${name}/index`

/** Puts an own module into the menu, or shows its entry again; a module that wants no place loses it. */
export async function placeInMenu(
  { name, label, icon = 'AppOutline', menu }: ModuleDescription,
  { trx, caller }: Writing,
): Promise<void> {
  if (menu === undefined || menu.place === 'none') return hideInMenu(name, { trx, caller })
  const { rows } = await sql`update menu set title = ${labelText(label)}, icon = ${icon}, hide = 0
    where tenant_id = ${caller.tenantId} and path = ${listOf(name)} returning 1`.execute(trx)
  if (rows.length > 0) return
  await sql`insert into menu (tenant_id, id, path, title, icon, sort, slot, permission)
    select ${caller.tenantId}, greatest(${OWN_MENUS_FROM}, max(id)) + 1, ${listOf(name)}, ${labelText(label)}, ${icon},
      ${menu.order ?? 100}, '["common", "bottom"]', ${`${ownRights(name)}:view`}
    from menu where tenant_id = ${caller.tenantId}`.execute(trx)
}

/** Hides the entry of an own module; it keeps its place for when the module comes back. */
export async function hideInMenu(name: string, { trx, caller }: Writing): Promise<void> {
  await sql`update menu set hide = 1 where tenant_id = ${caller.tenantId} and path = ${listOf(name)}`.execute(
    trx,
  )
}
