import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, choice, flag, number, text } from './option-kinds.ts'
import { LIFE, NAMED } from './option-sets.ts'

/** A picture. */
export const image: WidgetSpec = {
  type: 'image',
  kind: 'static',
  estimatedHeight: 160,
  events: ['click', 'longPress', 'load', 'error'],
  options: {
    ...NAMED,
    ...LIFE,
    src: text('address; empty = the bound value'),
    alt: text('what it shows; empty = decoration'),
    width: any('px or %', '100%'),
    height: any('px or auto', 'auto'),
    fit: choice(['cover', 'contain', 'fill']),
    radius: number('px', 0),
    lazy: flag('loaded within 500 px of the screen', true),
    errorImg: text('address of a replacement if the picture fails to load'),
    preview: flag('a tap enlarges it'),
  },
}
