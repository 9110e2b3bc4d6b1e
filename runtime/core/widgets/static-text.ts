import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, choice, flag, number, string, text } from './option-kinds.ts'
import { LIFE, NAMED, TONE } from './option-sets.ts'

/** A text; never in read mode, no value. */
export const staticText: WidgetSpec = {
  type: 'static-text',
  kind: 'static',
  estimatedHeight: 28,
  events: ['click'],
  options: {
    ...NAMED,
    ...LIFE,
    ...TONE,
    textContent: text('the text; empty = the bound value', 'static text'),
    fontSize: any('px', '13px'),
    textAlign: choice(['left', 'center', 'right']),
    preWrap: flag('keeps line breaks'),
    weight: choice(['normal', 'medium', 'bold']),
    maxLines: number('lines after which the text is cut with an ellipsis; 0 = no limit', 0),
    icon: string('icon before the text'),
    label: text(),
  },
}
