import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, string } from './option-kinds.ts'
import { CHECKED, DATE_BOUNDS, FIELD, FOCUS_HOOKS, PICKER, PLACEHOLDER, SHORTCUTS } from './option-sets.ts'
import { asText, plainText } from './values.ts'

/** A day; stored as text in `format` (FACTS 10). */
export const date: WidgetSpec = {
  type: 'date',
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
    format: string('shown and stored', 'YYYY-MM-DD'),
    valueFormat: string('stored, when it differs from the format'),
    autoFullWidth: flag(undefined, true),
  },
  text: plainText,
}
