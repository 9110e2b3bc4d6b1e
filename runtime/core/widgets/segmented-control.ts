import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, choice, string } from './option-kinds.ts'
import { CHOICES, FIELD } from './option-sets.ts'
import { labelsOf } from './values.ts'

/** One of a few items, side by side in one frame. */
export const segmentedControl: WidgetSpec = {
  type: 'segmented-control',
  kind: 'field',
  hasItems: true,
  events: ['change', 'clickItem'],
  options: {
    ...FIELD,
    ...CHOICES,
    defaultValue: any('empty = the first', null),
    styleType: choice(['button', 'text'], 'filled, or a line under the word'),
    activeColor: string('CSS colour; empty = the brand'),
  },
  text: (value, _options, items) => labelsOf(value, items),
}
