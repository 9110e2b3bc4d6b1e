import type { WidgetSpec } from '../page/widget-spec.ts'
import { text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** A type without a registered widget: a visible notice with the type; children are drawn and the value is kept. */
export const unsupported: WidgetSpec = {
  type: 'unsupported',
  kind: 'static',
  children: 'widgetList',
  estimatedHeight: 72,
  events: [],
  options: { ...NAMED, label: text() },
}
