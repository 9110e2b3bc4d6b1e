import type { WidgetSpec } from '../page/widget-spec.ts'
import { text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** A place that the host fills. */
export const slot: WidgetSpec = {
  type: 'slot',
  kind: 'static',
  estimatedHeight: 0,
  events: [],
  options: { ...NAMED, label: text() },
}
