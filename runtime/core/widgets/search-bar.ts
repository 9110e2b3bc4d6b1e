import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, number } from './option-kinds.ts'
import { FIELD, FOCUS_HOOKS, PLACEHOLDER } from './option-sets.ts'
import { asText, plainText } from './values.ts'

/** A search text as a field: changes after a pause in typing, at once on enter and on clear. */
export const searchBar: WidgetSpec = {
  type: 'search-bar',
  kind: 'field',
  normalize: asText,
  emptyValue: '',
  events: ['input', 'change', 'confirm', 'clear', 'focus', 'blur'],
  options: {
    ...FIELD,
    ...PLACEHOLDER,
    ...FOCUS_HOOKS,
    defaultValue: any(undefined, ''),
    debounceMs: number('delay before `change` is fired, in ms', 300),
    maxLength: number(undefined, 100),
    recent: flag('offers the last ten searches while the field has focus and is empty'),
    autofocus: flag('has focus when the page opens'),
    sticky: flag('stays visible below the navigation bar when scrolling'),
  },
  text: plainText,
}
