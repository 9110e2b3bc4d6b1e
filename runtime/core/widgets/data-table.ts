import { clamp } from '../decimal.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../json.ts'
import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, list, object, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** VForm's read-only table (PAGE-FORMAT, VForm); on a phone each row is a card. */
export const dataTable: WidgetSpec = {
  type: 'data-table',
  kind: 'page',
  estimatedHeight: 400,
  events: ['rowClick', 'selectionChange', 'operationButtonClick', 'currentPageChange'],
  options: {
    ...NAMED,
    label: text('title'),
    tableColumns: list(
      '[{prop, label, show, dict, filter}]: `prop` is a path in the row; `show` false hides the column; `dict` and `filter` work as in texts; the first column is the title of the card',
    ),
    tableData: list('the rows, if there is neither a data source nor a bound value'),
    dsEnabled: flag('false: the data source is not used', true),
    dsName: string('data source of the rows; paged when the source declares `paging`'),
    showIndex: flag('rows are numbered'),
    showCheckBox: flag('rows can be ticked; fires `selectionChange` with the rows and their indexes'),
    showPagination: flag('shows one page at a time; fires `currentPageChange`'),
    pagination: object('{pageSize, currentPage}: rows per page (10) and the page shown first (1)'),
    showButtonsColumn: flag('each row shows the buttons'),
    operationButtons: list(
      '[{name, label, hidden, disabled}]; fire `operationButtonClick` with name, index and row',
    ),
    empty: text('text when there are no rows'),
  },
}

/** A column that is shown. */
export interface TableColumn {
  readonly prop: string
  readonly label: string
  readonly dict: string
  readonly filter: string
}

export function columnsOf(options: JsonObject): readonly TableColumn[] {
  const word = (value: Json | undefined) => (typeof value === 'string' ? value : '')
  const { tableColumns: all } = options
  return (Array.isArray(all) ? (all as readonly Json[]) : [])
    .filter(isObject)
    .filter((one) => one.show !== false && word(one.prop) !== '')
    .map((one) => ({
      prop: word(one.prop),
      label: word(one.label) || word(one.prop),
      dict: word(one.dict),
      filter: word(one.filter),
    }))
}

/** The visible rows: the index of the first one, and the number of pages. */
export interface TablePage {
  readonly page: number
  readonly pages: number
  readonly from: number
  readonly to: number
}

/** @param page  from 1; limited to the existing pages */
export function pageOf(options: JsonObject, count: number, page: number): TablePage {
  const given = options.pagination === undefined ? undefined : valueAt(options.pagination, 'pageSize')
  const size = typeof given === 'number' && given >= 1 ? Math.floor(given) : PAGE_SIZE
  if (options.showPagination !== true) return { page: 1, pages: 1, from: 0, to: count }
  const pages = Math.max(1, Math.ceil(count / size))
  const clamped = clamp(page, 1, pages)
  return { page: clamped, pages, from: (clamped - 1) * size, to: Math.min(count, clamped * size) }
}

const PAGE_SIZE = 10
