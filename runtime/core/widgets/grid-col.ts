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
    span: number('width in 24ths; 24 when missing', 24),
    offset: number('of 24', 0),
    push: number('24ths to the right of its place', 0),
    pull: number('24ths to the left of its place', 0),
    responsive: flag('the span is one of the three below'),
    md: number('span from 992 px on', 12),
    sm: number('span from 768 px on', 12),
    xs: number('span on a phone', 12),
  },
}
