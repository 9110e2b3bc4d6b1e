import type { JsonObject } from '../../../runtime/core/json.ts'
import { labelText } from '../labels.ts'
import type { MergedModule } from '../merge-module.ts'
import { formField } from '../page-parts.ts'
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
