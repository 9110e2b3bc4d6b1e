import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, number } from './option-kinds.ts'
import { CHECKED, FIELD } from './option-sets.ts'
import { asNumber, asPair, plainText } from './values.ts'

/** A number on a scale; two of them when `range`. */
export const slider: WidgetSpec = {
  type: 'slider',
  kind: 'field',
  normalize: (value, options) => (options.range === true ? asPair(value) : asNumber(value)),
  events: ['change'],
  options: {
    ...FIELD,
    ...CHECKED,
    defaultValue: any(undefined, null),
    min: number('included', 0),
    max: number('included', 100),
    step: number('above 0', 10),
    range: flag('two ends'),
    height: any(),
    showStops: flag(undefined, true),
  },
  text: (value) => (Array.isArray(value) ? value.join('~') : plainText(value)),
}
