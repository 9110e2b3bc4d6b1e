import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, choice, flag, list, string } from './option-kinds.ts'
import { CHOICES, FIELD } from './option-sets.ts'
import { labelsOf } from './values.ts'

/** Tabs as a field: the value is the chosen item's; scrolls sideways. */
export const quickTabs: WidgetSpec = {
  type: 'quick-tabs',
  kind: 'field',
  hasItems: true,
  events: ['change'],
  options: {
    ...FIELD,
    ...CHOICES,
    optionItems: list('[{label, value, disabled?, visibleOn?}]'),
    defaultValue: any('empty = the first', null),
    counts: string('path to {value: number}; shown behind the labels'),
    sticky: flag('stays visible below the navigation bar when scrolling'),
    displayType: choice(['line', 'chips']),
  },
  text: (value, _options, items) => labelsOf(value, items),
}
