import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, code, flag, string, text } from './option-kinds.ts'
import { LIFE, NAMED } from './option-sets.ts'

/** A button. */
export const button: WidgetSpec = {
  type: 'button',
  kind: 'static',
  estimatedHeight: 60,
  events: ['click'],
  options: {
    ...NAMED,
    ...LIFE,
    label: text('text on the button'),
    type: choice(
      ['default', 'primary', 'success', 'warning', 'danger', 'text'],
      'text: a link without a frame',
    ),
    size: choice(['normal', 'mini', 'small', 'large']),
    displayStyle: choice(['block', 'inline-block']),
    plain: flag('only a frame'),
    round: flag('half circles at the ends'),
    circle: flag('a round icon'),
    icon: string(undefined, null),
    disabled: flag('cannot be pressed'),
    loadingText: text('shown while its actions run'),
    onClick: code(),
  },
}
