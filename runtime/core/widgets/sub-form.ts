import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, code, flag, number, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'
import { asList } from './values.ts'

/** Rows of the same fields ("Sub-form"); the value is a list of row objects. */
export const subForm: WidgetSpec = {
  type: 'sub-form',
  kind: 'container',
  aliases: ['grid-sub-form'],
  children: 'rowList',
  emptyValue: [],
  normalize: asList,
  estimatedHeight: 420,
  events: ['subFormRowAdd', 'subFormRowInsert', 'subFormRowDelete', 'subFormRowChange', 'addClick'],
  options: {
    ...NAMED,
    label: text('title'),
    labelHidden: flag('draws no title'),
    labelAlign: string(),
    required: flag('has at least one row'),
    requiredHint: text('message when it has none'),
    hint: text('help under the title'),
    disabled: flag('rows cannot be changed, added or deleted'),
    readonly: flag('the same, drawn as usual'),
    readMode: flag('drawn as a table of texts; false: never, even in a page in read mode', null),
    showBlankRow: flag('starts with one row', true),
    showRowNumber: flag('shows #n', true),
    rowHead: string(
      'name of the child that stands in the head of a card beside its number, and first in a table',
    ),
    rowHeadLabel: text('name of its column in a table; default: the title'),
    rowColumns: number('fields side by side in a card, as far as there is room', 1),
    actionColumnPosition: choice(['right', 'left'], 'side of the buttons of a row'),
    addText: text(
      'label of the button that adds a row. `on.addClick` replaces its effect; rows can then not be inserted between others',
    ),
    actionDisabled: flag('no row can be added, inserted or deleted'),
    fixedRows: flag('the rows stay as they were set: no buttons to add or delete are drawn, no count'),
    insertDisabled: flag('no row can be added or inserted'),
    deleteDisabled: flag('no row can be deleted'),
    onSubFormRowAdd: code('(subFormData, rowId)'),
    onSubFormRowInsert: code('(subFormData, rowId)'),
    onSubFormRowDelete: code('(subFormData, rowId)'),
    onSubFormRowChange: code('(subFormData)'),
  },
}
