import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, list, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** A calendar of a bound list, by day or week. Loaded with the first one that is shown. */
export const agenda: WidgetSpec = {
  type: 'agenda',
  kind: 'page',
  estimatedHeight: 480,
  events: ['range', 'rowClick'],
  options: {
    ...NAMED,
    label: text('description for screen readers'),
    mode: choice(['day', 'week'], 'what is shown first'),
    today: text("today's date as `YYYY-MM-DD`; empty: the date of the device"),
    kinds: list('kinds of entries: [{value, label, tone}]'),
    empty: text('text for a day without entries'),
  },
}
