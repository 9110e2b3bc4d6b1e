import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { PICTURE } from './every-widget.ts'

const COLOUR = 'rgb(1, 2, 3)'

/** Another value of an option, where a generated one would have no effect. By option, or by type and option; `@x` is the sibling widget x. */
export const ALTERNATIVES: Readonly<Record<string, Json>> = {
  customClass: ['zz9'],
  labelAlign: 'right',
  labelIconPosition: 'front',
  size: 'large',
  color: COLOUR,
  activeColor: COLOUR,
  inactiveColor: COLOUR,
  backgroundColor: COLOUR,
  indicatorColor: COLOUR,
  indicatorActiveColor: COLOUR,
  borderRadius: '20px',
  appendButtonIcon: 'phone',
  buttonIcon: 'phone',
  icon: 'phone',
  phrases: ['zz9'],
  phrasesDict: 'level',
  iconSize: '30',
  stepButtonSize: '40',
  displayStyle: 'block',
  cellHeight: '80px',
  cellWidth: '50%',
  contentHeight: '300px',
  colHeight: 120,
  'tab.active': '@pane2',
  'cell-group.openOn': { '==': [1, 2] },
  'button.displayStyle': 'inline-block',
  'video.poster': PICTURE,
  'avatar.size': 60,
  'descriptions.size': 'compact',
  'quick-tabs.counts': 'data.counts',
  'alert.effect': 'dark',
  'avatar.src': PICTURE,
  'calendar.title': 'zz9',
  'checkbox.max': 1,
  'descriptions.columns': 2,
  'data-table.pagination': { pageSize: 1 },
  'divider.direction': 'vertical',
  'drawer.size': '200px',
  'dialog.width': '200px',
  'sheet.height': '200px',
  'line.grow': '@title',
  'menu-grid.columns': 3,
  'number.precision': 0,
  'rate.highThreshold': 3,
  'slider.height': 160,
  'swiper.images': [{ url: PICTURE, alt: 'zz9' }],
  'file-picker.imageStyles': { width: 60, height: 60 },
  'file-picker.listStyles': { border: false },
}

/** Options that define what is shown without a value: their trials have none. */
export const EMPTY: ReadonlySet<string> = new Set([
  'defaultValue',
  'placeholder',
  'startPlaceholder',
  'endPlaceholder',
  'inactiveValue',
  'inactiveText',
  'inactiveLabel',
  'inactiveColor',
])

/** Other options that an option requires: by type, by option, by type and option. */
export const WITH: Readonly<Record<string, JsonObject>> = {
  sheet: { open: true },
  checkbox: { label: '权限' }, // the one in the sample is inside a matrix, without a label
  'agenda.empty': { today: '2024-05-07' },
  popup: { open: true },
  dialog: { open: true },
  drawer: { open: true },
  labelIconPosition: { labelTooltip: 'x' },
  requiredHint: { required: true },
  validationHint: { validation: '^zzz$' },
  customRuleHint: { customRule: '^zzz$' },
  showWordLimit: { maxLength: 50 },
  showPassword: { type: 'password' },
  appendButtonDisabled: { appendButton: true },
  appendButtonIcon: { appendButton: true },
  appendButtonLabel: { appendButton: true },
  appendButtonType: { appendButton: true },
  buttonIcon: { appendButton: true, appendButtonIcon: '' },
  'tab-pane.customClass': { active: true },
  'menu-grid.columns': { layout: 'grid' },
  'notice-bar.moreText': { showGetMore: true },
  'select.automaticDropdown': { optionItems: [{ label: 'a', value: 1 }] },
  lowThreshold: { showText: true },
  highThreshold: { showText: true },
  'number.precision': { min: 0 },
  'grid-col.responsive': { span: 24, xs: 6 },
  'grid-col.xs': { responsive: true },
  'grid-col.push': { span: 6 },
  'slider.showStops': { step: 10 },
  'data-picker.childrenKey': {
    optionItems: [{ text: 'A', value: 'sales', zz9: [{ text: 'B', value: 'east' }] }],
  },
  'file-picker.listStyles': { mode: 'list' },
  'html-text': { htmlContent: `<p><img src="${PICTURE}"></p>` },
  'list.empty': { bind: 'data.none' },
  'list.emptyAction': { bind: 'data.none' },
  'timeline.empty': { bind: 'data.none' },
  'timeline.emptyAction': { bind: 'data.none' },
  'menu-grid.empty': { items: [] },
  'data-table.empty': { tableData: [] },
  'data-table.dsEnabled': { dsName: 'none' },
  'data-table.showPagination': { tableData: [{ no: 1 }, { no: 2 }], pagination: { pageSize: 1 } },
  'data-table.pagination': { tableData: [{ no: 1 }, { no: 2 }], showPagination: true },
  'popup.content': { type: 'message' },
  'popup.tone': { type: 'message' },
  'popup.mode': { type: 'dialog' },
  'popup.value': { type: 'dialog', mode: 'input' },
  'popup.placeholder': { type: 'dialog', mode: 'input' },
  'popup.maxlength': { type: 'dialog', mode: 'input' },
  'popup.confirmText': { type: 'dialog' },
  'popup.cancelText': { type: 'dialog' },
  'popup.showClose': { type: 'dialog' },
  'popup.items': { type: 'share' },
}

