import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, choice, code, flag, number, positive, string, text } from './option-kinds.ts'
import { CHECKED, FIELD, FOCUS_HOOKS, PLACEHOLDER } from './option-sets.ts'
import { asNumber, plainText } from './values.ts'

/** A number typed on the phone's number pad; committed on blur. */
export const numberWidget: WidgetSpec = {
  type: 'number',
  kind: 'field',
  normalize: asNumber,
  events: ['input', 'change', 'focus', 'blur'],
  options: {
    ...FIELD,
    ...CHECKED,
    ...PLACEHOLDER,
    ...FOCUS_HOOKS,
    defaultValue: any(undefined, ''),
    min: number('included'),
    max: number('included'),
    step: positive(number('increment for minus, plus and the arrow keys', 1)),
    precision: number('decimals; null = as typed'),
    closeButtonText: text('label of a button that ends typing'),
    controlsPosition: string(
      "right: minus and plus after the number; '': one on each side; null: none",
      null,
    ),
    unit: text('small text after the value'),
    grouped: flag('written as 12,345.60 while nobody types'),
    inputAlign: choice(['', 'left', 'center', 'right'], "'' = as the form says"),
    onInput: code('(value) at each keystroke'),
  },
  text: plainText,
}
