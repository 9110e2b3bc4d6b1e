import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, number, positive, string } from './option-kinds.ts'
import { CHECKED, FIELD, FOCUS_HOOKS } from './option-sets.ts'
import { asNumber, plainText } from './values.ts'

/** A number with minus and plus. */
export const stepper: WidgetSpec = {
  type: 'stepper',
  kind: 'field',
  normalize: asNumber,
  events: ['change', 'focus', 'blur'],
  options: {
    ...FIELD,
    ...CHECKED,
    ...FOCUS_HOOKS,
    defaultValue: any(undefined, '1'),
    min: number('included', -100000000000),
    max: number('included', 100000000000),
    step: positive(number('above 0', 1)),
    precision: number('decimals', 0),
    stepButtonSize: string('px', '28'),
  },
  text: plainText,
}