const CHOICES = 'browser/widgets/choices.test.ts'
const CONTROLS = 'browser/widgets/controls.test.ts'
const DATA = 'browser/widgets/data.test.ts'
const DATES = 'browser/widgets/dates.test.ts'
const DISPLAY = 'browser/widgets/display.test.ts'
const LAYERS = 'browser/widgets/layers.test.ts'
const SOURCES = 'unit/core/data/sources.test.ts'
const UPLOADS = 'unit/core/engine/uploads.test.ts'
const SETS = 'are shared by the fields of its data sets; a field without a data set requests its own, by name'
const TREE = 'opens from its line on a phone and shows the rows of the page by their names, notes and keys'
const CHECKS = 'are count, then type, then size, with one message, and nothing is sent'

/** Options without a visible effect: a test that proves it, by file and name. */
export const ELSEWHERE: Readonly<Record<string, readonly [file: string, sentence: string]>> = {
  'list.columns': [
    'e2e/desk.test.ts',
    'the table is sorted by its heads, and keeps the user’s columns and widths',
  ],
  'list.draggable': [
    'e2e/desk.test.ts',
    'departments are beside users: selected and moved by keyboard; users are dragged there, or selected and moved',
  ],
  'side-tree.itemsBind': [CHOICES, TREE],
  'side-tree.rowKey': [CHOICES, TREE],
  'side-tree.rowText': [CHOICES, TREE],
  'side-tree.rowNote': [CHOICES, TREE],
  'side-tree.moveOn': [CHOICES, 'allows to move its rows only while the page does: %s'],
  name: ['browser/widgets/drawing.test.ts', 'names fields by their address and follows a change of state'],
  dsName: [SOURCES, SETS],
  dataSetName: [SOURCES, SETS],
  labelKey: [SOURCES, SETS],
  valueKey: [SOURCES, SETS],
  pageSize: [
    SOURCES,
    'has escaped parameters of every kind; those without a value are omitted, and so is a lone question mark',
  ],
  minDate: [DATES, 'offers no day beyond its bounds, and no month without an allowed day'],
  maxDate: [DATES, 'offers no day beyond its bounds, and no month without an allowed day'],
  format: [DATA, 'store a date in the field’s own format'],
  valueFormat: [DATA, 'store a date in the field’s own format'],
  hideSecond: [DATES, 'limit a time to its bounds and omit hidden seconds'],
  'calendar.lunar': [DATES, 'omits the lunar day and the festivals on request, and shows marks first'],
  'calendar.festivals': [DATES, 'omits the lunar day and the festivals on request, and shows marks first'],
  'calendar.selected': [DATES, 'omits the lunar day and the festivals on request, and shows marks first'],
  'collapse.accordion': [DISPLAY, 'open one at a time as an accordion'],
  'swipe-action.threshold': [
    DISPLAY,
    'opens only beyond its threshold, and stays open if the page forbids closing',
  ],
  'swiper.autoplay': [DISPLAY, 'advances automatically, and stops under a finger'],
  'swiper.circular': [DISPLAY, 'advances automatically, and stops under a finger'],
  'swipe-action.autoClose': [
    DISPLAY,
    'opens only beyond its threshold, and stays open if the page forbids closing',
  ],
  'swiper.interval': [DISPLAY, 'advances automatically, and stops under a finger'],
  'input.trim': [CONTROLS, 'trimmed by %j turns %j into %j'],
  'number.step': [CONTROLS, 'changes by its buttons at %j, by its step and within its bounds'],
  'select.namesAt': [CHOICES, 'shows the text beside it for a value that matches no item'],
  'select.filterable': [CHOICES, 'filters its items while typing, and chooses one'],
  'select.multipleLimit': [CHOICES, 'marks several up to the limit, and confirms them with the button'],
  'select.remote': [
    CHOICES,
    'calls a remote source 300 ms after the last keystroke, and uses the answer of the last request',
  ],
  'select.allowCreate': [CHOICES, 'accepts new items if the page allows it'],
  'select.emptyTips': [CHOICES, 'shows that there are no items, and shows items without a label'],
  'reference.rowText': [CHOICES, 'stores a record with its name, and the fields the page derives from it'],
  'reference.nameField': [CHOICES, 'stores a record with its name, and the fields the page derives from it'],
  'reference.empty': [
    CHOICES,
    'searches 300 ms after the last keystroke, loads page by page, and reports an empty result',
  ],
  'reference.clearable': [CHOICES, 'is cleared with its name, unless the page requires it'],
  'reference.multiple': [CHOICES, 'marks several up to the limit, and confirms them with the button'],
  'reference.multipleLimit': [CHOICES, 'marks several up to the limit, and confirms them with the button'],
  'reference.show': [CHOICES, 'opens the chosen record if the user may see it'],
  'reference.create': [CHOICES, 'creates a missing record, and chooses it; the input of the form stays'],
  'reference.createOn': [CHOICES, 'creates a missing record, and chooses it; the input of the form stays'],
  'cascader.filterable': [
    CHOICES,
    'finds a path by a word in it, and accepts any level if the page allows it',
  ],
  'cascader.checkStrictly': [
    CHOICES,
    'finds a path by a word in it, and accepts any level if the page allows it',
  ],
  'cascader.parentField': [CHOICES, 'accepts a flat tree'],
  limit: [UPLOADS, CHECKS],
  fileMaxSize: [UPLOADS, CHECKS],
  withCredentials: [UPLOADS, 'has the headers and data that a script has set'],
  uploadURL: ['unit/app/error-catalogue.test.ts', "uploadURL: app.url('/mini/upload')"],
  autoUpload: [UPLOADS, 'waits for a call if the upload is not automatic'],
  'html-text.previewImg': [
    DISPLAY,
    'shows its pictures enlarged, reports a tap on a link, and tries the next source of a video',
  ],
  'html-text.errorImg': [DISPLAY, 'are loaded only within 500 px of the screen'],
  'html-text.lazyLoad': [DISPLAY, 'are loaded only within 500 px of the screen'],
  'image.lazy': [DISPLAY, 'are loaded only within 500 px of the screen'],
  'image.errorImg': [DISPLAY, 'are loaded only within 500 px of the screen'],
  'notice-bar.speed': [DISPLAY, 'scrolls at 100 px a second from the right edge, after a pause of a second'],
  'progress.activeMode': [DISPLAY, 'grow at 30 ms a percent and report the end'],
  'video.src': [
    DISPLAY,
    'has labelled controls of 44 px, and reports that none of its sources can be played',
  ],
  'list.retry': [DATA, 'shows that it could not be loaded, and retries'],
  'list.end': [DATA, 'then that the list has ended'],
  'list.opens': [DATA, 'opens only rows that have what `opens` names: %s'],
  'search-bar.debounceMs': [DATA, 'searches once, after a pause'],
  'search-bar.autofocus': [DATA, 'has the focus if the page sets it (%s)'],
  'search-bar.recent': [DISPLAY, 'offers the last searches while it is empty and focused'],
  'popup.maskClick': [LAYERS, 'reports a tap on the mask, and stays if the page forbids closing'],
  'popup.beforeClose': [LAYERS, 'stays open if the page closes it itself'],
  'popup.duration': [LAYERS, 'can be a passing message'],
  closeOnClickModal: [
    LAYERS,
    'is open from the start if an older document declares it, without its hidden buttons',
  ],
  closeOnPressEscape: [
    LAYERS,
    'is open from the start if an older document declares it, without its hidden buttons',
  ],
}

