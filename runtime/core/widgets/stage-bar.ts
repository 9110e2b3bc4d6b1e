import type { WidgetSpec } from '../page/widget-spec.ts'
import { text } from './option-kinds.ts'
import { CHOICES, NAMED } from './option-sets.ts'

/** Steps of a process with the current one marked. */
export const stageBar: WidgetSpec = {
  type: 'stage-bar',
  kind: 'page',
  hasItems: true,
  estimatedHeight: 72,
  events: ['itemClick'],
  options: { ...NAMED, ...CHOICES, label: text(), value: text('current step, if no value is bound') },
}
