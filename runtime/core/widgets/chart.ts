import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, flag, list, number, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

const CHART_KINDS = ['bar', 'line', 'funnel', 'ring'] as const

/** Ours: numbers as a picture, with the same numbers as a table. */
export const chart: WidgetSpec = {
  type: 'chart',
  kind: 'page',
  estimatedHeight: 260,
  events: ['pointClick'],
  options: {
    ...NAMED,
    label: text('title'),
    note: text('small text beside the title'),
    kind: choice([...CHART_KINDS], 'ring: one ring per series, its first value in percent'),
    rowsBind: string('path to a list of objects: one point each; series then name a `key` of them'),
    pointsBind: string(
      'path to the objects behind the points, when there are no rows: the `row` of `pointClick`',
    ),
    labelKey: string('key of a point’s name in such an object', 'label'),
    labels: list('names of the points, when there are no rows'),
    labelsBind: string('path to such a list instead of `labels`'),
    labelDict: string('dictionary that has the names of the points'),
    series: list(
      '[{name, bind or key, filter, tone}]: `bind` a path to a list of numbers, or to one; filter as in texts',
    ),
    height: number('px of the picture', 220),
    table: flag('the numbers are open from the start'),
    empty: text('sentence when there is nothing but zeros'),
  },
}
