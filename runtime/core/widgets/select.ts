import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, code, flag, list, number, text } from './option-kinds.ts'
import { CHOICES, FIELD, FOCUS_HOOKS, PLACEHOLDER } from './option-sets.ts'
import { asList, itemText, labelsOf } from './values.ts'

/** One or several of many items, chosen in a bottom sheet; long lists can be searched. */
export const select: WidgetSpec = {
  type: 'select',
  kind: 'field',
  hasItems: true,
  normalize: (value, options) => (options.multiple === true ? asList(value) : value),
  events: ['change', 'focus', 'blur', 'remoteQuery'],
  options: {
    ...FIELD,
    ...CHOICES,
    ...PLACEHOLDER,
    ...FOCUS_HOOKS,
    defaultValue: any(undefined, null),
    clearable: flag('the choice can be cleared', true),
    filterable: flag('a search box above the items; always shown from 15 items on'),
    multiple: flag('several; the value is a list'),
    multipleLimit: number('0 = any', 0),
    remote: flag(
      'items are requested while searching: by onRemoteQuery, and from the data source with DSV.search',
    ),
    allowCreate: flag('the search text can be chosen even if it is not an item'),
    automaticDropdown: flag('opens as soon as it is focused'),
    namesAt: list(
      'paths of the value with its words beside it as `<path>_name`, shown while it is none of the items: ["data.detail.record.customer_id"]',
    ),
    emptyTips: text('text when there are no items'),
    format: text('text of an item, with placeholders like {label}; empty = its label'),
    onRemoteQuery: code('(keyword)'),
  },
  text: (value, options, items) =>
    labelsOf(
      value,
      options.format ? items.map((item) => ({ ...item, label: itemText(item, options) })) : items,
    ),
}
