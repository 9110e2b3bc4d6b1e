import { ownValue } from '../../../../runtime/core/json.ts'
import type { MenuSlot, SelectedMenus } from '../../../contract/session.ts'

/** The menus of a user who has not chosen any; `common` contains the first six visible ones (DOMAIN 1.14). */
export const DEFAULT_MENUS: SelectedMenus = {
  shortcut: [200, 201, 203],
  common: [100, 110, 111, 101, 120, 150],
  bottom: [100, 120, 160],
}

/** The tenant's menus for users who have not chosen any: its setting `default_menus`, slot by slot. */
export function presetMenus(settings: unknown): SelectedMenus {
  const stored = ownValue(settings, 'default_menus')
  const idsOf = (slot: MenuSlot): readonly number[] => {
    const ids = ownValue(stored, slot)
    return Array.isArray(ids) ? ids.filter((id): id is number => typeof id === 'number') : DEFAULT_MENUS[slot]
  }
  return { shortcut: idsOf('shortcut'), common: idsOf('common'), bottom: idsOf('bottom') }
}
