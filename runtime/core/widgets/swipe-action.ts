import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, flag, list, number } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Content that is swiped aside to show buttons behind it. */
export const swipeAction: WidgetSpec = {
  type: 'swipe-action',
  kind: 'container',
  children: 'widgetList',
  locks: false,
  estimatedHeight: 60,
  events: ['swipe', 'change'],
  options: {
    ...NAMED,
    leftOptions: list('buttons behind the left edge: [{name, label, tone}]'),
    rightOptions: list('buttons behind the right edge; `swipe` has the name'),
    show: choice(['none', 'left', 'right'], 'which side is open'),
    threshold: number('px to drag before it opens', 20),
    autoClose: flag('opening one closes the others', true),
    disabled: flag('stays shut'),
  },
}
