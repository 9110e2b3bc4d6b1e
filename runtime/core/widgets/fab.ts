import type { WidgetSpec } from '../page/widget-spec.ts'
import { code, flag, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** A round button above the bottom right corner. */
export const fab: WidgetSpec = {
  type: 'fab',
  kind: 'page',
  estimatedHeight: 0,
  events: ['click'],
  options: {
    ...NAMED,
    label: text('what the button does; for screen readers, shown when `extended`'),
    icon: string(undefined, 'AddOutline'),
    extended: flag('shows the label'),
    onClick: code(),
  },
}
