import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag } from './option-kinds.ts'
import { CHECKED, FIELD, FOCUS_HOOKS, formats, PICKER, PLACEHOLDER } from './option-sets.ts'
import { asText, momentText } from './values.ts'

/** A time of day; stored as text in `format`. */
export const time: WidgetSpec = {
  type: 'time',
  kind: 'field',
  normalize: asText,
  events: ['change', 'confirm', 'focus', 'blur'],
  options: {
    ...FIELD,
    ...CHECKED,
    ...PLACEHOLDER,
    ...FOCUS_HOOKS,
    ...PICKER,
    defaultValue: any(undefined, null),
    ...formats('HH:mm', true),
    hideSecond: flag('without seconds, even if the format has them'),
    autoFullWidth: flag(undefined, true),
  },
  text: momentText,
}
