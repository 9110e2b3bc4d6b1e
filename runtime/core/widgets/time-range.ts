import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, string, text } from './option-kinds.ts'
import { CHECKED, FIELD, FOCUS_HOOKS, formats, PICKER } from './option-sets.ts'
import { asPair, pairText } from './values.ts'

/** Two times of day; a list of two texts. */
export const timeRange: WidgetSpec = {
  type: 'time-range',
  kind: 'field',
  normalize: (value) => asPair(value),
  events: ['change', 'confirm', 'focus', 'blur'],
  options: {
    ...FIELD,
    ...CHECKED,
    ...FOCUS_HOOKS,
    ...PICKER,
    defaultValue: any(undefined, null),
    startPlaceholder: text(),
    endPlaceholder: text(),
    ...formats('HH:mm:ss', true),
    type: string(),
    hideSecond: flag('without seconds, even if the format has them'),
    autoFullWidth: flag(undefined, true),
  },
  text: pairText,
}
