import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, choice, code, flag, list, number, string } from './option-kinds.ts'
import { CHECKED, CUSTOM_RULE, FIELD, FOCUS_HOOKS, PLACEHOLDER } from './option-sets.ts'
import { asText, plainText } from './values.ts'

/** Of its lines, and above and below them. */
const LINE_PX = 24
const AROUND_PX = 28

/** Several lines of text; grows with them. The desktop rich-editor is drawn by it. */
export const textarea: WidgetSpec = {
  type: 'textarea',
  kind: 'field',
  aliases: ['rich-editor'],
  normalize: asText,
  estimatedHeight: (option) => AROUND_PX + LINE_PX * Math.max(1, Number(option('rows')) || 0),
  events: ['input', 'change', 'focus', 'blur'],
  options: {
    ...FIELD,
    ...CHECKED,
    ...PLACEHOLDER,
    ...FOCUS_HOOKS,
    defaultValue: any(undefined, null),
    rows: number('minimum number of lines', 3),
    inputAlign: choice(['', 'left', 'center', 'right'], "'' = as the form says"),
    minLength: number(),
    maxLength: number('10000 when missing'),
    showWordLimit: flag('counts the characters; needs maxLength'),
    phrases: list('quick phrases: a tap adds the text'),
    phrasesDict: string('dictionary whose labels are quick phrases, instead of `phrases`'),
    contentHeight: string('CSS length: its least height'),
    ...CUSTOM_RULE,
    onInput: code('(value) at each keystroke'),
  },
  text: plainText,
}
