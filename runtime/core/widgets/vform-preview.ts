import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, object, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** A form document opened inside a page: checked and drawn; reports its events and values (demo pages). */
export const vformPreview: WidgetSpec = {
  type: 'vform-preview',
  kind: 'page',
  estimatedHeight: 320,
  events: ['change'],
  options: {
    ...NAMED,
    label: text('title'),
    document: any('the document or its JSON text; empty = the bound value'),
    values: object('initial values of the form'),
    empty: text('text while there is nothing to draw'),
    tools: flag('buttons that check, reset and lock the form', true),
    report: string(
      'entry of `data` that always holds the current result: {valid, widgets, problems, values, events}; values and events are texts',
    ),
  },
}
