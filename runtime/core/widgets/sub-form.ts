import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, code, flag, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'
import { asList } from './values.ts'

/** Rows of the same fields (spec §2, "Sub-form"); the value is a list of row objects. */
export const subForm: WidgetSpec = {
  type: 'sub-form',
  kind: 'container',
  aliases: ['grid-sub-form'],
  children: 'rowList',
  emptyValue: [],
  normalize: asList,
  estimatedHeight: 420,
  events: ['subFormRowAdd', 'subFormRowInsert', 'subFormRowDelete', 'subFormRowChange'],
  options: {
    ...NAMED,
    label: text('title'),
    labelAlign: string(),
    disabled: flag('rows can be neither changed, added nor deleted'),
    readonly: flag(),
    showBlankRow: flag('starts with one row', true),
    showRowNumber: flag('prints #n', true),
    actionColumnPosition: choice(['left', 'right']),
    onSubFormRowAdd: code('(subFormData, rowId)'),
    onSubFormRowInsert: code('(subFormData, rowId)'),
    onSubFormRowDelete: code('(subFormData, rowId)'),
    onSubFormRowChange: code('(subFormData)'),
  },
}
