import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, rule, string, text } from './option-kinds.ts'
import { BARE_FIELD } from './option-sets.ts'

/** A tree of which one entry is chosen: at a desk at the left of the page, on a phone behind a line that names the chosen one. */
export const sideTree: WidgetSpec = {
  type: 'side-tree',
  kind: 'field',
  estimatedHeight: 52,
  events: ['change', 'move', 'drop'],
  options: {
    ...BARE_FIELD,
    defaultValue: any(undefined, null),
    itemsBind: string('path to the tree: rows, those below in `children`'),
    rowKey: string('key of a row’s identity', 'id'),
    rowText: text('what a row is called', '{{ row.name }}'),
    rowNote: text('small words behind it'),
    allText: text('the line above all rows: nothing is chosen'),
    moveOn: rule('JSON-Logic: rows may be moved below others while it holds'),
  },
}
