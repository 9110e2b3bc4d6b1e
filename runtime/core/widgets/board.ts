import type { WidgetSpec } from '../page/widget-spec.ts'
import { string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Cards in columns that can be moved from one to another; its widgetList is the card. The code for moving is loaded with the first board. */
export const board: WidgetSpec = {
  type: 'board',
  kind: 'page',
  children: 'template',
  estimatedHeight: 600,
  events: ['rowClick', 'move', 'more'],
  options: {
    ...NAMED,
    label: text('description for screen readers'),
    columnKey: string('path to the key of a column', 'id'),
    columnLabel: string('path to its name', 'label'),
    columnSum: text('text under the name, with the column as `row`'),
    count: string('path to the number of its cards, including those not loaded', 'count'),
    rows: string('path to its cards', 'list'),
    cursor: string(
      'path to the cursor for further cards; `more` is fired with the column’s key and this cursor',
      'nextCursor',
    ),
    rowKey: string('key that identifies a card', 'id'),
    rowLabel: string('key of the card’s name', 'name'),
    movable: string('path in a card that tells whether it may be moved; empty: all may'),
    moreText: text('label of the button under the cards'),
    empty: text('text in a column without cards'),
  },
}
