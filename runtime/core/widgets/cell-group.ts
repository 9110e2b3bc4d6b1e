import type { WidgetSpec } from '../page/widget-spec.ts'
import { chosen, flag, rule, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** A group of fields with a title, drawn as a card ("Card group with a title"). */
export const cellGroup: WidgetSpec = {
  type: 'cell-group',
  kind: 'container',
  aliases: ['card'],
  children: 'widgetList',
  estimatedHeight: 320,
  events: ['toggle'],
  options: {
    ...NAMED,
    label: text('title of the group'),
    border: flag('lines between the cells', true),
    inset: flag('card with margins'),
    folded: chosen(flag('closed; null = as `openOn` says', null)),
    openOn: rule(
      'JSON-Logic: drawn only while the rule is true, or once a fault in it was looked for; what stands in it is valid or not all the same',
    ),
    showFold: flag('can be folded'),
    note: text('small text beside the title'),
  },
}
