import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, string, text } from './option-kinds.ts'
import { CHOICES, FIELD, FOCUS_HOOKS, PLACEHOLDER } from './option-sets.ts'
import { asList, pathLabels } from './values.ts'

/** A choice level by level; the value is the list of values per level. */
export const cascader: WidgetSpec = {
  type: 'cascader',
  kind: 'field',
  hasItems: true,
  emptyValue: [],
  normalize: asList,
  events: ['change', 'focus', 'blur'],
  options: {
    ...FIELD,
    ...CHOICES,
    ...PLACEHOLDER,
    ...FOCUS_HOOKS,
    defaultValue: any(undefined, []),
    childrenKey: string(undefined, 'children'),
    clearable: flag(undefined, true),
    filterable: flag(),
    multiple: flag(),
    checkStrictly: flag(),
    showAllLevels: flag(undefined, true),
    customRule: string(),
    customRuleHint: text(),
  },
  text: (value, _options, items) => pathLabels(value, items),
}
