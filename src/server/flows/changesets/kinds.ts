import { DICT, MENU } from './admin-kinds.ts'
import type { ItemKind as Kind } from './item-kind.ts'
import { FIELD, FIELD_DELETE, MODULE, MODULE_DELETE } from './model-kinds.ts'
import { PAGE } from './page-kind.ts'
import type { ItemKind } from './tables.ts'

/** How each kind of change is applied and reverted. */
export const KIND: Readonly<Record<ItemKind, Kind>> = {
  dict: DICT,
  module: MODULE,
  field: FIELD,
  page: PAGE,
  menu: MENU,
  'field-delete': FIELD_DELETE,
  'module-delete': MODULE_DELETE,
}

/** The target of a change, to recognise two changes of the same thing: fields are part of their module. */
export const subjectOf = (kind: ItemKind, name: string): string =>
  /^(module|field)/.test(kind) ? `module ${name.split('/')[0]}` : `${kind} ${name}`
