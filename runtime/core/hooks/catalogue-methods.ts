import type { Entry } from './catalogue-entry.ts'

type Line = readonly [name: string, params: string, note?: string]

const lines =
  (owner: Entry['owner'], status: Entry['status'], kind: Entry['kind'] = 'method') =>
  (list: readonly Line[]): readonly Entry[] =>
    list.map(([name, params, note = '']) => ({ owner, name, params, status, kind, note }))

const PUBLISH = 'publish the page and navigate to it'
const TABLE = 'use a list widget with a data source, and reloadOptionData or executeDataSource'
const SOURCE = 'declare a data source and call executeDataSource'
const ROUTE = 'use an action (on: navigate) of the page'

const every = [
  ...lines(
    'every',
    'supported',
  )([
    ['getWidgetRef', 'name, showError = false', 'undefined for an unknown name; with showError a toast'],
    ['getFormRef', ''],
    [
      'getGlobalDsv',
      '',
      'one object for the whole session; what code writes into it reaches requests and uploadURL',
    ],
    ['executeDataSource', 'name, variables = {}', 'a promise of the data handler’s result'],
    ['$emit', 'name, ...values', 'reaches the host of the page'],
    ['$message', 'text or { message, type }', 'a toast; also .success, .error, .warning, .info'],
  ]),
  ...lines(
    'every',
    'stand-in',
  )([
    ['getTopFormRef', '', 'the form: pages do not nest'],
    ['$confirm', 'text, title', 'a question; the promise rejects with "cancel"'],
    ['$alert', 'text, title', 'a notice; the promise resolves when it is closed'],
    ['$nextTick', 'task', 'runs the task once the hook has ended; without a task a promise'],
    ['$set', 'object, name, value', 'plain assignment'],
  ]),
  ...lines(
    'every',
    'error',
    'property',
  )([
    ['$api', '', SOURCE],
    ['$http', '', SOURCE],
    ['$axios', '', SOURCE],
    ['$router', '', ROUTE],
    ['$route', '', 'read the page’s parameters with a data source variable (params.name)'],
    ['$store', '', 'use getGlobalDsv'],
    ['$refs', '', 'use getWidgetRef'],
    ['$el', '', 'use addCssClass and setWidgetOption'],
    ['$parent', '', 'use getFormRef'],
    ['$root', '', 'use getFormRef'],
  ]),
]

const form = [
  ...lines(
    'form',
    'supported',
  )([
    ['getFormData', 'needValidation = true', 'a promise, rejected with a text; with false the values'],
    ['setFormData', 'data', 'every given field fires its change hooks, changed or not'],
    ['getFieldValue', 'name', 'a list over the rows for a field of a sub-form; [] for an unknown name'],
    ['setFieldValue', 'name, value, disableChangeEvent = false', 'all rows for a field of a sub-form'],
    ['getSubFormValues', 'name, needValidation = true'],
    ['setSubFormValues', 'name, rows', 'onSubFormRowChange follows after 800 ms'],
    ['validateForm', 'callback', 'callback(valid); also a promise'],
    ['validateField', 'name', 'a promise of true or false'],
    ['validateFields', '', 'a promise of true or false'],
    ['clearValidate', 'names'],
    ['resetForm', ''],
    ['disableForm', ''],
    ['enableForm', '', 'also fields that the document disables'],
    ['disableWidgets', 'names'],
    ['enableWidgets', 'names'],
    ['hideWidgets', 'names'],
    ['showWidgets', 'names'],
    ['setWidgetsRequired', 'names, flag = true'],
    ['setReadMode', 'flag = true'],
    ['getReadMode', ''],
    ['reloadOptionData', 'names', 'all option fields without names'],
    ['getFormJson', ''],
    ['getFieldWidgets', 'staticIncluded = false', 'in document order'],
    ['getContainerWidgets', ''],
    ['addEC', 'name, component'],
    ['hasEC', 'name'],
    ['getEC', 'name'],
    ['setFocus', 'name', 'scrolls there, too'],
    ['triggerDynamicLogic', 'name', 'all rules without a name'],
  ]),
  ...lines(
    'form',
    'stand-in',
  )([
    ['getNativeForm', '', 'the form itself: there is no other'],
    ['getMiniFormJson', '', 'the whole document'],
    ['isPreviewState', '', 'false: the page is live'],
    ['changeLanguage', 'name', 'tells the host: event changeLanguage'],
    ['getLanguageName', '', 'zh-CN'],
    ['showDialog', 'name, formData, extraData, title', 'opens that widget; formData goes into the form'],
    ['showDrawer', 'name, formData, extraData, title', 'opens that widget; formData goes into the form'],
    ['getParentFormRef', '', 'null: pages do not nest'],
    ['getChildFormRef', 'name', 'null: pages do not nest'],
    ['getDialogOrDrawerRef', '', 'the dialog or drawer that is open; null without one'],
  ]),
  ...lines(
    'form',
    'error',
  )([
    ['setFormJson', 'json', PUBLISH],
    ['setMiniFormJson', 'json', PUBLISH],
    ['setBlankFormJson', '', PUBLISH],
    ['setFormJsonAndData', 'json, data, disabled', PUBLISH],
    ['getFocus', '', 'use onFocus and onBlur'],
  ]),
]

