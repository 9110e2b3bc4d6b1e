import type { WidgetSpec } from '../page/widget-spec.ts'
import { number, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Ours: a text as a code that a camera reads. */
export const qrCode: WidgetSpec = {
  type: 'qr-code',
  kind: 'static',
  estimatedHeight: 220,
  events: [],
  options: {
    ...NAMED,
    label: text('what the code is for; read aloud'),
    value: text('what it says; what begins with / becomes the whole address of that page'),
    size: number('px of a side', 200),
  },
}
