/** Where the code of a hook is stored. */
type HookPlace = 'form' | 'widget' | 'dataSource'

/** The value of `this` in the code. `widget`: the field, sub-form or container with the code. */
type HookSelf = 'form' | 'widget' | 'none'

/** Parameters that are not part of the call: the replica or the guest supplies them when the hook runs. */
type Filled = 'formModel' | 'subFormData' | 'form' | 'callback' | 'message'

export interface HookSpec {
  readonly place: HookPlace
  readonly self: HookSelf
  /** Parameter names as in the designers; the arguments of a call are in this order. */
  readonly params: readonly string[]
  readonly filled: Readonly<Record<string, Filled>>
}

const widget = (params = '', filled: HookSpec['filled'] = {}): HookSpec => ({
  place: 'widget',
  self: 'widget',
  params: words(params),
  filled,
})
const form = (params = '', filled: HookSpec['filled'] = {}): HookSpec => ({
  place: 'form',
  self: 'form',
  params: words(params),
  filled,
})
const source = (params: string, filled: HookSpec['filled']): HookSpec => ({
  place: 'dataSource',
  self: 'none',
  params: words(params),
  filled,
})
const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')

const rows = { subFormData: 'subFormData' } as const

/**
 * Every hook and handler (HOOKS 1, 5). `functions` is not included: it is global code, run once before anything else. onValidate has one parameter
 * list for its three contracts: whether code uses `callback` is decided by that name, whatever its generation (HOOKS 7, no. 11).
 */
export const HOOKS: Readonly<Record<string, HookSpec>> = {
  onFormCreated: form(),
  onFormMounted: form(),
  onFormDataChange: form('fieldName newValue oldValue formModel subFormName subFormRowIndex', {
    formModel: 'formModel',
  }),
  onFormValidate: form('formModel', { formModel: 'formModel' }),
  onShow: form(),
  onHide: form(),
  onPullDownRefresh: form(),
  onReachBottom: form(),
  onBackPress: form('options'),

  onCreated: widget(),
  onMounted: widget(),
  onInput: widget('value'),
  onChange: widget('value oldValue subFormData rowId', rows),
  onFocus: widget('event'),
  onBlur: widget('event'),
  onClick: widget(),
  onAppendButtonClick: widget(),
  onConfirm: widget('value'),
  onRemoteQuery: widget('keyword'),
  onValidate: widget('rule value data callback', { data: 'formModel', callback: 'callback' }),
  onBeforeUpload: widget('file'),
  onUploadSuccess: widget('result file fileList'),
  onUploadError: widget('error file fileList'),
  onFileRemove: widget('file fileList'),
  onClose: widget(),
  onDialogOpened: widget(),
  onDrawerOpened: widget(),
  onOkButtonClick: widget(),
  onCancelButtonClick: widget(),
  onDialogBeforeClose: widget(),

  onSubFormRowAdd: widget('subFormData newRowId', rows),
  onSubFormRowInsert: widget('subFormData newRowId', rows),
  onSubFormRowDelete: widget('subFormData deletedDataRow deletedRowIndex', rows),
  onSubFormRowChange: widget('subFormData', rows),
  onTabbarChange: widget('index name title'),
  onRowClick: widget('row column event'),
  onSelectionChange: widget('selection selectedIndices'),
  onOperationButtonClick: widget('buttonName rowIndex row'),
  onCurrentPageChange: widget('pageSize currentPage'),

  configHandlerCode: source('config isSandbox DSV VFR', { VFR: 'form' }),
  dataHandlerCode: source('result isSandbox DSV VFR', { VFR: 'form' }),
  errorHandlerCode: source('error isSandbox DSV $message VFR', { $message: 'message', VFR: 'form' }),
}
