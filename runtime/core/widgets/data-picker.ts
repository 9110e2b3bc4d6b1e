import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, number, string, text } from './option-kinds.ts'
import { CHOICES, FIELD, FOCUS_HOOKS, PLACEHOLDER } from './option-sets.ts'
import { pathToValue } from './tree.ts'
import { plainText } from './values.ts'

/** A choice in a tree given as flat rows; the value is that of the last level. */
export const dataPicker: WidgetSpec = {
  type: 'data-picker',
  kind: 'field',
  hasItems: true,
  events: ['change', 'focus', 'blur', 'nodeClick', 'popupOpened', 'popupClosed'],
  options: {
    ...FIELD,
    ...CHOICES,
    ...PLACEHOLDER,
    ...FOCUS_HOOKS,
    defaultValue: any(undefined, null),
    clearable: flag('the choice can be cleared', true),
    popupTitle: text('title of the sheet; empty = the label'),
    split: string('separator between the levels in the text', '/'),
    parentField: string('key of the parent’s value in a row', 'parent_value'),
    childrenKey: string('key of nested children, if rows have them', 'children'),
    pageSize: number('rows per request, passed to the data source as the variable `pageSize`', 500),
    ellipsis: flag('a long text is cut with an ellipsis', true),
  },
  text: (value, options, items) =>
    pathToValue(items, value)
      .map(({ label }) => label)
      .join(typeof options.split === 'string' && options.split !== '' ? options.split : '/') ||
    plainText(value),
}
