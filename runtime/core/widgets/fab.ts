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
    label: text('what it does; read aloud, shown when `extended`'),
    icon: string(undefined, 'AddOutline'),
    extended: flag('shows the label'),
    onClick: code(),
  },
}
