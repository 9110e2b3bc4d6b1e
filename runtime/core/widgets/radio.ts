import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, choice, flag, string } from './option-kinds.ts'
import { CHOICES, FIELD } from './option-sets.ts'
import { labelsOf } from './values.ts'

/** One of a few items, all visible. */
export const radio: WidgetSpec = {
  type: 'radio',
  kind: 'field',
  hasItems: true,
  events: ['change'],
  options: {
    ...FIELD,
    ...CHOICES,
    defaultValue: any(undefined, null),
    direction: choice(['horizontal', 'vertical']),
    displayStyle: string(),
    buttonStyle: flag(
      'drawn as chips; without `required` and `defaultValue`, a tap on the one chosen lets go of it',
    ),
    border: flag('a frame around each'),
    iconSize: string('px', '20'),
  },
  text: (value, _options, items) => labelsOf(value, items),
}
