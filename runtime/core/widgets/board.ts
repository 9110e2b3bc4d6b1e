import type { WidgetSpec } from '../page/widget-spec.ts'
import { string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Cards in columns, moved from one to another; its widgetList is the card. What moves them is fetched with the first board. */
export const board: WidgetSpec = {
  type: 'board',
  kind: 'page',
  children: 'template',
  estimatedHeight: 600,
  events: ['rowClick', 'move', 'more'],
  options: {
    ...NAMED,
    label: text('what is in the columns; read aloud'),
    columnKey: string('path of a column’s key in it', 'id'),
    columnLabel: string('path of its name', 'label'),
    columnSum: text('words under the name, with the column as `row`'),
    count: string('path of the number of its cards, with those not loaded', 'count'),
    rows: string('path of its cards', 'list'),
    cursor: string(
      'path of what says that there are more; `more` is fired with the column’s key and it',
      'nextCursor',
    ),
    rowKey: string('key of a card’s identity', 'id'),
    rowLabel: string('key of its name', 'name'),
    movable: string('path in a card that says whether it may be moved; empty: all may'),
    moreText: text('label of the button under the cards'),
    empty: text('sentence in a column without cards'),
  },
}
