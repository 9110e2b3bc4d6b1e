import type { WidgetSpec } from '../page/widget-spec.ts'
import { text } from './option-kinds.ts'
import { LIFE, NAMED } from './option-sets.ts'

/** Html parsed into an allowed tree of elements; scripts, styles and unknown tags are dropped (DESIGN 8). */
export const htmlText: WidgetSpec = {
  type: 'html-text',
  kind: 'static',
  estimatedHeight: 60,
  events: [],
  options: {
    ...NAMED,
    ...LIFE,
    htmlContent: text('html; links open in-app routes, https, tel and mailto only', '<b>html text</b>'),
  },
}
