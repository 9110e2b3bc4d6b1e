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
    open: flag('on the screen now'),
    label: text('title'),
    closable: flag('a cross and a tap beside it close it', true),
    height: string('CSS length; empty = as its content, at most 85 % of the screen'),
  },
}
