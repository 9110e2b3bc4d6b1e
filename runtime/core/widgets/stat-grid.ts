import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, list, number, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Numbers in tiles, counted up once. */
export const statGrid: WidgetSpec = {
  type: 'stat-grid',
  kind: 'page',
  estimatedHeight: 180,
  events: ['itemClick'],
  options: {
    ...NAMED,
    label: text('title'),
    items: list(
      '[{name, label, bind, filter, unit, compare, spark, tone, visibleOn}]: `bind` a path to a number or to a list [start, current, previous]; `spark` a path to a list of numbers, drawn as a small line; filter as in texts (money …); compare: shows the change against previous; `itemClick` has the item as `row`',
    ),
    columns: number(undefined, 2),
    animate: flag('counts up from the start value; numbers with a filter (money) appear immediately', true),
    compact: flag('lower tiles'),
    itemsBind: string('path to such a list, used instead of `items`'),
  },
}
