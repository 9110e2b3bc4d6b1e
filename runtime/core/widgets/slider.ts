import { numberIn } from '../json.ts'
import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, number, positive } from './option-kinds.ts'
import { CHECKED, FIELD } from './option-sets.ts'
import { asNumber, asPair, plainText } from './values.ts'

/** A number on a scale; two of them when `range`. */
export const slider: WidgetSpec = {
  type: 'slider',
  kind: 'field',
  normalize: (value, options) => (options.range === true ? asPair(value, numberIn) : asNumber(value)),
  events: ['change'],
  options: {
    ...FIELD,
    ...CHECKED,
    defaultValue: any(undefined, null),
    min: number('included; 0 when missing'),
    max: number('included; 100 when missing, 1000 for a range'),
    step: positive(number('above 0; 1 when missing, 50 for a range')),
    range: flag('two ends'),
    height: any('height of a vertical slider in px; empty = horizontal'),
    showStops: flag('marks the steps if there are at most 10', true),
  },
  text: (value) => (Array.isArray(value) ? value.join('~') : plainText(value)),
}
