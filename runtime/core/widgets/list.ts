import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, list, number, string, text } from './option-kinds.ts'
import { NAMED, ROWS } from './option-sets.ts'

/** Cards from a data source, page by page; its widgetList is the card. */
export const listWidget: WidgetSpec = {
  type: 'list',
  kind: 'page',
  children: 'template',
  estimatedHeight: 600,
  events: ['rowClick', 'rowLongPress', 'emptyClick', 'swipe'],
  options: {
    ...NAMED,
    ...ROWS,
    itemHeight: number('estimated height of a card in px, until it is measured', 120),
    gap: number('px between cards', 8),
    flat: flag('rows with lines between instead of cards'),
    end: text('text after the last row'),
    retry: text('label of the button after a failure'),
    total: string('path in the answer to the total number of rows, shown above the list'),
    totalText: text('text for that number; {total} is replaced by it'),
    selection: string(
      'entry of `data` for the selected rows: while it is a list, a tap selects a card instead of opening it. A long press starts selecting unless the list is disabled',
    ),
    selectionMost: number('maximum number of selected rows', 200),
    columns: list(
      'of a wide window: [{name, label, text, width, sort, sortOn, align, primary, edit, editOn, url, dict, optionItems}]',
    ),
    opens: string('path in a row: rows without a value there are not pressable; say in the row why'),
    draggable: flag('rows of a table can be dragged onto a `side-tree`, selected rows together'),
    swipe: list('actions behind a row: [{name, label, tone}]; fire `swipe` with the name'),
  },
}
