import type { Edit } from '../../runtime/core/edit/edit.ts'
import type { ItemKey } from '../../runtime/core/edit/entries.ts'
import type { Json } from '../../runtime/core/json.ts'
import { createRegistry } from '../../runtime/core/widgets/index.ts'
import { newWidget } from './make-widget.ts'
import { stepOf } from './placing.ts'
import { duplicated, hidden, removed, unwrapped, wrapped } from './selection.ts'

/** The actions on the selection, in the order of the buttons. */
export const ACTS = ['up', 'down', 'in', 'out', 'duplicate', 'wrap', 'unwrap', 'hide', 'remove'] as const
export type Act = (typeof ACTS)[number]

const group = createRegistry().get('cell-group')

/** The edit of an action; null if it is not possible. */
export function editOf(act: Act, document: Json, keys: readonly ItemKey[]): Edit | null {
  const [first, ...more] = keys
  if (first === undefined) return null
  switch (act) {
    case 'up':
    case 'down':
    case 'in':
    case 'out':
      return more.length > 0 ? null : stepOf(document, first, act)
    case 'duplicate':
      return duplicated(document, keys)
    case 'wrap':
      return group === undefined ? null : wrapped(document, keys, newWidget(group))
    case 'unwrap':
      return more.length > 0 ? null : unwrapped(document, first)
    case 'hide':
      return hidden(document, keys)
    case 'remove':
      return removed(document, keys)
  }
}
