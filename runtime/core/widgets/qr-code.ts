import type { WidgetSpec } from '../page/widget-spec.ts'
import { number, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Ours: a text as a QR code. */
export const qrCode: WidgetSpec = {
  type: 'qr-code',
  kind: 'static',
  estimatedHeight: 220,
  events: [],
  options: {
    ...NAMED,
    label: text('what the code is for; for screen readers'),
    value: text('content; a path that begins with / becomes the full address of that page'),
    size: number('side length in px', 200),
  },
}
