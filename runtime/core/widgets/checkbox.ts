import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, choice, flag, number, string } from './option-kinds.ts'
import { CHOICES, FIELD } from './option-sets.ts'
import { asList, labelsOf } from './values.ts'

/** Several of a few items, all visible; the value is a list. */
export const checkbox: WidgetSpec = {
  type: 'checkbox',
  kind: 'field',
  hasItems: true,
  bounded: 'count',
  emptyValue: [],
  normalize: asList,
  events: ['change'],
  options: {
    ...FIELD,
    ...CHOICES,
    defaultValue: any(undefined, []),
    direction: choice(['horizontal', 'vertical']),
    displayStyle: string(),
    buttonStyle: flag('drawn as chips'),
    border: flag('a frame around each'),
    min: number('minimum number of choices: the last ones cannot be deselected, and fewer are invalid'),
    max: number('maximum number of choices: further ones cannot be selected, and more are invalid; 0 = any'),
    iconSize: string('px', '20'),
  },
  text: (value, _options, items) => labelsOf(value, items),
}
