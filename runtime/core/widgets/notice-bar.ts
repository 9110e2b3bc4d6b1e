import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, number, string, text } from './option-kinds.ts'
import { LIFE, NAMED } from './option-sets.ts'

/** One line of news that may run. */
export const noticeBar: WidgetSpec = {
  type: 'notice-bar',
  kind: 'static',
  estimatedHeight: 44,
  events: ['click', 'close', 'getmore'],
  options: {
    ...NAMED,
    ...LIFE,
    label: text(),
    text: text('the sentence; empty = the bound value'),
    speed: number('px per second while it runs', 100),
    scrollable: flag('runs from right to left when it is longer than the line'),
    single: flag('one line that ends in dots; otherwise as many as it takes'),
    showIcon: flag('a horn before the text'),
    showClose: flag('a cross closes it; not together with showGetMore'),
    showGetMore: flag('a word behind the text; fires `getmore`'),
    moreText: text('that word'),
    fontSize: number('px', 14),
    color: string('colour of the text', '#A84800'),
    backgroundColor: string('colour behind it', '#FFF9EA'),
  },
}
