import type { WidgetSpec } from '../page/widget-spec.ts'
import { NAMED } from './option-sets.ts'

/** A layout table of the desktop designer; on a phone its cells wrap. */
export const table: WidgetSpec = {
  type: 'table',
  kind: 'container',
  children: 'rows',
  estimatedHeight: 320,
  events: [],
  options: { ...NAMED },
}