/** Methods of every kind of widget; each owner lists them for itself. */
const common = (owner: 'field' | 'subForm' | 'container'): readonly Entry[] => [
  ...lines(
    owner,
    'supported',
  )([
    ['setHidden', 'flag = true', 'the value stays, its rules rest'],
    ['setDisabled', 'flag = true'],
    ['setWidgetOption', 'name, value', 'only options that exist'],
    ['getWidgetOption', 'name'],
    ['addCssClass', 'name'],
    ['removeCssClass', 'name'],
    ['clearValidate', ''],
  ]),
  ...lines(
    owner,
    'supported',
    'property',
  )([
    ['field', '', 'type, id and options; writing an option sets it'],
    ['widget', '', 'the same as field'],
  ]),
]

const field = [
  ...common('field'),
  ...lines(
    'field',
    'supported',
  )([
    ['setValue', 'value, disableChangeEvent = false', 'fires the change hooks, even for the same value'],
    ['getValue', ''],
    ['resetField', '', 'not in sub-form rows'],
    ['setReadonly', 'flag = true'],
    ['setLabel', 'text'],
    ['setRequired', 'flag = true', 'false also clears the message'],
    ['setReadMode', 'flag = true'],
    ['focus', ''],
    ['blur', ''],
    ['loadOptions', 'items', 'keeps the value'],
    ['reloadOptions', 'items', 'keeps the value'],
    ['getOptions', ''],
    ['getOptionItems', ''],
    ['clearSelectedOptions', ''],
    ['disableOption', 'value', 'strict comparison'],
    ['enableOption', 'value', 'strict comparison'],
    ['getSelectedLabel', ''],
    ['setAppendButtonVisible', 'flag = true'],
    ['setAppendButtonDisabled', 'flag = true'],
    ['setUploadHeader', 'name, value'],
    ['setUploadData', 'name, value'],
    ['setBeforeUploadHandler', 'handler(file)', 'instead of onBeforeUpload'],
    ['setAfterUploadHandler', 'handler(result, file)', 'instead of onUploadSuccess'],
    ['isSubFormItem', ''],
    ['isSubFormField', ''],
    ['disableChangeValidate', ''],
    ['enableChangeValidate', ''],
  ]),
  ...lines(
    'field',
    'supported',
    'property',
  )([
    ['fieldModel', '', 'the value'],
    ['subFormRowIndex', '', '-1 outside of rows'],
    ['subFormRowId', '', 'null outside of rows'],
    ['subFormName', '', "'' outside of rows"],
  ]),
  ...lines(
    'field',
    'stand-in',
  )([
    ['getFieldEditor', '', 'the field itself'],
    ['setToolbar', 'items', 'writes the option toolbar'],
  ]),
  ...lines(
    'field',
    'error',
  )([
    ['setRules', 'rules', 'use required, validation and onValidate'],
    ['getTableData', '', TABLE],
    ['setTableData', 'rows', TABLE],
    ['loadDataFromDS', 'variables', TABLE],
    ['setPagination', 'pagination', TABLE],
    ['getSelectedRow', '', TABLE],
    ['setTreeData', 'items', 'use loadOptions of a cascader or a data source of a tree'],
  ]),
]

const subForm = [
  ...common('subForm'),
  ...lines(
    'subForm',
    'supported',
  )([
    ['addSubFormRow', ''],
    ['insertSubFormRow', 'beforeIndex'],
    ['deleteSubFormRow', 'index', 'asks the user; a promise'],
    ['resetSubForm', ''],
    ['getSubFormValues', 'needValidation = true'],
    ['setSubFormValues', 'rows'],
    ['getValue', ''],
    ['setValue', 'rows'],
    ['setSubFormFieldValue', 'field, value, rowIndex'],
    ['getSubFormRowCount', ''],
    ['getRowIdData', '', 'row ids in order'],
    ['getWidgetRefOfSubForm', 'fieldName, rowIndex'],
    ['disableSubForm', ''],
    ['enableSubForm', ''],
    ['disableSubFormRow', 'index'],
    ['enableSubFormRow', 'index'],
    ['setInsertDisabled', 'flag = true'],
    ['setDeleteDisabled', 'flag = true'],
  ]),
]

const container = [
  ...common('container'),
  ...lines(
    'container',
    'supported',
  )([
    ['activeTab', 'index'],
    ['getActiveTabIndex', ''],
    ['disableTab', 'index'],
    ['enableTab', 'index'],
    ['hideTab', 'index'],
    ['showTab', 'index'],
    ['setCollapseItemDisabled', 'index, flag = true'],
    ['setCollapseItemReadonly', 'index, flag = true'],
    ['show', '', 'opens a dialog, drawer or sheet'],
    ['close', '', 'closes it; no hook is asked'],
  ]),
  ...lines(
    'container',
    'error',
  )([
    ['getTableData', '', TABLE],
    ['setTableData', 'rows', TABLE],
    ['loadDataFromDS', 'variables', TABLE],
    ['setPagination', 'pagination', TABLE],
    ['getSelectedRow', '', TABLE],
    ['setTreeData', 'items', 'use loadOptions of a cascader or a data source of a tree'],
  ]),
]

/** Every method and property in the references (HOOKS 3, 4). */
export const METHODS: readonly Entry[] = [...every, ...form, ...field, ...subForm, ...container]
