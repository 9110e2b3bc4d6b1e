import type { WidgetSpec } from '../page/widget-spec.ts'
import { chosen, flag, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** One panel of a collapse. */
export const collapseItem: WidgetSpec = {
  type: 'collapse-item',
  kind: 'part',
  children: 'widgetList',
  events: ['toggle'],
  options: {
    ...NAMED,
    title: text('title of the panel'),
    label: text('small text under it'),
    value: text('text on the right'),
    icon: string(),
    expand: chosen(flag('starts open', true)),
    disabled: flag('cannot be toggled; its fields cannot be used'),
    readonly: flag('cannot be toggled; its fields cannot be changed'),
    border: flag(undefined, true),
    size: string(),
  },
}
