import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, choice, code, flag, number, string, text } from './option-kinds.ts'
import { CHECKED, FIELD, FOCUS_HOOKS, PLACEHOLDER } from './option-sets.ts'
import { asText, plainText } from './values.ts'

/** One line of text (PAGE-FORMAT, VForm). */
export const input: WidgetSpec = {
  type: 'input',
  kind: 'field',
  aliases: ['color'],
  normalize: asText,
  events: ['input', 'change', 'focus', 'blur', 'appendButtonClick', 'clear'],
  options: {
    ...FIELD,
    ...CHECKED,
    ...PLACEHOLDER,
    ...FOCUS_HOOKS,
    defaultValue: any(undefined, null),
    type: { ...choice(['text', 'number', 'tel', 'password', 'email', 'url'], 'keyboard and masking') },
    inputAlign: choice(['', 'left', 'center', 'right'], "'' = as the form says"),
    clearable: flag('a cross empties it', true),
    minLength: number(),
    maxLength: number('10000 when missing'),
    showWordLimit: flag('counts the characters; needs maxLength'),
    showPassword: flag('a password can be shown', true),
    trim: any(
      'blanks to remove: true or both, left, right, start, end, all. Leading and inner ones go while typing, the rest when the field loses focus',
      false,
    ),
    leftIcon: string(),
    rightIcon: string(),
    prefixIcon: string(),
    suffixIcon: string(),
    unit: text('small text after the value'),
    autocomplete: string('browser completion: username, current-password, tel …'),
    appendButton: flag('a button after the text'),
    appendButtonDisabled: flag(),
    appendButtonIcon: string(undefined, 'search'),
    appendButtonLabel: text(),
    appendButtonType: choice(['primary', 'default', 'info', 'warning', 'danger']),
    buttonIcon: string(),
    onInput: code('(value) at each keystroke'),
    onAppendButtonClick: code(),
  },
  text: (value, options) => (options.type === 'password' && value ? '••••••' : plainText(value)),
}
