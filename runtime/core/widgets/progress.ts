import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, flag, number, string, text } from './option-kinds.ts'
import { LIFE, NAMED } from './option-sets.ts'

/** How far something is, 0 to 100. */
export const progress: WidgetSpec = {
  type: 'progress',
  kind: 'static',
  estimatedHeight: 36,
  events: ['activeend'],
  options: {
    ...NAMED,
    ...LIFE,
    label: text('what it is about; read aloud, and shown before the line'),
    percent: number('0 to 100; empty = the bound value'),
    showInfo: flag('the number behind the line'),
    strokeWidth: number('px', 6),
    borderRadius: number('px; empty = half the stroke'),
    activeColor: string('colour of what is done', '#007aff'),
    backgroundColor: string('colour of the rest', '#EBEBEB'),
    active: flag('grows to its length, 30 ms a percent'),
    activeMode: choice(['backwards', 'forwards'], 'grows from 0, or from where it was'),
  },
}
