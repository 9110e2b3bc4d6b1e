import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Panels that fold ("Collapsible panels"). */
export const collapse: WidgetSpec = {
  type: 'collapse',
  kind: 'container',
  children: 'widgetList',
  estimatedHeight: 160,
  events: ['change'],
  options: {
    ...NAMED,
    label: text(),
    accordion: flag('one open at a time', true),
    border: flag(undefined, true),
    defaultValue: any('name or names of the panels that start open; empty = as each panel says', ''),
    expandName: string('one more such panel'),
  },
}
