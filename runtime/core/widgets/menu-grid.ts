import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, flag, list, number, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Entries with an icon and a title. */
export const menuGrid: WidgetSpec = {
  type: 'menu-grid',
  kind: 'page',
  estimatedHeight: 200,
  events: ['itemClick'],
  options: {
    ...NAMED,
    label: text('title'),
    items: list(
      '[{title, icon, path, badge, note, tone, name, visibleOn}]; `path` is opened by a tap, and `itemClick` is fired with the item as `row`; a bound list (`bind`) is taken instead; `note`, with places, is the small text of a row',
    ),
    layout: choice(['grid', 'rows'], 'rows: one entry per line, as in settings'),
    columns: number(undefined, 4),
    round: flag('round buttons, as in the header of a detail page'),
    empty: text('text when there are none'),
  },
}
