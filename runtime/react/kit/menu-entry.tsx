import { type Json, type JsonObject, valueAt } from '../../core/json.ts'
import type { Scope } from '../../core/page/scope.ts'
import { textOf } from '../page/options.ts'

/** Distinguishes an entry of a menu from its neighbours. */
export const entryKey = (item: JsonObject): string =>
  textOf(item.path) || textOf(item.name) || textOf(item.title)

/** The count of an entry: `badge` itself, or the value at its path; nothing for 0. */
export function EntryBadge({ badge, scope }: { readonly badge: Json | undefined; readonly scope: Scope }) {
  const count = typeof badge === 'string' ? valueAt(scope, badge) : badge
  return typeof count === 'number' && count > 0 ? <em>{count > 99 ? '99+' : count}</em> : null
}
