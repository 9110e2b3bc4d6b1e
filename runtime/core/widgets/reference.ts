import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, number, rule, string, text } from './option-kinds.ts'
import { FIELD, FOCUS_HOOKS, PLACEHOLDER } from './option-sets.ts'
import { asList, labelsOf } from './values.ts'

/** A record of another module, or several: can be searched, viewed and created in a sheet. */
export const reference: WidgetSpec = {
  type: 'reference',
  kind: 'field',
  hasItems: true,
  normalize: (value, options) => (options.multiple === true ? asList(value) : value),
  events: ['change', 'focus', 'blur', 'pick'],
  options: {
    ...FIELD,
    ...PLACEHOLDER,
    ...FOCUS_HOOKS,
    defaultValue: any(undefined, null),
    dsName: string(
      'data source of the records, asked with DSV.search, DSV.cursor and, for stored values, DSV.ids; rows are {value, label, desc, disabled}',
    ),
    nameField: string('field that holds the words of what is chosen; hidden, and kept with what was typed'),
    rowText: text('second line of a record, with placeholders like {{ row.desc }}', '{{ row.desc }}'),
    empty: text('text when there are no records'),
    clearable: flag('the choice can be cleared', true),
    multiple: flag('several; the value is a list'),
    multipleLimit: number('0 = any', 0),
    show: text('page that shows a record; receives its `id`'),
    create: text('form for a new record; receives the search text as `name`'),
    createOn: rule('JSON-Logic: a new record may be created while the rule is true'),
  },
  text: (value, _, items) => labelsOf(value, items),
}
