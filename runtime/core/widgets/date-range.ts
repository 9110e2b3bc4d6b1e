import { momentFormats, placeOf } from '../dates/moment-format.ts'
import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, string, text } from './option-kinds.ts'
import { CHECKED, DATE_BOUNDS, FIELD, FOCUS_HOOKS, formats, PICKER } from './option-sets.ts'
import { asPair, pairText } from './values.ts'

/** Two days; a list of two texts. */
export const dateRange: WidgetSpec = {
  type: 'date-range',
  kind: 'field',
  normalize: (value, options) =>
    asPair(value, (end) => placeOf(typeof end === 'string' ? end : '', momentFormats(options))),
  events: ['change', 'confirm', 'focus', 'blur'],
  options: {
    ...FIELD,
    ...CHECKED,
    ...FOCUS_HOOKS,
    ...PICKER,
    ...DATE_BOUNDS,
    defaultValue: any(undefined, null),
    startPlaceholder: text(),
    endPlaceholder: text(),
    ...formats('YYYY-MM-DD'),
    type: string(),
    autoFullWidth: flag(undefined, true),
  },
  text: pairText,
}
