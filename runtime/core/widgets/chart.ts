import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, flag, list, number, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

const CHART_KINDS = ['bar', 'line', 'funnel', 'ring'] as const

/** Ours: numbers as a chart, with the same numbers as a table. */
export const chart: WidgetSpec = {
  type: 'chart',
  kind: 'page',
  estimatedHeight: 260,
  events: ['pointClick'],
  options: {
    ...NAMED,
    label: text('title'),
    note: text('small text beside the title'),
    kind: choice([...CHART_KINDS], 'ring: one ring per series that shows its first value as a percentage'),
    rowsBind: string('path to a list of objects, one per point; each series then names a `key` in them'),
    pointsBind: string(
      'path to the objects behind the points, if there are no rows; one is the `row` of `pointClick`',
    ),
    labelKey: string('key of the point’s name in such an object', 'label'),
    labels: list('names of the points, if there are no rows'),
    labelsBind: string('path to such a list, used instead of `labels`'),
    labelDict: string('dictionary with the names of the points'),
    series: list(
      '[{name, bind or key, filter, tone}]: `bind` is a path to a list of numbers or to one number; `filter` as in texts',
    ),
    height: number('height of the chart in px', 220),
    table: flag('the table of numbers starts open'),
    empty: text('text when all values are zero'),
  },
}
