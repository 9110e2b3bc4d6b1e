import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, flag, list, number, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Label and value, row by row. */
export const descriptions: WidgetSpec = {
  type: 'descriptions',
  kind: 'page',
  estimatedHeight: 240,
  events: ['rowClick', 'dial'],
  options: {
    ...NAMED,
    label: text('title'),
    items: list(
      '[{label, bind or text, dict, optionItems, copy, dial, url, tone, visibleOn, hideEmpty}]: `bind` is a path below the widget’s own bind, or from a root (data., row. …); `text` may hold places; dict, optionItems: what the value behind `bind` is called, and its colours; copy: an icon copies the value; dial: a tap calls it and fires `dial` with the number; url: a route a tap opens',
    ),
    itemsBind: string('path to such a list, used instead of `items`; its items may have a ready `text`'),
    size: choice(['normal', 'compact'], 'line height'),
    columns: number('1 or 2', 1),
    labelWidth: number('px', 88),
    hideEmpty: flag('rows without a value are left out'),
    emptyText: text('shown for a missing value', '—'),
  },
}
