import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, number, string } from './option-kinds.ts'
import { CHECKED, FIELD } from './option-sets.ts'
import { asNumber, plainText } from './values.ts'

/** Stars. */
export const rate: WidgetSpec = {
  type: 'rate',
  kind: 'field',
  normalize: (value) => asNumber(value) ?? 0,
  emptyValue: 0,
  events: ['change'],
  options: {
    ...FIELD,
    ...CHECKED,
    defaultValue: any(undefined, 0),
    max: number('stars', 5),
    allowHalf: flag('half stars'),
    showScore: flag('shows the number'),
    size: number('px of a star', 24),
    color: string('CSS colour of an empty star'),
    activeColor: string('CSS colour of a full star'),
    showText: flag('says in a word how it is'),
    lowThreshold: number('number of stars up to which the rating is poor', 2),
    highThreshold: number('number of stars from which the rating is good', 4),
  },
  text: plainText,
}
