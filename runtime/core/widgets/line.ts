import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, flag, number, string } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Ours: children side by side, used for list cards and headers of detail pages. */
export const line: WidgetSpec = {
  type: 'line',
  kind: 'container',
  children: 'widgetList',
  estimatedHeight: 32,
  events: ['click'],
  options: {
    ...NAMED,
    justify: choice(['start', 'between', 'end', 'center'], 'how free space is distributed'),
    align: choice(['center', 'start', 'end', 'baseline']),
    gap: number('px between children', 8),
    wrap: flag('children that do not fit move to a new line'),
    vertical: flag('children one below the other'),
    grow: string('name of the child that takes the free space; `all`: all children share it'),
  },
}
