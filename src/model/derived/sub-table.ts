import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { kindOf } from '../kinds/index.ts'
import { drawnColumns } from '../kinds/lines.ts'
import { labelText } from '../labels.ts'
import { container } from './parts.ts'

/** Px of a column where there is room: numbers are short and never cut, words wrap. */
const PX: Readonly<Partial<Record<Field['kind'], number>>> = {
  text: 130,
  'long-text': 180,
  choice: 80,
  flag: 64,
}
const NUMBER_PX = 76
const OTHER_PX = 100
/** So that the narrowest desk has room for all columns. */
const ROOM_PX = 600

/** True for a field whose values are rows with columns of their own; products that are sold have a table of their own. */
export const isSubTable = ({ kind, rows }: Pick<Field, 'kind' | 'rows'>): boolean =>
  kind === 'lines' && rows === undefined

/**
 * What a detail or a paper shows of the rows of a sub-form: a table with the labels of its columns as heads at a desk, labelled values on a phone;
 * nothing where there are none. The rows are the answer's own, in words.
 *
 * @param isOpen  whether the tab with it is open; absent on a paper
 */
export function subTable(field: Field, isOpen?: JsonObject): JsonObject {
  const at = `data.detail.rows.${field.name}`
  const hasRows = { '!!': { var: `${at}.0` } }
  const columns = drawnColumns(field.fields)
  return container(
    'cell-group',
    {
      name: `rows_${field.name}`,
      label: labelText(field.label),
      inset: isOpen !== undefined,
      visibleOn: isOpen === undefined ? hasRows : { and: [isOpen, hasRows] },
    },
    [
      container(
        'list',
        {
          name: `list_${field.name}`,
          bind: at,
          // Rows have no key of their own: they are what stands at their place.
          rowKey: '#',
          flat: true,
          itemHeight: 88,
          customClass: ['page-wrapped'],
          columns: columnsOf(columns),
        },
        [
          {
            type: 'descriptions',
            options: {
              name: `row_${field.name}`,
              size: 'compact',
              hideEmpty: true,
              items: columns.map(({ name, label }) => ({
                label: labelText(label),
                text: `{{ row.${name} }}`,
              })),
            },
          },
        ],
      ),
    ],
  )
}

function columnsOf(columns: readonly Field[]): readonly JsonObject[] {
  const isNumber = ({ kind }: Field): boolean => kindOf(kind).stored === 'number'
  const widthOf = (column: Field): number => PX[column.kind] ?? (isNumber(column) ? NUMBER_PX : OTHER_PX)
  const wanted = columns.reduce((sum, column) => sum + widthOf(column), 0)
  const share = Math.min(1, ROOM_PX / wanted)
  return columns.map((column) => ({
    name: column.name,
    label: labelText(column.label),
    text: `{{ row.${column.name} }}`,
    width: Math.round(widthOf(column) * share),
    ...(isNumber(column) ? { align: 'end' } : {}),
  }))
}
