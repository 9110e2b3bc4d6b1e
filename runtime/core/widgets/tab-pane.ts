import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** One pane of a tab. */
export const tabPane: WidgetSpec = {
  type: 'tab-pane',
  kind: 'part',
  children: 'widgetList',
  locks: false,
  events: [],
  options: {
    ...NAMED,
    label: text('label of the tab; may contain placeholders'),
    active: flag('shown first'),
    disabled: flag('cannot be opened'),
  },
}
