import { DICT, MENU } from './admin-kinds.ts'
import type { ItemKind as Kind } from './item-kind.ts'
import { FIELD, MODULE } from './model-kinds.ts'
import { PAGE } from './page-kind.ts'
import type { ItemKind } from './tables.ts'

/** How each kind of change is done and taken back. */
export const KIND: Readonly<Record<ItemKind, Kind>> = {
  dict: DICT,
  module: MODULE,
  field: FIELD,
  page: PAGE,
  menu: MENU,
}

/** What a change is to, so that two changes to one thing are known: fields are part of their module. */
export const subjectOf = (kind: ItemKind, name: string): string =>
  kind === 'field' || kind === 'module' ? `module ${name.split('/')[0]}` : `${kind} ${name}`
