/** When a hook runs and what its return value means (HOOKS 1, 2, left column). */
export interface HookNote {
  readonly fired: string
  readonly returns: string
}

const note = (fired: string, returns = ''): HookNote => ({ fired, returns })

/** One note per hook of `hook-names.ts`; a test compares the two. */
export const HOOK_NOTES: Readonly<Record<string, HookNote>> = {
  onFormCreated: note('once, before the hooks of the fields'),
  onFormMounted: note('once, after the hooks of all fields'),
  onFormDataChange: note('after onChange of the field, by the user or by code; index -1 outside of rows'),
  onFormValidate: note(
    'in validateForm, getFormData(true) and submit, once every field is right',
    'false: generic message; text: that message',
  ),
  onShow: note('the page comes into sight'),
  onHide: note('the page goes out of sight'),
  onPullDownRefresh: note('the user pulls the page down'),
  onReachBottom: note('the end of the page is reached'),
  onBackPress: note(
    'before going back; `options.from` is navigateBack (the page’s own step) or backbutton',
    'true: stay',
  ),

  onCreated: note('once per field, in document order; for row fields with each new row'),
  onMounted: note('after onCreated of all fields'),
  onInput: note('each keystroke; the model is already written'),
  onChange: note('a committed change, before onFormDataChange; for row fields also 800 ms after creation'),
  onFocus: note('the field gets the focus'),
  onBlur: note(
    'the field loses the focus, before its checks; a picker when its sheet has closed, after the choice',
  ),
  onClick: note('a tap; without code the host hears buttonClick'),
  onAppendButtonClick: note('a tap on the append button; without code the host hears appendButtonClick'),
  onConfirm: note('a picker is confirmed, before onChange'),
  onRemoteQuery: note('typing in the search box; the code calls loadOptions'),
  onValidate: note(
    'the field is checked and its other rules hold',
    'callback(), callback(new Error(text)), true, false (validationHint) or a text',
  ),
  onBeforeUpload: note(
    'per file, after the checks of count, type and size',
    'false: not uploaded; an object with a name: uploaded under that name',
  ),
  onUploadSuccess: note(
    'the server has the file',
    'an object with name and url is stored instead of the answer',
  ),
  onUploadError: note('the upload failed; without code a toast'),
  onFileRemove: note('a file was removed; the model is already written'),
  onClose: note('an alert, sheet, dialog or drawer is closed by the user'),
  onDialogOpened: note('a dialog has come, whoever opened it'),
  onDrawerOpened: note('a drawer has come, whoever opened it'),
  onOkButtonClick: note('the right button of a dialog or drawer, before it closes', 'false: it stays open'),
  onCancelButtonClick: note('its left button, before it closes', 'false: it stays open'),
  onDialogBeforeClose: note('the user closes a dialog or drawer in any way', 'false: it stays open'),

  onSubFormRowAdd: note('a row was added; a first blank row 200 ms after opening'),
  onSubFormRowInsert: note('a row was inserted'),
  onSubFormRowDelete: note('a row was deleted'),
  onSubFormRowChange: note('after each of the three; 800 ms after rows were loaded or replaced'),
  onTabbarChange: note('another tab is chosen'),
  onRowClick: note('a card of a list or table is tapped'),
  onSelectionChange: note('a row of a table was ticked, or no longer'),
  onOperationButtonClick: note('a button of a row of a table'),
  onCurrentPageChange: note('another page of a table is turned to'),

  configHandlerCode: note('before a data source is asked', 'the changed request'),
  dataHandlerCode: note('a data source has answered', 'its result'),
  errorHandlerCode: note('a data source failed', 'a text: the message'),
}

/** Hooks of PC and private builds that are never run, and what to use instead. */
export const HOOKS_NOT_RUN: Readonly<Record<string, string>> = {
  onRowDoubleClick: 'use onRowClick of a list',
  onCellClick: 'use onRowClick of a list',
  onPageSizeChange: 'a list pages by itself',
  onPageNumChange: 'a list pages by itself',
  onGetRowClassName: 'use customClass',
  onGetSpanMethod: 'use table cells',
  onNodeClick: 'use a cascader',
  onMenuClick: 'use a menu-grid',
  onClickIcon: 'use onAppendButtonClick',
  onDisabledDate: 'use minDate and maxDate',
  onLazyLoad: 'give the cascader all its items or a data source',
  onBeforeRequest: 'use configHandlerCode of a data source',
  onAfterResponse: 'use dataHandlerCode of a data source',
}
