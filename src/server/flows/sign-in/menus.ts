import { isObject } from '../../../../runtime/core/json.ts'
import { MENU_LIMITS, type MenuEntry, type MenuSlot, type SelectedMenus } from '../../../contract/session.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { DEFAULT_MENUS } from '../../kernel/model/preset-menus.ts'

export const SLOTS: readonly MenuSlot[] = ['shortcut', 'common', 'bottom']

/** Every menu entry of a tenant. */
export async function readMenus(trx: Trx, tenantId: string): Promise<readonly MenuEntry[]> {
  const rows = await trx
    .selectFrom('menu')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return rows.map(({ tenant_id, slot, ...entry }) => ({
    ...entry,
    slot: Array.isArray(slot) ? (slot as MenuSlot[]) : [],
  }))
}

/** Entries a user may see: visible, permitted, and no parent without a visible child (DOMAIN 2.5). */
export function authoritiesOf(
  menus: readonly MenuEntry[],
  permissions: ReadonlySet<string>,
): readonly MenuEntry[] {
  const open = menus.filter(
    (menu) => menu.hide === 0 && (menu.permission === null || permissions.has(menu.permission)),
  )
  const isParent = (menu: MenuEntry) => menus.some((other) => other.parent_id === menu.id)
  const hasChild = (menu: MenuEntry) => open.some((other) => other.parent_id === menu.id)
  return open.filter((menu) => !isParent(menu) || hasChild(menu))
}

/** The minimum number of entries in a slot: no more than are available to somebody with few permissions. */
export function leastOf(slot: MenuSlot, authorities: readonly MenuEntry[]): number {
  const fits = authorities.filter((menu) => menu.slot.includes(slot)).length
  return Math.min(MENU_LIMITS[slot][0], fits)
}

/**
 * The user's chosen menus without those they may no longer see; a slot below its minimum is completed from the defaults, then from any suitable entry
 * (DOMAIN 1.14).
 */
export function selectMenus(
  saved: unknown,
  authorities: readonly MenuEntry[],
  preset: SelectedMenus = DEFAULT_MENUS,
): SelectedMenus {
  const chosen = (slot: MenuSlot): readonly number[] => {
    const fits = authorities.filter((menu) => menu.slot.includes(slot)).map((menu) => menu.id)
    const list = isObject(saved) ? saved[slot] : undefined
    const ownChoice = Array.isArray(list)
      ? list.filter((id): id is number => typeof id === 'number' && fits.includes(id))
      : null
    const defaults = preset[slot].filter((id) => fits.includes(id))
    if (ownChoice === null) return fillUp(defaults, fits, MENU_LIMITS[slot][0])
    return fillUp(
      [...new Set(ownChoice)].slice(0, MENU_LIMITS[slot][1]),
      [...defaults, ...fits],
      MENU_LIMITS[slot][0],
    )
  }
  return { shortcut: chosen('shortcut'), common: chosen('common'), bottom: chosen('bottom') }
}

function fillUp(ids: readonly number[], spare: readonly number[], least: number): readonly number[] {
  const more = spare.filter((id) => !ids.includes(id)).slice(0, Math.max(0, least - ids.length))
  return [...ids, ...new Set(more)]
}
