import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, list, number, string, text } from './option-kinds.ts'
import { LIFE, NAMED } from './option-sets.ts'

/** Steps with titles, one of which is the current one. */
export const steps: WidgetSpec = {
  type: 'steps',
  kind: 'static',
  estimatedHeight: 84,
  events: ['itemClick'],
  options: {
    ...NAMED,
    ...LIFE,
    label: text('what the steps lead to; for screen readers'),
    options: list('[{title, desc}]'),
    active: number('index of the current step, from 0; empty = the bound value', 0),
    direction: choice(['row', 'column'], 'side by side or below each other'),
    activeColor: string('colour up to the current step', '#2979FF'),
    deactiveColor: string('colour of the steps to come', '#B7BDC6'),
  },
}
