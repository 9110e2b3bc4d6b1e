import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, number, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** A person or a company: the picture, or the first letters on a coloured background. */
export const avatar: WidgetSpec = {
  type: 'avatar',
  kind: 'static',
  estimatedHeight: 44,
  events: ['click'],
  options: {
    ...NAMED,
    src: text('address of the picture'),
    text: text('name; empty = the bound value'),
    size: number('px', 40),
    square: flag('rounded corners instead of a circle'),
  },
}
