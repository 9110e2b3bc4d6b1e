import { DOCUMENT_SCHEMA } from '../page/document-schema.ts'

/** Allowed keys of documents, by their position (runtime/PAGE-FORMAT.md); additional keys written by VForm's designer are accepted. */

export const WIDGET_KEYS: readonly string[] = [
  'type',
  'id',
  'key',
  'icon',
  'category',
  'internal',
  'alias',
  'formItemFlag',
  'options',
  'widgetList',
  'cols',
  'tabs',
  'rows',
  'fragment',
  'with',
]

export const FORM_KEYS: readonly string[] = [
  'page',
  'dataSources',
  'jsonVersion',
  'modelName',
  'refName',
  'rulesName',
  'labelWidth',
  'labelPosition',
  'labelAlign',
  'inputAlign',
  'size',
  'layoutType',
  'cssCode',
  'customClass',
  'functions',
  'errShowType',
  'dynamicLogicList',
  'draft',
]

export const PAGE_KEYS: readonly string[] = [
  ...Object.keys(DOCUMENT_SCHEMA.definitions.page.properties),
  'scriptLimits',
]

export const PAGE_EVENTS: readonly string[] = [
  'load',
  'show',
  'hide',
  'pullDownRefresh',
  'reachBottom',
  'backPress',
  'live',
]

export const SOURCE_KEYS: readonly string[] = [
  'uniqueName',
  'description',
  'requestURL',
  'requestURLType',
  'requestMethod',
  'headers',
  'params',
  'data',
  'body',
  'auto',
  'fill',
  'debounceMs',
  'keep',
  'needed',
  'paging',
  'dataSetEnabled',
  'dataSets',
]

/** Places for the tenant's own fields and modules, by the module's name; replaced by the server. */
export const MODEL_OPTIONS: readonly string[] = [
  'fields',
  'own',
  'facts',
  'card',
  'filters',
  'filtered',
  'sorts',
  'searched',
  'patch',
  'rights',
  'modules',
]

const OPENED = { visible: 'open', disabledMode: 'disabled' }
/** Names of options in older documents that their specs do not list, and what each is called now (`page/upgrade.ts` reads them). */
export const OLDER_OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dialog: OPENED,
  drawer: OPENED,
}

/** Of an entry of `params`, `data` or `headers`. */
export const ENTRY_KEYS: readonly string[] = ['name', 'type', 'value', 'description']

export const ENTRY_TYPES: readonly string[] = ['String', 'Number', 'Boolean', 'Variable']

export const URL_TYPES: readonly string[] = ['String', 'Variable']

export const METHODS: readonly string[] = ['get', 'post', 'put', 'delete', 'patch', 'head', 'options']

export const PAGING_KEYS: readonly string[] = ['items', 'cursor', 'next']

export const LAYOUTS: readonly string[] = ['H5', 'PC', 'Pad']

export const TOAST_ICONS: readonly string[] = ['success', 'error', 'loading', 'none']

/** Allowed keys in rows and choices of widgets, by type and option, or by the option alone. */
export const ITEM_KEYS: Readonly<Record<string, readonly string[]>> = {
  optionItems: [
    'label',
    'value',
    'disabled',
    'color',
    'icon',
    'children',
    'visibleOn',
    'text',
    'parent_value',
    'of',
  ],
  tableColumns: ['prop', 'label', 'show', 'width', 'align', 'fixed', 'sortable', 'formatS'],
  'list.columns': [
    'name',
    'label',
    'text',
    'width',
    'sort',
    'sortOn',
    'align',
    'primary',
    'keep',
    'edit',
    'editOn',
    'url',
    'columns',
    'tag',
    'dict',
    'optionItems',
  ],
  'descriptions.items': [
    'label',
    'text',
    'bind',
    'dict',
    'optionItems',
    'tone',
    'of',
    'copy',
    'dial',
    'url',
    'hideEmpty',
    'visibleOn',
    'facts',
    'only',
    'options',
  ],
}
