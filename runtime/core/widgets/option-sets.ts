import { isReadable } from '../dates/moment-format.ts'
import type { Json } from '../json.ts'
import type { OptionSpec } from '../page/widget-spec.ts'
import { any, choice, code, flag, list, number, object, rule, string, text } from './option-kinds.ts'

type Options = Readonly<Record<string, OptionSpec>>

/**
 * Options of every widget in addition to VForm's (PAGE-FORMAT). Separate from the specs' own tables: an absent rule is no rule, so these have no
 * defaults to be merged; the page schema adds them to every widget.
 */
export const COMMON_OPTIONS: Options = {
  visibleOn: rule('JSON-Logic: drawn only while the rule is true'),
  requiredOn: rule('JSON-Logic: required while the rule is true'),
  disabledOn: rule('JSON-Logic: disabled while the rule is true'),
  readonlyOn: rule('JSON-Logic: read-only while the rule is true'),
  valueOn: rule('JSON-Logic: the value is computed and cannot be typed'),
  defaultOn: rule('JSON-Logic: the value until somebody enters another one'),
  bind: string('path a display widget reads: data.detail.name, row.name, form.amount'),
  dict: string('key of a dictionary: shows the label of the value; on option fields: the choices'),
  columnWidth: string('px of its column, in a sub-form that is drawn as a table'),
  on: object('event → list of actions'),
}

/** Every widget (PAGE-FORMAT, VForm, "has only"). */
export const NAMED: Options = {
  name: string('identity: the key of the value and the name in rules and scripts'),
  hidden: flag('not drawn, but its value is kept'),
  customClass: any('class name or list of class names', ''),
}

/** Static widgets run these two. */
export const LIFE: Options = {
  onCreated: code('runs when the widget is made'),
  onMounted: code('runs when it is drawn'),
}

/** Options of every field, including fields whose view draws neither a label beside the input nor a hint below it. */
export const BARE_FIELD: Options = {
  ...NAMED,
  ...LIFE,
  label: text('name of the field as the user reads it'),
  disabled: flag('cannot be used'),
  readonly: flag('cannot be changed'),
  required: flag('must be filled in'),
  requiredHint: text('message when it is empty'),
  readMode: flag('drawn as text; false: never, even in a page in read mode', null),
  onValidate: code('(value) answers a message, or nothing when all is well'),
  onChange: code('(value, oldValue) after a committed change'),
}

/** Base set of a field (PAGE-FORMAT, VForm). */
export const FIELD: Options = {
  ...BARE_FIELD,
  labelAlign: string("'' = as the form says"),
  labelWidth: number('px; null = as the form says'),
  labelHidden: flag('draws no label'),
  labelIconPosition: choice(['rear', 'front']),
  labelTooltip: text('help shown by the label', null),
  hint: text('help under the control'),
  size: string(),
}

/** Checked against a named rule or a pattern (HOOKS 6). */
export const CHECKED: Options = {
  validation: string('name of a rule, or a regular expression'),
  validationHint: text('message when it does not match'),
}

/** What fields without `validation` are checked against. */
export const CUSTOM_RULE: Options = {
  customRule: string('name of a rule, or a regular expression; of files, for each name'),
  customRuleHint: text('message when it does not match'),
}

export const FOCUS_HOOKS: Options = { onFocus: code(), onBlur: code() }

export const PLACEHOLDER: Options = { placeholder: text('shown while empty') }

/** Option fields: fixed items, a data source or a dictionary (HOOKS 5.4). */
export const CHOICES: Options = {
  optionItems: list(
    '[{label, value, disabled?, color?, icon?}]; the last two stand before the words of a choice',
  ),
  dsEnabled: flag('the items come from a data source'),
  dsName: string('name of that data source'),
  dataSetName: string('name of its data set'),
  labelKey: string('key of the label in an item', 'label'),
  valueKey: string('key of the value in an item', 'value'),
}

/** Pickers of dates and times. */
export const PICKER: Options = {
  clearable: flag('a cross empties it', true),
  editable: flag('can be typed; phones always use the picker'),
  onConfirm: code('(value) when the picker was confirmed'),
}

/** Formats of a date, or of a time of day; one that cannot be read back counts as missing. */
export function formats(initial: string, isTime = false): Options {
  const fits = (format: Json): boolean => isReadable(format, isTime)
  return {
    format: { ...string('how it is shown, and stored unless valueFormat says otherwise', initial), fits },
    valueFormat: { ...string('format for storing, if different'), fits },
  }
}

export const SHORTCUTS: Options = {
  shortcuts: list(
    'chips under the field: [{label, days or weekday, time}]; days from today, or the next such weekday (1 = Monday); time HH:mm',
  ),
}

export const DATE_BOUNDS: Options = {
  minDate: string('earliest day that can be picked, in the format; empty = 1920'),
  maxDate: string('latest day that can be picked, in the format; empty = 2120'),
}

/** Upload fields (PAGE-FORMAT, VForm). */
export const UPLOAD: Options = {
  limit: number('maximum number of files', 3),
  fileMaxSize: number('MB per file', 5),
  multipleSelect: flag('several files can be selected at once'),
  uploadURL: string("address that files are uploaded to; empty = the product's file store"),
  uploadTip: text('help under the control'),
  withCredentials: flag('cookies go along to another origin'),
  ...CUSTOM_RULE,
  onBeforeUpload: code('(file, fileList)'),
  onUploadSuccess: code('(result, file, fileList) may answer {name, url}'),
  onUploadError: code('(error, file, fileList)'),
  onFileRemove: code('(fileList, file)'),
}

/** Colours by meaning, for texts, tags and numbers. */
export const TONE: Options = {
  tone: choice(
    ['default', 'secondary', 'weak', 'primary', 'success', 'warning', 'danger'],
    'colour by meaning',
  ),
}

/** Page widgets that read rows. */
export const ROWS: Options = {
  dsName: string('data source of the rows; paged when the source declares `paging`'),
  rowKey: string('key that identifies a row', 'id'),
  empty: text('text when there are no rows'),
  emptyAction: text('label of the button under it; fires `emptyClick`'),
}
