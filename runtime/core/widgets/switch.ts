import { type Json, type JsonObject, sameJson } from '../json.ts'
import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, number, string, text } from './option-kinds.ts'
import { FIELD } from './option-sets.ts'
import { plainText } from './values.ts'

/** On or off: on exactly if the value equals `activeValue`. */
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
    activeLabel: text('older name of activeText'),
    inactiveLabel: text('older name of inactiveText'),
    activeColor: string(undefined, null),
    inactiveColor: string(undefined, null),
    switchSize: number('px', 24),
    switchWidth: number('px', 40),
  },
  text: (value, options) => switchText(value, options),
}

/** True exactly when the value is `activeValue`. */
export const isOn = (value: Json, options: JsonObject): boolean =>
  sameJson(value, options.activeValue ?? true)

/** The text beside a switch: its label, else its text, else a stored value other than true or false. */
export function switchText(value: Json, options: JsonObject): string {
  const [label, text, stored] = isOn(value, options)
    ? [options.activeLabel, options.activeText, options.activeValue]
    : [options.inactiveLabel, options.inactiveText, options.inactiveValue]
  return plainText(label || text || (typeof stored === 'boolean' ? '' : stored))
}
