import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, list, number, text } from './option-kinds.ts'
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
      '[{title, icon, path, badge, tone, name, visibleOn}]; `path` is opened by a tap, and `itemClick` is fired with the item as `row`; a bound list (`bind`) is taken instead',
    ),
    columns: number(undefined, 4),
    round: flag('round buttons, as in a detail head'),
    empty: text('sentence when there are none'),
  },
}
