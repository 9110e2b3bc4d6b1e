import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, text } from './option-kinds.ts'
import { LIFE, NAMED } from './option-sets.ts'

/** Html parsed into a tree of allowed elements; scripts, styles and unknown tags are dropped. */
export const htmlText: WidgetSpec = {
  type: 'html-text',
  kind: 'static',
  estimatedHeight: 60,
  events: ['linktap', 'imgtap', 'error'],
  options: {
    ...NAMED,
    ...LIFE,
    lazyLoad: flag('pictures are loaded within 500 px of the screen', true),
    previewImg: flag('a tap on a picture enlarges it', true),
    errorImg: text('address of a replacement for pictures that fail to load'),
    htmlContent: text(
      'html; links lead to pages of the app, places in the text (#id), https, tel and mailto only',
      '<b>html text</b>',
    ),
  },
}
