import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Its buttons stay at the bottom of the screen, above the safe area. */
export const actionBar: WidgetSpec = {
  type: 'action-bar',
  kind: 'container',
  children: 'widgetList',
  estimatedHeight: 0,
  events: [],
  options: {
    ...NAMED,
    layout: choice(
      ['fill', 'end'],
      'fill: buttons share the width; a button of type text is drawn small, with its icon above the text',
    ),
  },
}
