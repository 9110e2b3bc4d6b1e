import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { isObject } from '../../../runtime/core/json.ts'
import type { TypedStorage } from '../storage/typed-storage.ts'

/** An entry of the user's menus (DOMAIN 1.14). */
export interface MenuEntry extends JsonObject {
  readonly id: Json
  readonly title: string
  readonly path: string
  readonly icon: string
}

export interface Menus extends JsonObject {
  readonly shortcut: readonly MenuEntry[]
  readonly common: readonly MenuEntry[]
  readonly bottom: readonly MenuEntry[]
}

export type MenuLimits = Readonly<Record<'shortcut' | 'common' | 'bottom', { readonly max: number }>>

const SAVED = ['menu.shortcut', 'menu.common', 'menu.bottom'] as const

/** The chosen entries that the user may see (`hide` 0), in the chosen order, up to the maximum of the slot (SHELL 4, 5). */
export function chooseMenus(detail: JsonObject, limits: MenuLimits): Menus {
  const visible = (Array.isArray(detail.authorities) ? detail.authorities : []).flatMap(readEntry)
  const byId = new Map(visible.map((entry) => [String(entry.id), entry]))
  const choose = (slot: keyof MenuLimits) => {
    const chosen = isObject(detail.selected) ? detail.selected[slot] : undefined
    const entries = (Array.isArray(chosen) ? chosen : []).flatMap(
      (one) => byId.get(String(isObject(one) ? one.id : one)) ?? [],
    )
    return entries.slice(0, limits[slot].max)
  }
  return { shortcut: choose('shortcut'), common: choose('common'), bottom: choose('bottom') }
}

/** An entry of the answer, if it is complete and not hidden. */
export function readEntry(raw: Json): MenuEntry[] {
  if (!isObject(raw) || (raw.hide !== undefined && raw.hide !== 0 && raw.hide !== false)) return []
  const { id, title, path, icon } = raw
  if (typeof title !== 'string' || typeof path !== 'string') return []
  return [{ ...raw, id: id ?? null, title, path, icon: typeof icon === 'string' ? icon : '' }]
}

/** The menus saved on this device (SHELL 4, Menu). */
export function createMenuStore(storage: TypedStorage) {
  return {
    has: () => storage.get(SAVED[0]) !== undefined,
    save(menus: Menus) {
      storage.set('menu.shortcut', menus.shortcut)
      storage.set('menu.common', menus.common)
      storage.set('menu.bottom', menus.bottom)
    },
    clear: () => {
      for (const key of SAVED) storage.remove(key)
    },
  }
}
