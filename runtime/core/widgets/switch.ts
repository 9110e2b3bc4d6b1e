import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, number, string, text } from './option-kinds.ts'
import { FIELD } from './option-sets.ts'
import { plainText } from './values.ts'

/** On or off: on exactly when the value equals `activeValue`. */
export const switchField: WidgetSpec = {
  type: 'switch',
  kind: 'field',
  events: ['change'],
  options: {
    ...FIELD,
    defaultValue: any(undefined, false),
    activeValue: any('stored when on', true),
    inactiveValue: any('stored when off', false),
    activeText: text('text while on'),
    inactiveText: text('text while off'),
    activeLabel: text('older spelling of activeText'),
    inactiveLabel: text('older spelling of inactiveText'),
    activeColor: string(undefined, null),
    inactiveColor: string(undefined, null),
    switchSize: number('px', 24),
    switchWidth: number('px', 40),
  },
  text: (value, options) =>
    plainText(
      value === options.activeValue
        ? options.activeLabel || options.activeText
        : options.inactiveLabel || options.inactiveText,
    ),
}
