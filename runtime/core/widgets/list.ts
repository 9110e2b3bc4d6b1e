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
    itemHeight: number('px of a card before it was measured', 120),
    gap: number('px between cards', 8),
    flat: flag('rows with lines between instead of cards'),
    end: text('sentence after the last row'),
    retry: text('label of the button after a failure'),
    total: string('path in the answer to the number of all rows; shown above the list'),
    totalText: text('words around it; {total} is the number'),
    selection: string(
      'entry of `data` for the chosen rows: while it is a list, cards are chosen instead of opened; a long press begins, not where the list is disabled',
    ),
    selectionMost: number('rows that can be chosen', 200),
    columns: list(
      'of a wide window: [{name, label, text, width, sort, sortOn, align, primary, edit, editOn, url, dict, optionItems}]',
    ),
    draggable: flag('rows of a table can be carried to a `side-tree`, the chosen ones together'),
    swipe: list('actions behind a row: [{name, label, tone}]; fire `swipe` with the name'),
  },
}
