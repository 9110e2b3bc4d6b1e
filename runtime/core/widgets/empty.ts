import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** A friendly message that there is nothing here. */
export const empty: WidgetSpec = {
  type: 'empty',
  kind: 'static',
  estimatedHeight: 220,
  events: ['click'],
  options: {
    ...NAMED,
    text: text('the text'),
    action: text('label of the button; fires `click`'),
    image: choice(['box', 'search', 'network', 'lock']),
  },
}
