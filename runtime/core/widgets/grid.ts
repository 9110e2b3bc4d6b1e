import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, number } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Columns in rows of 24 ("Grid of columns"). */
export const grid: WidgetSpec = {
  type: 'grid',
  kind: 'container',
  children: 'cols',
  estimatedHeight: 160,
  events: [],
  options: { ...NAMED, gutter: number('px between columns', 0), colHeight: any('px') },
}
