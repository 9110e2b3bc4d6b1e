import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, number, string } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** One cell of a layout table; merged cells are not drawn (PAGE-FORMAT, VForm). */
export const tableCell: WidgetSpec = {
  type: 'table-cell',
  kind: 'part',
  children: 'widgetList',
  events: [],
  options: {
    ...NAMED,
    cellWidth: string('CSS length'),
    cellHeight: string('CSS length, at least'),
    colspan: number('above 1: the cell takes a line of its own', 1),
    rowspan: number(undefined, 1),
    wordBreak: flag('breaks long words anywhere'),
  },
}
