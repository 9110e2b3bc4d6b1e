import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, number, string, text } from './option-kinds.ts'
import { LIFE, NAMED } from './option-sets.ts'

/** One line of news that may scroll. */
export const noticeBar: WidgetSpec = {
  type: 'notice-bar',
  kind: 'static',
  estimatedHeight: 44,
  events: ['click', 'close', 'getmore'],
  options: {
    ...NAMED,
    ...LIFE,
    label: text(),
    text: text('the text; empty = the bound value'),
    speed: number('px per second while scrolling', 100),
    scrollable: flag('scrolls from right to left if the text is longer than the line'),
    single: flag('one line, cut with an ellipsis; otherwise as many lines as needed'),
    showIcon: flag('a loudspeaker icon before the text'),
    showClose: flag('a cross closes it; not together with showGetMore'),
    showGetMore: flag('a link after the text; fires `getmore`'),
    moreText: text('text of that link'),
    fontSize: number('px', 14),
    color: string('colour of the text', '#A84800'),
    backgroundColor: string('colour behind it', '#FFF9EA'),
  },
}
