import type { WidgetSpec } from '../page/widget-spec.ts'
import { text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Groups of choices with their counts; in a wide window a table, with a row for each group and a column for each choice that many of them have. */
export const choiceMatrix: WidgetSpec = {
  type: 'choice-matrix',
  kind: 'container',
  children: 'widgetList',
  estimatedHeight: 800,
  events: [],
  options: {
    ...NAMED,
    label: text('title; above the first column of the table'),
  },
}