const ABOVE = 'its label stands above'
const NO_LABEL = 'it is drawn without a label'
const NEVER_EMPTY = 'it has no required in VForm: there is always a value'
const FORMAT = 'the format says how fine it is'

/** Options that are accepted and have no effect, and why. */
export const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  editable: 'a phone always picks: there is no keyboard for dates',
  autoFullWidth: 'a field always fills its line on a phone',
  'date.type': FORMAT,
  'datetime.type': FORMAT,
  'date-range.type': FORMAT,
  'time-range.type': FORMAT,
  'switch.requiredHint': NEVER_EMPTY,
  'rate.requiredHint': NEVER_EMPTY,
  'picture-upload.labelWidth': ABOVE,
  'file-upload.labelWidth': ABOVE,
  'file-picker.labelWidth': ABOVE,
  'sortable-slots.labelWidth': ABOVE,
  'file-picker.fileMaxSize': 'the picker of the framework knows count and endings only',
  'file-picker.multipleSelect': 'its limit says whether there may be several',
  'grid-col.sm': 'wider than a phone: 768 px',
  'grid-col.md': 'wider than a phone: 992 px',
  'list.itemHeight': 'a guess until a card was measured',
  ...Object.fromEntries(
    ['search-bar', 'quick-tabs'].flatMap((type) =>
      [
        'labelAlign',
        'labelWidth',
        'labelHidden',
        'labelIconPosition',
        'labelTooltip',
        'hint',
        'size',
        'requiredHint',
      ].map((option) => [`${type}.${option}`, NO_LABEL]),
    ),
  ),
}

