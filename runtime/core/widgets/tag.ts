import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, string, text } from './option-kinds.ts'
import { NAMED, TONE } from './option-sets.ts'

/** A small label; the colour comes from the dictionary or from `tone`. */
export const tag: WidgetSpec = {
  type: 'tag',
  kind: 'static',
  estimatedHeight: 24,
  events: ['click'],
  options: {
    ...NAMED,
    ...TONE,
    text: text('the text; empty = the label of the bound value in the dictionary'),
    color: string('CSS colour'),
    plain: flag('only a frame'),
  },
}
