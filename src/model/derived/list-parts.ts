import type { JsonObject } from '../../../runtime/core/json.ts'
import { labelText } from '../labels.ts'
import type { MergedModule } from '../merge-module.ts'
import { formField, variable } from '../page-parts.ts'
import { searchHint } from './search-hint.ts'
import type { DerivedWords } from './words.ts'

/**
 * What stands above the records of a module: the search, and the tabs with their counts (`data.counts`).
 *
 * @param first  the tab that is open at first
 */
export const listHead = (
  module: MergedModule,
  words: DerivedWords,
  tabs: readonly { readonly label: string; readonly value: string }[],
  first: string,
): readonly JsonObject[] => [
  formField('search-bar', {
    name: 'keyword',
    label: words.search,
    labelHidden: true,
    placeholder: searchHint(module, words),
    sticky: true,
    recent: true,
    maxLength: 50,
  }),
  formField('quick-tabs', {
    name: 'tab',
    label: labelText(module.label),
    labelHidden: true,
    sticky: true,
    defaultValue: first,
    counts: 'data.counts',
    optionItems: [...tabs],
  }),
]

/** Rows and counts are asked for again when a list that was shown before comes into sight. */
export const SHOWN_AGAIN: readonly JsonObject[] = ['rows', 'counts'].map((dsName) => ({
  do: 'refresh',
  if: { '!!': { var: 'data.counts' } },
  dsName,
}))

/** What a list asks for. */
interface ListRequest {
  readonly list: string
  readonly count: string
  readonly filters: readonly JsonObject[]
  readonly sort: JsonObject | readonly JsonObject[]
  /** What both calls are told beside tab and keyword. */
  readonly beside?: readonly JsonObject[]
  /** When the counts are asked for by themselves; default: always. */
  readonly auto?: JsonObject | true
  /** What the counts are told besides. */
  readonly counted?: JsonObject
}

/** The rows of a list, page by page, and the counts of its tabs. */
export const listSources = ({
  list,
  count,
  filters,
  sort,
  beside = [],
  auto = true,
  counted = {},
}: ListRequest): readonly JsonObject[] => [
  {
    uniqueName: 'rows',
    requestURL: list,
    requestMethod: 'post',
    paging: { items: 'list', cursor: 'cursor', next: 'nextCursor' },
    data: [
      variable('tab', 'form.tab'),
      variable('keyword', 'form.keyword'),
      variable('cursor', 'DSV.cursor'),
      ...beside,
    ],
    body: { limit: 20, filters, sort },
  },
  {
    uniqueName: 'counts',
    requestURL: count,
    requestMethod: 'post',
    auto,
    debounceMs: 400,
    data: [variable('keyword', 'form.keyword'), ...beside],
    body: { ...counted, filters },
  },
]
