import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, number } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** One column of a grid. */
export const gridCol: WidgetSpec = {
  type: 'grid-col',
  kind: 'part',
  children: 'widgetList',
  events: [],
  options: {
    ...NAMED,
    span: number('of 24; 24 when missing', 24),
    offset: number('of 24', 0),
    push: number(undefined, 0),
    pull: number(undefined, 0),
    responsive: flag(),
    md: number(undefined, 12),
    sm: number(undefined, 12),
    xs: number(undefined, 12),
  },
}
