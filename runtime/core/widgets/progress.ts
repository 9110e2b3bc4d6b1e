import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, flag, number, string, text } from './option-kinds.ts'
import { LIFE, NAMED } from './option-sets.ts'

/** Progress from 0 to 100. */
export const progress: WidgetSpec = {
  type: 'progress',
  kind: 'static',
  estimatedHeight: 36,
  events: ['activeend'],
  options: {
    ...NAMED,
    ...LIFE,
    label: text('label before the bar, also for screen readers'),
    percent: number('0 to 100; empty = the bound value'),
    showInfo: flag('shows the percentage after the bar'),
    strokeWidth: number('px', 6),
    borderRadius: number('px; empty = half the stroke'),
    activeColor: string('colour of the completed part', '#007aff'),
    backgroundColor: string('colour of the rest', '#EBEBEB'),
    active: flag('animates to its value, 30 ms per percent'),
    activeMode: choice(['backwards', 'forwards'], 'animates from 0, or from the previous value'),
  },
}
