import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** A panel from the bottom; `open` is written by the actions openSheet and closeSheet. */
export const sheet: WidgetSpec = {
  type: 'sheet',
  kind: 'page',
  children: 'widgetList',
  estimatedHeight: 0,
  events: ['open', 'close'],
  options: {
    ...NAMED,
    open: flag('currently open'),
    label: text('title'),
    closable: flag('can be closed by a cross or a tap outside', true),
    height: string('CSS length; empty = the height of its content, at most 85 % of the screen'),
  },
}
