import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, flag, string, text } from './option-kinds.ts'
import { LIFE, NAMED } from './option-sets.ts'

/** A line, with words in it or without. */
export const divider: WidgetSpec = {
  type: 'divider',
  kind: 'static',
  estimatedHeight: 32,
  events: [],
  options: {
    ...NAMED,
    ...LIFE,
    label: text('text in the line'),
    contentPosition: choice(['center', 'left', 'right']),
    dashed: flag(),
    direction: string(undefined, 'horizontal'),
  },
}
