import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, rule, string, text } from './option-kinds.ts'
import { BARE_FIELD } from './option-sets.ts'

/** A tree in which one entry can be selected: on a desktop at the left of the page, on a phone behind a line that names the selected one. */
export const sideTree: WidgetSpec = {
  type: 'side-tree',
  kind: 'field',
  estimatedHeight: 52,
  events: ['change', 'move', 'drop'],
  options: {
    ...BARE_FIELD,
    defaultValue: any(undefined, null),
    itemsBind: string('path to the tree: rows with nested rows in `children`'),
    rowKey: string('key that identifies a row', 'id'),
    rowText: text('text of a row', '{{ row.name }}'),
    rowNote: text('small text after it'),
    allText: text('text of the line above all rows that selects none'),
    moveOn: rule('JSON-Logic: rows may be moved below others while the rule is true'),
  },
}
