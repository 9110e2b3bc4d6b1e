import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, string } from './option-kinds.ts'
import { CHECKED, DATE_BOUNDS, FIELD, FOCUS_HOOKS, PICKER, PLACEHOLDER, SHORTCUTS } from './option-sets.ts'
import { asText, plainText } from './values.ts'

/** A day and a time; stored as text in `format`. */
export const datetime: WidgetSpec = {
  type: 'datetime',
  kind: 'field',
  normalize: asText,
  events: ['change', 'confirm', 'focus', 'blur'],
  options: {
    ...FIELD,
    ...CHECKED,
    ...PLACEHOLDER,
    ...FOCUS_HOOKS,
    ...PICKER,
    ...DATE_BOUNDS,
    ...SHORTCUTS,
    defaultValue: any(undefined, null),
    type: string('designer: date, month, year …', 'date'),
    format: string('shown and stored', 'YYYY-MM-DD HH:mm'),
    valueFormat: string('stored, when it differs from the format'),
    hideSecond: flag('without seconds, whatever the format says'),
    autoFullWidth: flag(undefined, true),
  },
  text: plainText,
}
