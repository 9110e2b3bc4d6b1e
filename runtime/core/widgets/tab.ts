import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, chosen, code, flag, string } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Panes of which one is shown: the one flagged active, otherwise the first. */
export const tab: WidgetSpec = {
  type: 'tab',
  kind: 'container',
  children: 'tabs',
  estimatedHeight: 420,
  events: ['tabbarChange'],
  options: {
    ...NAMED,
    active: chosen(string('name of the pane shown first')),
    displayType: choice(['border-card', 'line'], 'border-card draws cards, anything else a line'),
    colorStyle: string('colour of the line', '#B0B0B0'),
    textEllipsis: flag('long labels are cut with an ellipsis', true),
    sticky: flag('the labels stay visible below the navigation bar when scrolling'),
    onTabbarChange: code('(index, name, title)'),
  },
}
