import type { Json, JsonObject } from '../json.ts'
import type { OptionItem, WidgetSpec } from '../page/widget-spec.ts'
import { LIST_MARK } from '../text/filters.ts'
import { any, flag, string } from './option-kinds.ts'
import { CHOICES, CUSTOM_RULE, FIELD, FOCUS_HOOKS, PLACEHOLDER } from './option-sets.ts'
import { asList, asPaths, pathLabels } from './values.ts'

/** A choice level by level; the value is the list of values per level. */
export const cascader: WidgetSpec = {
  type: 'cascader',
  kind: 'field',
  hasItems: true,
  emptyValue: [],
  normalize: (value, options) => (options.multiple === true ? asPaths(value) : asList(value)),
  events: ['change', 'focus', 'blur'],
  options: {
    ...FIELD,
    ...CHOICES,
    ...PLACEHOLDER,
    ...FOCUS_HOOKS,
    defaultValue: any(undefined, []),
    childrenKey: string(undefined, 'children'),
    clearable: flag(undefined, true),
    filterable: flag('a search box that finds paths'),
    multiple: flag('several paths; the value is a list of lists'),
    checkStrictly: flag('any level can be chosen, not only the last'),
    showAllLevels: flag('the text shows all levels, otherwise only the last', true),
    parentField: string('key of the parent’s value, for items given as a flat list; empty = nested items'),
    ...CUSTOM_RULE,
  },
  text: cascaderText,
}

/** The labels of all levels, or of the last one; of several paths, joined by 、. */
export function cascaderText(value: Json, options: JsonObject, items: readonly OptionItem[]): string {
  const paths = options.multiple === true ? (asPaths(value) as readonly Json[]) : [value]
  return paths
    .map((path) => {
      const text = pathLabels(path, items)
      return options.showAllLevels === false ? (text.split('/').at(-1) ?? '') : text
    })
    .filter((text) => text !== '')
    .join(LIST_MARK)
}