/** Options of what opens: compared with the field focused, and then opened. */
export const OPENED: ReadonlySet<string> = new Set([
  'select.automaticDropdown',
  'data-picker.popupTitle',
  'calendar.showMonth',
  'calendar.title',
])

const LATER = 'is drawn after the data or a film has come'

/** Options that a view reads and no test covers yet. */
export const NOT_SHOWN: Readonly<Record<string, string>> = {
  'video.title': LATER,
  'video.initialTime': LATER,
  'video.enableProgressGesture': LATER,
  'button.loadingText': 'is drawn while an action of the button runs',
  'chart.kind': LATER,
  'chart.rowsBind': LATER,
  'chart.labelsBind': LATER,
  'chart.labelDict': LATER,
  'chart.empty': LATER,
  'board.columnKey': 'identity of columns that cards are carried to',
  'board.rowKey': 'identity of cards that are carried',
  'board.rowLabel': 'read aloud while a card is carried',
  'board.movable': 'whether a card can be carried',
  'list.rowKey': 'identity of rows that move',
  'list.total': LATER,
  'list.totalText': LATER,
  'list.selectionMost': 'the two hundred and first chosen row',
  'timeline.rowKey': 'identity of rows that move',
  'timeline.end': LATER,
  'timeline.retry': LATER,
  'vform-preview.values': 'values of a form on trial',
  'vform-preview.tools': 'buttons of a form on trial',
  'vform-preview.report': 'what the page around a form on trial is told',
}
