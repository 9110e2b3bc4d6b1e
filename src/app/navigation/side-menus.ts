import type { JsonObject } from '../../../runtime/core/json.ts'
import { type MenuEntry, readEntry } from './menu.ts'

/** The side menu of a wide window: every page that can be in a menu, in menu order, except pages that create a record. */
export function sideMenus(user: JsonObject): readonly MenuEntry[] {
  const visible = (Array.isArray(user.authorities) ? user.authorities : []).flatMap(readEntry)
  return visible.filter(({ slot }) => Array.isArray(slot) && slot.includes('common'))
}

/** The entry of an open page: its own, or else the one of the innermost section around it (an index page owns its folder, `…/target` owns `…/target-edit`); undefined if it is in none. */
export function menuOf(path: string, entries: readonly string[]): string | undefined {
  const around = entries
    .filter((entry) =>
      path.startsWith(entry.endsWith('/index') ? entry.slice(0, -'index'.length) : `${entry}-`),
    )
    .sort((a, b) => b.length - a.length)
  return entries.includes(path) ? path : around[0]
}
