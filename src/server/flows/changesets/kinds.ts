import { DICT, MENU } from './admin-kinds.ts'
import type { ItemKind as Kind } from './item-kind.ts'
import { FIELD, FIELD_DELETE, MODULE, MODULE_DELETE } from './model-kinds.ts'
import { PAGE } from './page-kind.ts'
import type { ItemKind } from './tables.ts'

/** How each kind of change is done and taken back. */
export const KIND: Readonly<Record<ItemKind, Kind>> = {
  dict: DICT,
  module: MODULE,
  field: FIELD,
  page: PAGE,
  menu: MENU,
  'field-delete': FIELD_DELETE,
  'module-delete': MODULE_DELETE,
}

/** What a change is to, so that two changes to one thing are known: fields are part of their module. */
export const subjectOf = (kind: ItemKind, name: string): string =>
  /^(module|field)/.test(kind) ? `module ${name.split('/')[0]}` : `${kind} ${name}`
