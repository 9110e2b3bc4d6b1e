import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, list, text } from './option-kinds.ts'
import { CHECKED, DATE_BOUNDS, FIELD, FOCUS_HOOKS, formats, PICKER, PLACEHOLDER } from './option-sets.ts'
import { asText, momentText } from './values.ts'

/** A day selected on a month view with the lunar calendar; stored as text in `format`. */
export const calendar: WidgetSpec = {
  type: 'calendar',
  kind: 'field',
  normalize: asText,
  events: ['change', 'confirm', 'focus', 'blur', 'monthSwitch'],
  options: {
    ...FIELD,
    ...CHECKED,
    ...PLACEHOLDER,
    ...FOCUS_HOOKS,
    ...PICKER,
    ...DATE_BOUNDS,
    defaultValue: any(undefined, null),
    ...formats('YYYY-MM-DD'),
    lunar: flag('the lunar date below each day', true),
    festivals: flag('festivals instead of the lunar date', true),
    showMonth: flag('the number of the month, large and pale in the background', true),
    selected: list('marked days: [{date, info}]; `info` is shown below the day, without it a dot'),
    title: text('title of the sheet; empty = the label'),
  },
  text: momentText,
}
