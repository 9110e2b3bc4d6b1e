import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, string } from './option-kinds.ts'
import {
  CHECKED,
  DATE_BOUNDS,
  FIELD,
  FOCUS_HOOKS,
  formats,
  PICKER,
  PLACEHOLDER,
  SHORTCUTS,
} from './option-sets.ts'
import { asText, momentText } from './values.ts'

/** Common options of date and time pickers, whatever their precision; stored as text in `format`. */
export const MOMENT = {
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
    autoFullWidth: flag(undefined, true),
  },
  text: momentText,
} as const satisfies Omit<WidgetSpec, 'type'>

/** A day. */
export const date: WidgetSpec = {
  ...MOMENT,
  type: 'date',
  options: {
    ...MOMENT.options,
    ...formats('YYYY-MM-DD'),
  },
}
